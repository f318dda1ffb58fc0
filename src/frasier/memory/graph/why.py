"""Trace the causes and effects of a memory, each with the path that leads to it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from uuid import UUID

from psycopg.rows import DictRow

from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvalidInput, NotFound
from frasier.kernel.text import shorten
from frasier.memory.access import Caller
from frasier.memory.graph.traversal import HUB_EDGES_MAX, Bounds, EdgeVisit, GraphWalk, walk
from frasier.memory.graph.types import (
    CausalStep,
    Direction,
    LinkedMemory,
    LinkRole,
    RecallStatus,
    Relation,
    Why,
    relation_of,
)
from frasier.memory.types import MemoryKind
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.graph")

DEPTH_MAX = 10
STEPS_MAX = 1_000
_SNIPPET_CHARS = 160

_SIDES = {
    Direction.CAUSES: (Direction.CAUSES,),
    Direction.EFFECTS: (Direction.EFFECTS,),
    Direction.BOTH: (Direction.CAUSES, Direction.EFFECTS),
}


async def why(
    tx: Tx,
    caller: Caller,
    memory_id: UUID,
    *,
    depth: int = 3,
    direction: Direction = Direction.BOTH,
    relations: Iterable[str] | None = None,
    min_strength: float = 0.0,
    limit: int = 200,
) -> Why:
    """Trace the causes and effects of the memory up to `depth` (1 to 10) hops away.

    Causes are incoming caused, enabled and supports, and outgoing derived_from and supersedes; effects are the
    reverse. Contradictions and likenesses on the way are reported and not followed. `relations` of None means all.
    Paths weaker than `min_strength` (the product along the path) are left out, and so are edges beyond `limit` per
    side or beyond the strongest 50 of one memory, which a hint reports. Memories of other scopes are neither shown
    nor traversed. Raises NotFound (E080) for a memory that the caller does not see, and InvalidInput for an unknown
    relation (E102) or a number out of range (E032).
    """
    _check(depth, min_strength, limit)
    bounds = Bounds(
        scopes=caller.scopes,
        relations=frozenset(Relation if relations is None else map(relation_of, relations)),
        depth=depth,
        min_strength=min_strength,
        edges_max=limit,
    )
    root = (await _memories(tx, caller, {memory_id})).get(memory_id)
    if root is None:
        raise NotFound(
            f"There is no memory {memory_id}.",
            number="E080",
            hint="Search for it, and use the id shown.",
        )
    walks = [await walk(tx, memory_id, side, bounds) for side in _SIDES[direction]]
    visits = _without_repeated_mutual(walks)
    memories = await _memories(tx, caller, {memory_id, *(visit.far_id for visit in visits)})
    # Memories deleted concurrently are missing here, and so are their edges.
    steps = [_step(visit, memories[visit.far_id]) for visit in visits if memories.keys() >= set(visit.path)]
    steps.sort(key=lambda step: (step.depth, -step.path_strength, step.edge.id))
    truncated = any(walked.truncated for walked in walks)
    deeper = any(walked.deeper for walked in walks)
    return Why(
        memory=root,
        steps=tuple(steps),
        depth=depth,
        truncated=truncated,
        depth_limit_reached=deeper,
        hints=_hints(steps, depth=depth, truncated=truncated, deeper=deeper),
    )


def _check(depth: int, min_strength: float, limit: int) -> None:
    for name, value, lowest, highest in (
        ("depth", depth, 1, DEPTH_MAX),
        ("minimum strength", min_strength, 0, 1),
        ("limit", limit, 1, STEPS_MAX),
    ):
        if not lowest <= value <= highest:
            raise InvalidInput(
                f"The {name} must be between {lowest} and {highest}, not {value}.",
                number="E032",
                hint=f"Use a {name} from {lowest} to {highest}.",
            )


async def _memories(tx: Tx, caller: Caller, ids: set[UUID]) -> dict[UUID, LinkedMemory]:
    rows = await _sql.all(tx, "linked_memories", ids=sorted(ids), scopes=list(caller.scopes))
    return {row["id"]: _linked_memory(row) for row in rows}


def _linked_memory(row: DictRow) -> LinkedMemory:
    return LinkedMemory(
        id=row["id"],
        scope=row["scope"],
        kind=MemoryKind(row["kind"]),
        title=row["title"],
        snippet=shorten(" ".join(row["beginning"].split()), _SNIPPET_CHARS),
        standing=RecallStatus(row["standing"]),
    )


def _without_repeated_mutual(walks: Sequence[GraphWalk]) -> list[EdgeVisit]:
    """The visits of both sides; of a mutual edge, which belongs to neither, only the nearest visit."""
    visits: list[EdgeVisit] = []
    mutual: dict[UUID, EdgeVisit] = {}
    for visit in (visit for walked in walks for visit in walked.visits.values()):
        if not visit.role.is_mutual:
            visits.append(visit)
            continue
        earlier = mutual.setdefault(visit.edge.id, visit)
        mutual[visit.edge.id] = min(
            earlier, visit, key=lambda either: (either.depth, -either.strength, either.far_id)
        )
    return visits + list(mutual.values())


def _step(visit: EdgeVisit, memory: LinkedMemory) -> CausalStep:
    return CausalStep(
        role=visit.role,
        edge=visit.edge,
        memory=memory,
        depth=visit.depth,
        path=visit.path,
        path_strength=visit.strength,
        closes_cycle=not visit.role.is_mutual and visit.far_id in visit.path[:-1],
    )


def _hints(
    steps: Sequence[CausalStep], *, depth: int, truncated: bool, deeper: bool
) -> tuple[str | Advice, ...]:
    hints: list[str | Advice] = []
    if not steps:
        hints += ["Nothing is linked to this memory.", Advice("memory.link", to="link what led to it")]
    contradictions = sum(step.role is LinkRole.CONTRADICTS for step in steps)
    if contradictions:
        hints.append(f"Contradictions: {contradictions}. Read both sides before relying on either.")
    if any(step.closes_cycle for step in steps):
        hints.append("There is a cycle: a memory here is among its own causes.")
    if deeper and depth < DEPTH_MAX:
        hints.append(f"There are more edges beyond {depth} hops. Use a greater depth, at most {DEPTH_MAX}.")
    elif deeper:
        hints.append(f"There are more edges beyond {depth} hops. Ask about one of the farthest memories.")
    if truncated:
        hints.append(
            f"Some edges are missing: only the strongest {HUB_EDGES_MAX} of one memory are followed, and no more"
            " than the limit are shown. Use fewer relations, a smaller depth or a minimum strength."
        )
    return tuple(hints)
