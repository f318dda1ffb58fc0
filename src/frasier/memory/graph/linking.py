"""Drawing and removing edges: both ends must be the caller's to see, and no memory descends from itself."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

from psycopg.rows import DictRow

from frasier.kernel.errors import InvalidInput, NotFound
from frasier.kernel.ids import CANDIDATES, ambiguous, new_id
from frasier.memory.access import Caller
from frasier.memory.called import part_of_id
from frasier.memory.changes import note_change
from frasier.memory.cleaning import cleaned
from frasier.memory.graph.rows import edge_of
from frasier.memory.graph.types import Edge, EdgeOrigin, Linked, Relation, relation_of
from frasier.memory.intake import FOUNDERS_TIERS
from frasier.memory.types import MemoryKind
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.graph")

EVIDENCE_CHARS_MAX = 2_000
STRENGTH_MIN = 1e-6  # what the column can still tell from zero, with room to spare

LINEAGE = frozenset({Relation.SUPERSEDES, Relation.DERIVED_FROM})
"""The relations that lead from a newer memory to an older one, and so never back. Causes may be circular."""

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
    """Draws the edge "source `relation` target", or updates the one that is there.

    An update sets the strength, and the evidence where some is given. What a person, file or correction drew
    is not changed by a machine (origins auto and gate), and stays manual once a person drew it. Raises NotFound
    (E080) for an end outside of the caller's scopes; InvalidInput for a link to itself (E103), an unknown
    relation (E102), a strength or evidence out of range (E032), or a `supersedes` or `derived_from` that would
    make a memory its own ancestor (E101); NotAllowed where anybody but the founder supersedes what binds all.
    """
    kind = relation_of(relation)
    _check(source_id, target_id, strength)
    cleaned = _clean_evidence(evidence)
    ends = await _ends(tx, caller, source_id, target_id)
    if kind is Relation.SUPERSEDES and binds_everybody(ends[target_id]):
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


async def find_edge(tx: Tx, caller: Caller, wanted: str) -> UUID:
    """The edge of that id, or of which that is the only one's beginning or end.

    Raises NotFound as unlink_memories does, and InvalidInput (E030) where it is no id, or several match.
    """
    part = part_of_id(wanted, "an edge")
    rows = await _sql.all(tx, "edges_called", part=part, scopes=list(caller.scopes), limit=CANDIDATES)
    if not rows:
        raise _no_edge(wanted[:60])
    if len(rows) > 1:
        raise ambiguous(wanted, "edges", [str(row["id"]) for row in rows], number="E030")
    found: UUID = rows[0]["id"]
    return found


async def unlink_memories(tx: Tx, caller: Caller, edge_id: UUID) -> Edge:
    """Removes one edge and returns what it was; raises NotFound (E100) where the caller sees no such edge."""
    row = await _sql.maybe(tx, "visible_edge", edge_id=edge_id, scopes=list(caller.scopes))
    if row is None:
        raise _no_edge(edge_id)
    target = {"kind": row["target_kind"], "tier": row["target_tier"]}
    if row["relation"] == Relation.SUPERSEDES and binds_everybody(target):
        caller.require_founder("unlink what supersedes a directive, a constitutional or a critical memory")
    await _sql.run(tx, "delete_edge", edge_id=edge_id)
    await note_change(tx, (row["source_scope"], row["target_scope"]))
    return edge_of(row)


def _no_edge(edge: UUID | str) -> NotFound:
    return NotFound(
        f"There is no edge {edge}.",
        number="E100",
        kept="Nothing was removed.",
        hint="Ask why of one of its memories: every edge is shown with its id.",
    )


async def drop_extracted(tx: Tx, caller: Caller, extractor: str | None = None) -> int:
    """Removes every automatic edge that the caller sees, or those of one extractor; returns how many."""
    if extractor is not None and not extractor.isprintable():
        return 0  # no extractor has such a name, and PostgreSQL could not even be asked for some
    rows = await _sql.all(tx, "drop_extracted", extractor=extractor, scopes=list(caller.scopes))
    if rows:
        await note_change(tx, (scope for row in rows for scope in (row["source_scope"], row["target_scope"])))
    return len(rows)


async def closes_lineage(tx: Tx, source_id: UUID, target_id: UUID) -> bool:
    """Whether the source is already an ancestor of the target, so that this edge would close a cycle.

    Lineage edges are drawn one transaction at a time from here on: each of two could be free of a cycle alone.
    """
    await _sql.run(tx, "lock_lineage")
    row = await _sql.one(tx, "lineage_leads_to", start_id=target_id, end_id=source_id)
    return bool(row["leads"])


def binds_everybody(memory: Mapping[str, str] | DictRow) -> bool:
    """Whether a memory, of which `kind` and `tier` are given, is one that only the founder may overrule."""
    return memory["kind"] == MemoryKind.DIRECTIVE or memory["tier"] in FOUNDERS_TIERS


def _check(source_id: UUID, target_id: UUID, strength: float) -> None:
    if source_id == target_id:
        raise InvalidInput(
            "A memory cannot be linked to itself.", number="E103", hint="Name two different memories."
        )
    if not STRENGTH_MIN <= strength <= 1:
        raise InvalidInput(
            f"A strength of {strength} is not above 0 and at most 1.",
            number="E032",
            hint="Give 1 for what is certain, and less for what is only likely.",
        )


def _clean_evidence(evidence: str) -> str:
    stored, _ = cleaned(evidence)
    if len(stored) > EVIDENCE_CHARS_MAX:
        raise InvalidInput(
            f"An evidence of {len(stored)} characters is too long.",
            number="E032",
            hint=f"At most {EVIDENCE_CHARS_MAX} are kept: save the rest as a memory and link it with `supports`.",
        )
    return stored


async def _ends(tx: Tx, caller: Caller, source_id: UUID, target_id: UUID) -> dict[UUID, DictRow]:
    rows = await _sql.all(tx, "ends", ids=[source_id, target_id], scopes=list(caller.scopes))
    ends = {row["id"]: row for row in rows}
    for memory_id in (source_id, target_id):
        if memory_id not in ends:
            raise NotFound(
                f"There is no memory {memory_id}.",
                number="E080",
                kept="Nothing was linked.",
                hint="Search for it, and use the id that is shown.",
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
        return Linked(edge=edge_of(row), created=True)
    machine = origin in _MACHINE
    row = await _sql.one(tx, "update_edge", origin=origin, machine=machine, **values)
    return Linked(edge=edge_of(row), created=False)
