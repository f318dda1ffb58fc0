"""How well memories are linked: totals, and the share of memories that a "why" has an answer for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from frasier.memory.access import Caller
from frasier.memory.graph.types import EdgeOrigin, Relation
from frasier.memory.types import MemoryKind
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.graph")

COVERAGE_TARGET_PERCENT = 60.0

# A record of a moment, or a part of a document, is not a memory that somebody could be asked to link.
_NOT_COUNTED = frozenset({MemoryKind.MARKER, MemoryKind.CONVERSATION, MemoryKind.PASSAGE})


class GraphHealth(StrEnum):
    """Whether every edge has both of its memories."""

    HEALTHY = "healthy"
    HAS_ORPHANS = "has_orphans"


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """Of the recallable memories of a scope (markers, conversation and passages apart), how many are linked.

    `scope` is empty for all scopes together. `linked_deliberately` counts without automatic edges.
    """

    scope: str
    memories: int
    linked: int
    linked_deliberately: int

    @property
    def percent(self) -> float:
        """The share with at least one edge, 0 to 100; 0 where there is no memory."""
        return _percent(self.linked, self.memories)

    @property
    def percent_without_automatic(self) -> float:
        """The same, counting no edge that an extractor drew."""
        return _percent(self.linked_deliberately, self.memories)


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphStats:
    """The graph between the memories of the caller's scopes. Every relation and origin is counted, also at 0.

    `average_strength` is None where there is no edge. Orphans are counted over the whole graph, each once.
    """

    edges: int
    by_relation: dict[Relation, int]
    by_origin: dict[EdgeOrigin, int]
    average_strength: float | None
    sources: int
    targets: int
    coverage: Coverage
    per_scope: tuple[Coverage, ...]
    target_percent: float
    orphans: int
    health: GraphHealth

    @property
    def target_reached(self) -> bool:
        """Whether as many memories are linked as ADR-004 wants."""
        return self.coverage.percent >= self.target_percent


async def graph_stats(tx: Tx, caller: Caller) -> GraphStats:
    """Counts the edges between the caller's memories, and the memories that have one."""
    scopes = list(caller.scopes)
    totals = await _sql.all(tx, "edge_totals", scopes=scopes)
    edges = sum(row["edges"] for row in totals)
    ends = await _sql.one(tx, "edge_ends", scopes=scopes)
    orphans: int = (await _sql.one(tx, "orphan_edges"))["orphans"]
    per_scope = await _coverage(tx, scopes)
    return GraphStats(
        edges=edges,
        by_relation={
            relation: sum(row["edges"] for row in totals if row["relation"] == relation)
            for relation in Relation
        },
        by_origin={
            origin: sum(row["edges"] for row in totals if row["origin"] == origin) for origin in EdgeOrigin
        },
        average_strength=sum(row["strength"] for row in totals) / edges if edges else None,
        sources=ends["sources"],
        targets=ends["targets"],
        coverage=_together(per_scope),
        per_scope=per_scope,
        target_percent=COVERAGE_TARGET_PERCENT,
        orphans=orphans,
        health=GraphHealth.HAS_ORPHANS if orphans else GraphHealth.HEALTHY,
    )


async def _coverage(tx: Tx, scopes: list[str]) -> tuple[Coverage, ...]:
    rows = await _sql.all(
        tx, "scope_coverage", scopes=sorted(set(scopes)), kinds=sorted(frozenset(MemoryKind) - _NOT_COUNTED)
    )
    return tuple(Coverage(**row) for row in rows)


def _together(parts: Iterable[Coverage]) -> Coverage:
    parts = tuple(parts)
    return Coverage(
        scope="",
        memories=sum(part.memories for part in parts),
        linked=sum(part.linked for part in parts),
        linked_deliberately=sum(part.linked_deliberately for part in parts),
    )


def _percent(part: int, whole: int) -> float:
    return 100 * part / whole if whole else 0.0
