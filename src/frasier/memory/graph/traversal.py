"""Breadth-first traversal from one memory to a fixed depth, safe for cycles and capped at hubs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from uuid import UUID

from frasier.memory.graph.types import Direction, Edge, LinkRole, Relation
from frasier.store import Statements, Tx, from_row

_sql = Statements("frasier.memory.graph")

HUB_EDGES_MAX = 50
"""Limit of the edges followed from one memory, the strongest first, so that no hub drowns the rest."""

_MUTUAL = {
    Relation.CONTRADICTS: LinkRole.CONTRADICTS,
    Relation.RESEMBLES: LinkRole.RESEMBLES,
}
# Causes are reached along incoming caused, enabled and supports edges, and outgoing derived_from and supersedes edges.
# Effects are the reverse. Mutual ones have no direction and are not followed.
_INCOMING: Mapping[Direction, Mapping[Relation, LinkRole]] = MappingProxyType(
    {
        Direction.CAUSES: {
            Relation.CAUSED: LinkRole.CAUSED_BY,
            Relation.ENABLED: LinkRole.ENABLED_BY,
            Relation.SUPPORTS: LinkRole.SUPPORTED_BY,
            **_MUTUAL,
        },
        Direction.EFFECTS: {
            Relation.DERIVED_FROM: LinkRole.DERIVATIVES,
            Relation.SUPERSEDES: LinkRole.SUPERSEDED_BY,
            **_MUTUAL,
        },
    }
)
_OUTGOING: Mapping[Direction, Mapping[Relation, LinkRole]] = MappingProxyType(
    {
        Direction.CAUSES: {
            Relation.DERIVED_FROM: LinkRole.DERIVED_FROM,
            Relation.SUPERSEDES: LinkRole.SUPERSEDES,
            **_MUTUAL,
        },
        Direction.EFFECTS: {
            Relation.CAUSED: LinkRole.LED_TO,
            Relation.ENABLED: LinkRole.ENABLES,
            Relation.SUPPORTS: LinkRole.SUPPORTS,
            **_MUTUAL,
        },
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """Limits of a traversal. An edge is included if some path that ends with it has at least `min_strength`."""

    scopes: tuple[str, ...]
    relations: frozenset[Relation]
    depth: int
    min_strength: float
    edges_max: int


@dataclass(slots=True, kw_only=True)
class EdgeVisit:
    """A visited edge: the number of hops of its first visit, and the strongest path to its far end."""

    role: LinkRole
    edge: Edge
    far_id: UUID
    depth: int
    path: tuple[UUID, ...]
    strength: float


@dataclass(slots=True, kw_only=True)
class GraphWalk:
    """The visits of one traversal, by edge and far end; `truncated` and `deeper` report what it left out.

    Only mutual edges are ever visited from both of their ends.
    """

    visits: dict[tuple[UUID, UUID], EdgeVisit] = field(default_factory=dict)
    truncated: bool = False
    deeper: bool = False


@dataclass(frozen=True, slots=True)
class _Path:
    """The strongest path to a memory so far."""

    strength: float
    path: tuple[UUID, ...]


@dataclass(frozen=True, slots=True)
class _Neighbour:
    edge: Edge
    far_id: UUID
    role: LinkRole


async def walk(tx: Tx, start: UUID, side: Direction, bounds: Bounds) -> GraphWalk:
    """Visit every edge within `bounds.depth` hops of `start` on one side (causes or effects), once each.

    A memory is expanded again when a longer path turns out to be stronger, so the recorded path is the strongest
    within the depth. Strengths are at most 1, so a cycle never makes a path stronger.
    """
    known = _Neighbourhood(tx, side, bounds)
    result = GraphWalk()
    best = {start: _Path(1.0, (start,))}
    frontier: Iterable[UUID] = (start,)
    for depth in range(1, bounds.depth + 1):
        await known.read(frontier)
        stronger: dict[UUID, _Path] = {}
        fresh: list[EdgeVisit] = []
        for near in frontier:
            for visit in known.from_here(near, best[near], depth):
                earlier = result.visits.get((visit.edge.id, visit.far_id))
                if earlier is None:
                    fresh.append(visit)
                else:
                    earlier.path, earlier.strength = visit.path, visit.strength
                _keep_stronger(visit, best, stronger)
        fresh.sort(key=lambda visit: (-visit.strength, visit.edge.id, visit.far_id))
        room = bounds.edges_max - len(result.visits)
        result.visits |= {(visit.edge.id, visit.far_id): visit for visit in fresh[:room]}
        if len(fresh) > room:
            result.truncated = True
            return result
        best |= stronger
        frontier = sorted(stronger)
    result.deeper = await known.continues(frontier, best, result)
    result.truncated = known.capped
    return result


def _keep_stronger(visit: EdgeVisit, best: Mapping[UUID, _Path], stronger: dict[UUID, _Path]) -> None:
    """Record the path to the far end if it is the strongest so far; mutual edges are not followed."""
    if visit.role.is_mutual:
        return
    strongest = max(
        (paths[visit.far_id].strength for paths in (best, stronger) if visit.far_id in paths), default=0.0
    )
    if visit.strength > strongest:
        stronger[visit.far_id] = _Path(visit.strength, visit.path)


class _Neighbourhood:
    """The edges of the memories that one traversal reaches; each memory is read once."""

    def __init__(self, tx: Tx, side: Direction, bounds: Bounds) -> None:
        self._tx = tx
        self._incoming = {rel: role for rel, role in _INCOMING[side].items() if rel in bounds.relations}
        self._outgoing = {rel: role for rel, role in _OUTGOING[side].items() if rel in bounds.relations}
        self._bounds = bounds
        self._known: dict[UUID, list[_Neighbour]] = {}
        self.capped = False

    async def read(self, nodes: Iterable[UUID]) -> None:
        unread = [node for node in nodes if node not in self._known]
        if not unread:
            return
        rows = await _sql.all(
            self._tx,
            "neighbours",
            nodes=unread,
            incoming=list(self._incoming),
            outgoing=list(self._outgoing),
            scopes=list(self._bounds.scopes),
            cap=HUB_EDGES_MAX + 1,
        )
        self._known |= {node: [] for node in unread}
        for row in rows:
            neighbours = self._known[row["near_id"]]
            if len(neighbours) == HUB_EDGES_MAX:
                self.capped = True
                continue
            edge = from_row(Edge, row)
            roles = self._incoming if row["far_id"] == edge.source_id else self._outgoing
            neighbours.append(_Neighbour(edge, row["far_id"], roles[edge.relation]))

    def from_here(self, near: UUID, path: _Path, depth: int) -> list[EdgeVisit]:
        """The edges onwards from `near` that are strong enough."""
        return [
            EdgeVisit(
                role=neighbour.role,
                edge=neighbour.edge,
                far_id=neighbour.far_id,
                depth=depth,
                path=(*path.path, neighbour.far_id),
                strength=path.strength * neighbour.edge.strength,
            )
            for neighbour in self._known[near]
            if path.strength * neighbour.edge.strength >= self._bounds.min_strength
        ]

    async def continues(
        self, frontier: Iterable[UUID], best: Mapping[UUID, _Path], walked: GraphWalk
    ) -> bool:
        """Whether one more hop would visit a new edge; this look-ahead does not count as capped."""
        capped = self.capped
        await self.read(frontier)
        self.capped = capped
        known = {edge_id for edge_id, _ in walked.visits}
        return any(
            visit.edge.id not in known
            for near in frontier
            for visit in self.from_here(near, best[near], self._bounds.depth + 1)
        )
