"""Draw and remove edges between memories of the caller's scopes, without cycles of descent."""

from __future__ import annotations

from uuid import UUID

from psycopg.rows import DictRow

from frasier.kernel.errors import InvalidInput, NotFound
from frasier.kernel.ids import CANDIDATES, new_id, only_match
from frasier.memory.access import Caller
from frasier.memory.cache_invalidation import note_change
from frasier.memory.graph.types import Edge, EdgeOrigin, Linked, Relation, relation_of
from frasier.memory.id_prefix import part_of_id
from frasier.memory.sanitize import cleaned
from frasier.memory.validation import is_binding
from frasier.store import Statements, Tx, from_row

_sql = Statements("frasier.memory.graph")

EVIDENCE_CHARS_MAX = 2_000
STRENGTH_MIN = 1e-6  # well above the smallest value that the column distinguishes from zero

LINEAGE = frozenset({Relation.SUPERSEDES, Relation.DERIVED_FROM})
"""The relations that lead from a newer memory to an older one and must not form cycles; causes may."""

_MACHINE = frozenset({EdgeOrigin.AUTO, EdgeOrigin.GATE})


async def link_memories(
    tx: Tx,
    caller: Caller,
    source_id: UUID,
    target_id: UUID,
    relation: str,
    *,
    strength: float = 1.0,
    evidence: str = "",
    origin: EdgeOrigin = EdgeOrigin.MANUAL,
    extractor: str = "",
) -> Linked:
    """Draw the edge "source `relation` target", or update the existing one.

    An update sets the strength, and the evidence unless it is empty. The machine origins auto and gate do not
    change an edge that a person, file or correction drew; an edge that a person drew stays manual. Raises NotFound
    (E080) for an end outside the caller's scopes; InvalidInput for a link to itself (E103), an unknown relation
    (E102), a strength or evidence out of range (E032), or a `supersedes` or `derived_from` that would make a
    memory its own ancestor (E101); NotAllowed if anybody but the founder supersedes a binding memory.
    """
    kind = relation_of(relation)
    _check(source_id, target_id, strength)
    cleaned = _clean_evidence(evidence)
    ends = await _ends(tx, caller, source_id, target_id)
    if kind is Relation.SUPERSEDES and is_binding(ends[target_id]["kind"], ends[target_id]["tier"]):
        caller.require_founder("supersede a directive, a constitutional or a critical memory")
    if kind in LINEAGE:
        await _check_lineage(tx, source_id, target_id)
    linked = await _draw(
        tx,
        source_id=source_id,
        target_id=target_id,
        relation=kind,
        strength=strength,
        evidence=cleaned,
        origin=origin,
        extractor=extractor,
        created_by=caller.name,
    )
    await note_change(tx, (end["scope"] for end in ends.values()))
    return linked


async def find_edge(tx: Tx, caller: Caller, id_text: str) -> UUID:
    """The id of the edge whose id is `id_text`, or the only one whose id begins or ends with it.

    Raises NotFound as unlink_memories does, and InvalidInput (E030) if it is not part of an id or several match.
    """
    part = part_of_id(id_text, "an edge")
    rows = await _sql.all(
        tx, "find_edges_by_id_part", part=part, scopes=list(caller.scopes), limit=CANDIDATES
    )
    row = only_match(id_text, "edges", rows, lambda row: str(row["id"]), number="E030")
    if row is None:
        raise _no_edge(id_text[:60])
    edge_id: UUID = row["id"]
    return edge_id


async def unlink_memories(tx: Tx, caller: Caller, edge_id: UUID) -> Edge:
    """Remove one edge and return it; raises NotFound (E100) if the caller sees no such edge."""
    row = await _sql.maybe(tx, "visible_edge", edge_id=edge_id, scopes=list(caller.scopes))
    if row is None:
        raise _no_edge(edge_id)
    target = {"kind": row["target_kind"], "tier": row["target_tier"]}
    if row["relation"] == Relation.SUPERSEDES and is_binding(target["kind"], target["tier"]):
        caller.require_founder("unlink what supersedes a directive, a constitutional or a critical memory")
    await _sql.run(tx, "delete_edge", edge_id=edge_id)
    await note_change(tx, (row["source_scope"], row["target_scope"]))
    return from_row(Edge, row)


def _no_edge(edge: UUID | str) -> NotFound:
    return NotFound(
        f"There is no edge {edge}.",
        number="E100",
        kept="Nothing was removed.",
        hint="Ask why about one of its memories: every edge is shown with its id.",
    )


async def drop_extracted(tx: Tx, caller: Caller, extractor: str | None = None) -> int:
    """Remove every automatic edge that the caller sees, or those of one extractor; returns how many."""
    if extractor is not None and not extractor.isprintable():
        return 0  # no extractor has such a name, and PostgreSQL cannot represent some of them
    rows = await _sql.all(tx, "drop_extracted", extractor=extractor, scopes=list(caller.scopes))
    if rows:
        await note_change(tx, (scope for row in rows for scope in (row["source_scope"], row["target_scope"])))
    return len(rows)


async def closes_lineage(tx: Tx, source_id: UUID, target_id: UUID) -> bool:
    """Whether the source is already an ancestor of the target, so that this edge would close a cycle.

    Locks lineage edges until the transaction ends, because two concurrent edges may close a cycle together.
    """
    await _sql.run(tx, "lock_lineage")
    row = await _sql.one(tx, "lineage_leads_to", start_id=target_id, end_id=source_id)
    return bool(row["leads"])


def _check(source_id: UUID, target_id: UUID, strength: float) -> None:
    if source_id == target_id:
        raise InvalidInput(
            "A memory cannot be linked to itself.", number="E103", hint="Name two different memories."
        )
    if not STRENGTH_MIN <= strength <= 1:
        raise InvalidInput(
            f"The strength must be above 0 and at most 1, not {strength}.",
            number="E032",
            hint="Use 1 for a certain link, and less for a likely one.",
        )


def _clean_evidence(evidence: str) -> str:
    stored, _ = cleaned(evidence)
    if len(stored) > EVIDENCE_CHARS_MAX:
        raise InvalidInput(
            f"The evidence is too long: {len(stored)} characters; at most {EVIDENCE_CHARS_MAX} are allowed.",
            number="E032",
            hint="Save the rest as a memory and link it with `supports`.",
        )
    return stored


async def _ends(tx: Tx, caller: Caller, source_id: UUID, target_id: UUID) -> dict[UUID, DictRow]:
    rows = await _sql.all(tx, "lock_ends", ids=[source_id, target_id], scopes=list(caller.scopes))
    ends = {row["id"]: row for row in rows}
    for memory_id in (source_id, target_id):
        if memory_id not in ends:
            raise NotFound(
                f"There is no memory {memory_id}.",
                number="E080",
                kept="Nothing was linked.",
                hint="Search for it, and use the id shown.",
            )
    return ends


async def _check_lineage(tx: Tx, source_id: UUID, target_id: UUID) -> None:
    if await closes_lineage(tx, source_id, target_id):
        raise InvalidInput(
            "The link would make a memory its own ancestor.",
            number="E101",
            kept="Nothing was linked.",
            hint="`supersedes` and `derived_from` lead from the newer memory to the older one: swap the two ends.",
        )


async def _draw(tx: Tx, *, origin: EdgeOrigin, **values: object) -> Linked:
    row = await _sql.maybe(tx, "insert_edge", id=new_id(), origin=origin, **values)
    if row is not None:
        return Linked(edge=from_row(Edge, row), created=True)
    automatic = origin in _MACHINE
    row = await _sql.one(tx, "update_edge", origin=origin, automatic=automatic, **values)
    return Linked(edge=from_row(Edge, row), created=False)
