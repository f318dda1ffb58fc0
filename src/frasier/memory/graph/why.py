"""Why a memory is there, and what came of it: causes and effects apart, each with the path that leads there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from uuid import UUID

from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvalidInput, NotFound
from frasier.memory.access import Caller
from frasier.memory.graph.rows import linked_memory_of
from frasier.memory.graph.types import (
    Direction,
    LinkedMemory,
    Relation,
    Role,
    Step,
    Why,
    relation_of,
)
from frasier.memory.graph.walking import HUB_EDGES_MAX, Bounds, Met, Walk, walk
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.graph")

DEPTH_MAX = 10
STEPS_MAX = 1_000

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
    """What led to the memory, and what it led to, up to `depth` (1 to 10) hops away.

    Causes are incoming caused, enabled and supports, and outgoing derived_from and supersedes; effects are the
    reverse. What contradicts a memory on the way is told and not followed. `relations` of None means all.
    Paths weaker than `min_strength` (the product along the path) are left out; so is, with a word about it,
    what goes beyond `limit` edges a side or the strongest 50 of one memory. Memories of other scopes are
    neither shown nor walked through. Raises NotFound (E080) for a memory that the caller does not see, and
    InvalidInput for an unknown relation (E102) or a number out of its range (E032).
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
            hint="Search for it, and use the id that is shown.",
        )
    walks = [await walk(tx, memory_id, side, bounds) for side in _SIDES[direction]]
    found = _without_repeated_contradictions(walks)
    memories = await _memories(tx, caller, {memory_id, *(met.far_id for met in found)})
    # What another session deleted since it was walked is gone, with the edges that it had.
    steps = [_step(met, memories[met.far_id]) for met in found if memories.keys() >= set(met.path)]
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
    for name, value, least, most in (
        ("depth", depth, 1, DEPTH_MAX),
        ("minimum strength", min_strength, 0, 1),
        ("limit", limit, 1, STEPS_MAX),
    ):
        if not least <= value <= most:
            raise InvalidInput(
                f"A {name} of {value} is not between {least} and {most}.",
                number="E032",
                hint=f"Ask with a {name} from {least} to {most}.",
            )


async def _memories(tx: Tx, caller: Caller, ids: set[UUID]) -> dict[UUID, LinkedMemory]:
    rows = await _sql.all(tx, "linked_memories", ids=sorted(ids), scopes=list(caller.scopes))
    return {row["id"]: linked_memory_of(row) for row in rows}


def _without_repeated_contradictions(walks: Sequence[Walk]) -> list[Met]:
    """What was met on either side; a contradiction belongs to neither, and counts from its nearest end."""
    found: list[Met] = []
    contradictions: dict[UUID, Met] = {}
    for met in (met for walked in walks for met in walked.met.values()):
        if met.role is not Role.CONTRADICTS:
            found.append(met)
            continue
        earlier = contradictions.setdefault(met.edge.id, met)
        contradictions[met.edge.id] = min(
            earlier, met, key=lambda either: (either.depth, -either.strength, either.far_id)
        )
    return found + list(contradictions.values())


def _step(met: Met, memory: LinkedMemory) -> Step:
    return Step(
        role=met.role,
        edge=met.edge,
        memory=memory,
        depth=met.depth,
        path=met.path,
        path_strength=met.strength,
        closes_cycle=met.role is not Role.CONTRADICTS and met.far_id in met.path[:-1],
    )


def _hints(steps: Sequence[Step], *, depth: int, truncated: bool, deeper: bool) -> tuple[str | Advice, ...]:
    hints: list[str | Advice] = []
    if not steps:
        hints += ["Nothing is linked to this memory.", Advice("memory.link", to="link what led to it")]
    contradictions = sum(step.role is Role.CONTRADICTS for step in steps)
    if contradictions:
        hints.append(f"{contradictions} contradicting: read both sides before you rely on either.")
    if any(step.closes_cycle for step in steps):
        hints.append("There is a cycle: something here is among its own causes.")
    if deeper and depth < DEPTH_MAX:
        hints.append(f"There is more beyond {depth} hops. Ask with a greater depth, at most {DEPTH_MAX}.")
    elif deeper:
        hints.append(f"There is more beyond {depth} hops. Ask about one of the farthest memories.")
    if truncated:
        hints.append(
            f"Edges were left out: the strongest {HUB_EDGES_MAX} of one memory are followed, and no more than"
            " the limit are shown. Ask for fewer relations, a smaller depth or a minimum strength."
        )
    return tuple(hints)
