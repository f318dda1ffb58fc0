"""Draw automatic edges from the cue phrases in the texts of memories, by rules and without a model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from psycopg.rows import DictRow

from frasier.kernel.ids import new_id
from frasier.memory.cache_invalidation import note_change
from frasier.memory.graph.cues import Reference, references
from frasier.memory.graph.link import LINEAGE, closes_lineage
from frasier.memory.graph.resolve_reference import Names, look_up
from frasier.memory.graph.types import EdgeOrigin, Relation
from frasier.memory.scopes import SHARED_SCOPE
from frasier.memory.types import MemoryKind
from frasier.memory.validation import is_binding
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.graph")

EXTRACTOR = "cue-phrases-1"
"""Name and version of these rules, recorded on every edge that they draw; see drop_extracted."""

AUTO_EDGES_MAX = 20
"""Limit of the automatic edges of one memory, so that a frequently mentioned one does not become a hub."""

_BATCH = 50

# Statements of others: turns of a conversation and parts of foreign documents.
_NOT_READ = (MemoryKind.CONVERSATION, MemoryKind.PASSAGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class _ImpliedEdge:
    """An edge that a text implies. `text_id` is the memory with the text."""

    text_id: UUID
    source_id: UUID
    target_id: UUID
    relation: Relation
    strength: float
    evidence: str


def asks_for_links(*, title: str, content: str) -> bool:
    """Whether a memory with that text may imply an edge at all. Most do not and need no extraction."""
    return bool(references(f"{title}\n{content}"))


async def extract_links(tx: Tx, memory_ids: Sequence[UUID]) -> int:
    """Draw the edges that the texts of these memories imply; returns how many are new. Idempotent.

    A text implies an edge if it names, after a phrase such as "because of" or "supersedes", another memory of
    its scope or the shared one, exactly and unambiguously: by id, path, title, or the label before a title's
    colon. Edges that a changed text no longer implies are deleted. Existing edges are left unchanged. Strengths
    are at most 0.5, and no memory gets more than 20 automatic edges. Binding memories are not superseded this
    way, and no memory becomes its own ancestor.
    """
    created = 0
    unique = list(dict.fromkeys(memory_ids))
    for at in range(0, len(unique), _BATCH):
        created += await _extract(tx, unique[at : at + _BATCH])
    return created


async def _extract(tx: Tx, memory_ids: list[UUID]) -> int:
    texts = await _sql.all(tx, "texts", ids=memory_ids, not_read=list(_NOT_READ))
    by_text = {row["id"]: references(f"{row['title']}\n{row['content']}") for row in texts}
    scopes = {row["scope"] for row in texts}
    names = await look_up(tx, (reference for listed in by_text.values() for reference in listed), scopes)
    implied = [edge for row in texts for edge in _implied_edges(row, by_text[row["id"]], names)]
    drawn = await _sql.all(tx, "edges_of_texts", ids=memory_ids, extractor=EXTRACTOR)
    implied_keys = {
        (edge.text_id, edge.source_id, edge.target_id, edge.relation, edge.evidence) for edge in implied
    }
    existing = {_key(row): row["id"] for row in drawn}
    stale = [edge_id for key, edge_id in existing.items() if key not in implied_keys]
    changed: set[str] = set()
    if stale:
        rows = await _sql.all(tx, "delete_edges", ids=stale)
        changed |= {scope for row in rows for scope in (row["source_scope"], row["target_scope"])}
    fresh = [
        edge
        for edge in implied
        if (edge.text_id, edge.source_id, edge.target_id, edge.relation, edge.evidence) not in existing
    ]
    created = await _draw(tx, fresh, {*scopes, SHARED_SCOPE}, changed) if fresh else 0
    if changed:
        await note_change(tx, changed)
    return created


def _implied_edges(text: DictRow, extracted: list[Reference], names: Names) -> list[_ImpliedEdge]:
    """The edges that one text implies, each once, in the order of the text."""
    edges: dict[tuple[UUID, UUID, Relation], _ImpliedEdge] = {}
    for reference in extracted:
        resolved = names.resolve(reference, text["scope"])
        if resolved is None or resolved.memory_id == text["id"]:
            continue
        ends = (text["id"], resolved.memory_id)
        source_id, target_id = ends if reference.outgoing else ends[::-1]
        edge = _ImpliedEdge(
            text_id=text["id"],
            source_id=source_id,
            target_id=target_id,
            relation=reference.relation,
            strength=resolved.strength,
            evidence=reference.evidence,
        )
        edges.setdefault((source_id, target_id, reference.relation), edge)
    return list(edges.values())


def _key(row: DictRow) -> tuple[UUID, UUID, UUID, Relation, str]:
    text_id = UUID(row["created_by"])
    return text_id, row["source_id"], row["target_id"], Relation(row["relation"]), row["evidence"]


async def _draw(tx: Tx, fresh: list[_ImpliedEdge], scopes: set[str], changed: set[str]) -> int:
    """Draw the permitted edges and add their scopes to `changed`; returns how many are new."""
    ids = sorted({end for edge in fresh for end in (edge.source_id, edge.target_id)})
    # Before counting, so that two concurrent jobs do not both draw the last permitted edge.
    await _sql.run(tx, "lock_lineage")
    ends = {row["id"]: row for row in await _sql.all(tx, "lock_ends", ids=ids, scopes=sorted(scopes))}
    counted = await _sql.all(tx, "count_automatic_edges", ids=ids)
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


async def _may_be_drawn(tx: Tx, edge: _ImpliedEdge, target: DictRow) -> bool:
    if edge.relation is Relation.SUPERSEDES and is_binding(target["kind"], target["tier"]):
        return False
    return edge.relation not in LINEAGE or not await closes_lineage(tx, edge.source_id, edge.target_id)
