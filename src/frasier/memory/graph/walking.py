"""Walking from one memory along its edges, level by level: exactly as deep as asked, cycles cut, hubs capped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from uuid import UUID

from frasier.memory.graph.rows import edge_of
from frasier.memory.graph.types import Direction, Edge, Relation, Role
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.graph")

HUB_EDGES_MAX = 50
"""Of a memory with more edges than this the strongest are followed, so that no hub drowns the rest."""

# Causes lie where an edge comes in from what caused, enabled or supports, and where one goes out to what the
# memory is built on or replaced. Effects lie the other way. A contradiction has no direction, and leads nowhere.
_INCOMING: Mapping[Direction, Mapping[Relation, Role]] = MappingProxyType(
    {
        Direction.CAUSES: {
            Relation.CAUSED: Role.CAUSED_BY,
            Relation.ENABLED: Role.ENABLED_BY,
            Relation.SUPPORTS: Role.SUPPORTED_BY,
            Relation.CONTRADICTS: Role.CONTRADICTS,
        },
        Direction.EFFECTS: {
            Relation.DERIVED_FROM: Role.DERIVATIVES,
            Relation.SUPERSEDES: Role.SUPERSEDED_BY,
            Relation.CONTRADICTS: Role.CONTRADICTS,
        },
    }
)
_OUTGOING: Mapping[Direction, Mapping[Relation, Role]] = MappingProxyType(
    {
        Direction.CAUSES: {
            Relation.DERIVED_FROM: Role.DERIVED_FROM,
            Relation.SUPERSEDES: Role.SUPERSEDES,
            Relation.CONTRADICTS: Role.CONTRADICTS,
        },
        Direction.EFFECTS: {
            Relation.CAUSED: Role.LED_TO,
            Relation.ENABLED: Role.ENABLES,
            Relation.SUPPORTS: Role.SUPPORTS,
            Relation.CONTRADICTS: Role.CONTRADICTS,
        },
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """How far a walk goes. An edge is met where some path that ends with it is at least `min_strength` strong."""

    scopes: tuple[str, ...]
    relations: frozenset[Relation]
    depth: int
    min_strength: float
    edges_max: int


@dataclass(slots=True, kw_only=True)
class Met:
    """An edge that was met: after how many hops first, and the strongest path to its far end."""

    role: Role
    edge: Edge
    far_id: UUID
    depth: int
    path: tuple[UUID, ...]
    strength: float


@dataclass(slots=True, kw_only=True)
class Walk:
    """What one walk met, by edge and far end; `truncated` and `deeper` say what it left out.

    Only a contradiction is ever met from both of its ends.
    """

    met: dict[tuple[UUID, UUID], Met] = field(default_factory=dict)
    truncated: bool = False
    deeper: bool = False


@dataclass(frozen=True, slots=True)
class _Way:
    """The strongest path to a memory so far."""

    strength: float
    path: tuple[UUID, ...]


@dataclass(frozen=True, slots=True)
class _Neighbour:
    edge: Edge
    far_id: UUID
    role: Role


async def walk(tx: Tx, start: UUID, side: Direction, bounds: Bounds) -> Walk:
    """Every edge within `bounds.depth` hops of `start` on one side (causes or effects), each once.

    A memory is gone out from again when a longer path turns out stronger, so the kept path is the strongest
    of those within the depth. Strengths are at most 1: going round a cycle never makes a path stronger.
    """
    known = _Neighbourhood(tx, side, bounds)
    result = Walk()
    best = {start: _Way(1.0, (start,))}
    frontier: Iterable[UUID] = (start,)
    for depth in range(1, bounds.depth + 1):
        await known.read(frontier)
        stronger: dict[UUID, _Way] = {}
        fresh: list[Met] = []
        for near in frontier:
            for met in known.from_here(near, best[near], depth):
                earlier = result.met.get((met.edge.id, met.far_id))
                if earlier is None:
                    fresh.append(met)
                else:
                    earlier.path, earlier.strength = met.path, met.strength
                _keep_stronger(met, best, stronger)
        fresh.sort(key=lambda met: (-met.strength, met.edge.id, met.far_id))
        room = bounds.edges_max - len(result.met)
        result.met |= {(met.edge.id, met.far_id): met for met in fresh[:room]}
        if len(fresh) > room:
            result.truncated = True
            return result
        best |= stronger
        frontier = sorted(stronger)
    result.deeper = await known.goes_on(frontier, best, result)
    result.truncated = known.capped
    return result


def _keep_stronger(met: Met, best: Mapping[UUID, _Way], stronger: dict[UUID, _Way]) -> None:
    """Remembers the way to the far end where it is the strongest so far. A contradiction is no way on."""
    if met.role is Role.CONTRADICTS:
        return
    at_most = max((ways[met.far_id].strength for ways in (best, stronger) if met.far_id in ways), default=0.0)
    if met.strength > at_most:
        stronger[met.far_id] = _Way(met.strength, met.path)


class _Neighbourhood:
    """The edges of the memories that one walk comes by, each memory read once."""

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
            found = self._known[row["near_id"]]
            if len(found) == HUB_EDGES_MAX:
                self.capped = True
                continue
            edge = edge_of(row)
            roles = self._incoming if row["far_id"] == edge.source_id else self._outgoing
            found.append(_Neighbour(edge, row["far_id"], roles[edge.relation]))

    def from_here(self, near: UUID, way: _Way, depth: int) -> list[Met]:
        """The edges that go on from `near`, as far as they are strong enough."""
        return [
            Met(
                role=neighbour.role,
                edge=neighbour.edge,
                far_id=neighbour.far_id,
                depth=depth,
                path=(*way.path, neighbour.far_id),
                strength=way.strength * neighbour.edge.strength,
            )
            for neighbour in self._known[near]
            if way.strength * neighbour.edge.strength >= self._bounds.min_strength
        ]

    async def goes_on(self, frontier: Iterable[UUID], best: Mapping[UUID, _Way], walked: Walk) -> bool:
        """Whether one more hop would meet an edge that the walk has not met. Reading on caps nothing of it."""
        capped = self.capped
        await self.read(frontier)
        self.capped = capped
        known = {edge_id for edge_id, _ in walked.met}
        return any(
            met.edge.id not in known
            for near in frontier
            for met in self.from_here(near, best[near], self._bounds.depth + 1)
        )
