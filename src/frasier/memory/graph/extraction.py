"""Automatic edges, drawn by rules and no model: what a memory says itself about others that it names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from psycopg.rows import DictRow

from frasier.kernel.ids import new_id
from frasier.memory.changes import note_change
from frasier.memory.graph.cues import Reference, references
from frasier.memory.graph.linking import LINEAGE, binds_everybody, closes_lineage
from frasier.memory.graph.resolving import Names, look_up
from frasier.memory.graph.types import EdgeOrigin, Relation
from frasier.memory.scopes import SHARED_SCOPE
from frasier.memory.types import MemoryKind
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.graph")

EXTRACTOR = "cue-phrases-1"
"""Name and version of these rules, on every edge that they draw; see drop_extracted."""

AUTO_EDGES_MAX = 20
"""Of one memory, from whichever text: more would make a hub of whatever is mentioned often."""

_BATCH = 50

# What others said: a turn of a conversation, a part of a foreign document. Its claims are not ours.
_NOT_READ = (MemoryKind.CONVERSATION, MemoryKind.PASSAGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wanted:
    """An edge that a text asks for. `text_id` is the memory whose text it is."""

    text_id: UUID
    source_id: UUID
    target_id: UUID
    relation: Relation
    strength: float
    evidence: str


def asks_for_links(*, title: str, content: str) -> bool:
    """Whether a memory of that text may ask for an edge at all. Most do not, and need not be read again."""
    return bool(references(f"{title}\n{content}"))


async def extract_links(tx: Tx, memory_ids: Sequence[UUID]) -> int:
    """Draws the edges that the texts of these memories ask for; returns how many are new.

    A text asks for an edge where it names, behind a phrase such as "because of" or "supersedes", another memory
    of its scope or the shared one, exactly and as the only one of that name: by id, path, title, or the label
    before a title's colon. Done again it changes nothing; where the text changed, edges that it no longer asks
    for go. An edge that is there already stays as it is. Strengths are at most 0.5, and no memory gets more
    than 20 automatic edges. What binds everybody is not superseded so, and no memory becomes its own ancestor.
    """
    created = 0
    unique = list(dict.fromkeys(memory_ids))
    for at in range(0, len(unique), _BATCH):
        created += await _extract(tx, unique[at : at + _BATCH])
    return created


async def _extract(tx: Tx, memory_ids: list[UUID]) -> int:
    texts = await _sql.all(tx, "texts", ids=memory_ids, not_read=list(_NOT_READ))
    said = {row["id"]: references(f"{row['title']}\n{row['content']}") for row in texts}
    scopes = {row["scope"] for row in texts}
    names = await look_up(tx, (reference for found in said.values() for reference in found), scopes)
    wanted = [edge for row in texts for edge in _asked_for(row, said[row["id"]], names)]
    drawn = await _sql.all(tx, "edges_of_texts", ids=memory_ids, extractor=EXTRACTOR)
    asked = {(edge.text_id, edge.source_id, edge.target_id, edge.relation, edge.evidence) for edge in wanted}
    there = {_key(row): row["id"] for row in drawn}
    stale = [edge_id for key, edge_id in there.items() if key not in asked]
    changed: set[str] = set()
    if stale:
        rows = await _sql.all(tx, "delete_edges", ids=stale)
        changed |= {scope for row in rows for scope in (row["source_scope"], row["target_scope"])}
    fresh = [
        edge
        for edge in wanted
        if (edge.text_id, edge.source_id, edge.target_id, edge.relation, edge.evidence) not in there
    ]
    created = await _draw(tx, fresh, {*scopes, SHARED_SCOPE}, changed) if fresh else 0
    if changed:
        await note_change(tx, changed)
    return created


def _asked_for(text: DictRow, said: list[Reference], names: Names) -> list[_Wanted]:
    """The edges of one text, each once, in the order of the text."""
    edges: dict[tuple[UUID, UUID, Relation], _Wanted] = {}
    for reference in said:
        meant = names.meant(reference, text["scope"])
        if meant is None or meant.memory_id == text["id"]:
            continue
        ends = (text["id"], meant.memory_id)
        source_id, target_id = ends if reference.outgoing else ends[::-1]
        edge = _Wanted(
            text_id=text["id"],
            source_id=source_id,
            target_id=target_id,
            relation=reference.relation,
            strength=meant.strength,
            evidence=reference.evidence,
        )
        edges.setdefault((source_id, target_id, reference.relation), edge)
    return list(edges.values())


def _key(row: DictRow) -> tuple[UUID, UUID, UUID, Relation, str]:
    text_id = UUID(row["created_by"])
    return text_id, row["source_id"], row["target_id"], Relation(row["relation"]), row["evidence"]


async def _draw(tx: Tx, fresh: list[_Wanted], scopes: set[str], changed: set[str]) -> int:
    """Draws what may be drawn, and adds the scopes of it to `changed`."""
    ids = sorted({end for edge in fresh for end in (edge.source_id, edge.target_id)})
    # Before the counting, so that two jobs at once do not both find room for the last edge.
    await _sql.run(tx, "lock_lineage")
    ends = {row["id"]: row for row in await _sql.all(tx, "ends", ids=ids, scopes=sorted(scopes))}
    counted = await _sql.all(tx, "automatic_edges", ids=ids)
    room = Counter({row["id"]: AUTO_EDGES_MAX - row["edges"] for row in counted})
    created = 0
    for edge in fresh:
        pair = (edge.source_id, edge.target_id)
        if not ends.keys() >= set(pair) or min(room[end] for end in pair) < 1:
            continue
        if not await _may_be_drawn(tx, edge, ends[edge.target_id]):
            continue
        row = await _sql.maybe(
            tx,
            "insert_edge",
            id=new_id(),
            source_id=edge.source_id,
            target_id=edge.target_id,
            relation=edge.relation,
            strength=edge.strength,
            evidence=edge.evidence,
            origin=EdgeOrigin.AUTO,
            extractor=EXTRACTOR,
            created_by=str(edge.text_id),
        )
        if row is not None:
            created += 1
            room.subtract(pair)
            changed |= {ends[end]["scope"] for end in pair}
    return created


async def _may_be_drawn(tx: Tx, edge: _Wanted, target: DictRow) -> bool:
    if edge.relation is Relation.SUPERSEDES and binds_everybody(target):
        return False
    return edge.relation not in LINEAGE or not await closes_lineage(tx, edge.source_id, edge.target_id)
