"""Statistics of the graph: totals of edges, and the share of memories that have any."""

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

# Records of a moment and parts of documents are not memories that anybody is expected to link.
_NOT_COUNTED = frozenset({MemoryKind.MARKER, MemoryKind.CONVERSATION, MemoryKind.PASSAGE})


class GraphHealth(StrEnum):
    """Health of the graph: whether every edge has both of its memories."""

    HEALTHY = "healthy"
    HAS_ORPHANS = "has_orphans"


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkCoverage:
    """Numbers of recallable memories of a scope, except markers, conversation and passages, and of linked ones.

    `scope` is empty for the sum of all scopes. `linked_deliberately` ignores automatic edges.
    """

    scope: str
    memories: int
    linked: int
    linked_deliberately: int

    @property
    def percent(self) -> float:
        """The share with at least one edge, 0 to 100; 0 without memories."""
        return _percent(self.linked, self.memories)

    @property
    def percent_without_automatic(self) -> float:
        """The share with at least one edge that no extractor drew, 0 to 100."""
        return _percent(self.linked_deliberately, self.memories)


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphStats:
    """Statistics of the graph between the memories of the caller's scopes; every relation and origin has a count.

    `average_strength` is None without edges. Orphans are counted over the whole graph, each once.
    """

    edges: int
    by_relation: dict[Relation, int]
    by_origin: dict[EdgeOrigin, int]
    average_strength: float | None
    sources: int
    targets: int
    coverage: LinkCoverage
    per_scope: tuple[LinkCoverage, ...]
    target_percent: float
    orphans: int
    health: GraphHealth

    @property
    def target_reached(self) -> bool:
        """Whether the share of linked memories meets the target of ADR-004."""
        return self.coverage.percent >= self.target_percent


async def graph_stats(tx: Tx, caller: Caller) -> GraphStats:
    """Count the edges between the caller's memories, and the memories that have one."""
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
        coverage=_sum(per_scope),
        per_scope=per_scope,
        target_percent=COVERAGE_TARGET_PERCENT,
        orphans=orphans,
        health=GraphHealth.HAS_ORPHANS if orphans else GraphHealth.HEALTHY,
    )


async def _coverage(tx: Tx, scopes: list[str]) -> tuple[LinkCoverage, ...]:
    rows = await _sql.all(
        tx, "scope_coverage", scopes=sorted(set(scopes)), kinds=sorted(frozenset(MemoryKind) - _NOT_COUNTED)
    )
    return tuple(LinkCoverage(**row) for row in rows)


def _sum(parts: Iterable[LinkCoverage]) -> LinkCoverage:
    parts = tuple(parts)
    return LinkCoverage(
        scope="",
        memories=sum(part.memories for part in parts),
        linked=sum(part.linked for part in parts),
        linked_deliberately=sum(part.linked_deliberately for part in parts),
    )


def _percent(part: int, whole: int) -> float:
    return 100 * part / whole if whole else 0.0
