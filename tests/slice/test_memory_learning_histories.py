"""Any history of corrections and undoings ends as if what was undone had never been done.

Each history is acted out twice on equal shelves: once as it is, and once without what was undone.
"""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from uuid import UUID

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from frasier.kernel.errors import Refused
from frasier.memory.graph.link import link_memories
from frasier.memory.learning.types import Correction, CorrectionType, WorkOutcome
from frasier.memory.learning.work_outcomes import record_outcome, validate_memory
from frasier.memory.strength.adjustments import adjust
from frasier.memory.strength.replay import Cause, Quantity, StrengthOperation
from frasier.memory.types import MemoryType
from support.memory_set import MemorySet

MEMORIES = 4
LATER = datetime(2099, 1, 1, tzinfo=UTC)

# Most of what happens happens to one memory: there corrections meet.
_ORIGINAL = st.sampled_from([0, 0, 0, 1, 2, 3])
_WHICH = st.integers(0, MEMORIES - 1)
_KINDS = [CorrectionType.SUPERSEDED, CorrectionType.SUPERSEDED, CorrectionType.DEPRECATED, *CorrectionType]
_LINEAGE = st.sampled_from(["supersedes", "derived_from"])
_CORRECT = st.tuples(
    st.just("correct"),
    _ORIGINAL,
    st.sampled_from(_KINDS),
    st.sampled_from([3, 3, 2, 1, 0, None]),
    st.sampled_from([None, None, *WorkOutcome]),
)
_UNDO = st.tuples(st.just("undo"), st.integers(0, 5))
_TIER = st.tuples(st.just("tier"), _ORIGINAL, st.sampled_from(["normal", "important"]))
_VALIDITY = st.tuples(st.just("validity"), _ORIGINAL, st.sampled_from([None, LATER]))
_ELSE = st.one_of(
    st.tuples(st.just("vote"), _WHICH, st.booleans()),
    st.tuples(st.just("outcome"), _WHICH, st.sampled_from(WorkOutcome)),
    st.tuples(st.just("review"), _WHICH, st.sampled_from([0.5, 1.9, 40.0])),
    st.tuples(st.just("link"), _WHICH, _ORIGINAL, _LINEAGE),
    st.tuples(st.just("unlink"), _WHICH, _ORIGINAL, _LINEAGE),
)
_ACTS = st.sampled_from([_CORRECT] * 8 + [_UNDO] * 4 + [_TIER, _VALIDITY, _ELSE, _ELSE]).flatmap(
    lambda act: act
)
_HISTORIES = st.lists(_ACTS, min_size=6, max_size=14)


@dataclass
class World:
    """A set of memories on which a history is acted out; `made` are its corrections by the number of the act."""

    memory_set: MemorySet
    memories: list[UUID]
    made: dict[int, Correction] = field(default_factory=dict)

    @classmethod
    async def new(cls, db) -> "World":
        memory_set = MemorySet(db=db)
        kinds = (MemoryType.SEMANTIC, MemoryType.SEMANTIC, MemoryType.EPISODIC, MemoryType.META_COGNITIVE)
        memories = [
            await memory_set.add(
                f"memory {nth}",
                memory_type=kind,
                valid_from=datetime(2020, 1, 1, tzinfo=UTC) if nth == 1 else None,
            )
            for nth, kind in enumerate(kinds)
        ]
        return cls(memory_set, memories)

    async def act(self, number: int, act: tuple) -> None:
        memory_set, (verb, which, *rest) = self.memory_set, act
        memory = self.memories[which % MEMORIES]
        match verb:
            case "correct":
                kind, replacement, outcome = rest
                made = await memory_set.correct(
                    memory, kind, None if replacement is None else self.memories[replacement], outcome=outcome
                )
                if not made.repeated:
                    self.made[number] = made
            case "tier":
                await memory_set.sql("update memory_items set tier = %s where id = %s", *rest, memory)
            case "validity":
                await memory_set.sql("update memory_items set valid_until = %s where id = %s", *rest, memory)
            case "unlink":
                await memory_set.sql(
                    "delete from memory_edges where source_id = %s and target_id = %s and relation = %s",
                    memory,
                    self.memories[rest[0]],
                    rest[1],
                )
            case _:
                await self._use(verb, memory, rest)

    async def _use(self, verb: str, memory: UUID, rest: list) -> None:
        agent = self.memory_set.agent
        async with self.memory_set.db.transaction() as tx:
            match verb:
                case "vote":
                    await validate_memory(tx, agent, memory, useful=rest[0])
                case "outcome":
                    await record_outcome(tx, agent, [memory], rest[0])
                case "review":
                    await adjust(
                        tx,
                        memory,
                        cause=Cause.REVIEW,
                        quantity=Quantity.STABILITY,
                        operation=StrengthOperation.MULTIPLY,
                        amount=rest[0],
                    )
                case "link":
                    await link_memories(tx, agent, memory, self.memories[rest[0]], rest[1])

    async def ending(self) -> tuple[list[dict], set[tuple]]:
        """How it ended, told without the ids and the moments of this world."""
        place = {memory: nth for nth, memory in enumerate(self.memories)}
        moments = {made.created_at: number for number, made in self.made.items()}
        states = [await self.memory_set.state(memory) for memory in self.memories]
        for state in states:
            state["valid_until"] = moments.get(state["valid_until"], state["valid_until"])
        edges = {
            (place[source], relation, place[target], origin)
            for source, relation, target, origin in await self.memory_set.edges()
        }
        return states, edges


async def act_out(world: World, history: list[tuple]) -> tuple[set[int], list[int]]:
    """Acts it out; returns the acts that were refused, and the corrections that were undone."""
    refused, undone = set(), []
    for number, act in enumerate(history):
        if act[0] == "undo":
            standing = [made for made in world.made if made not in undone]
            if standing:
                chosen = standing[act[1] % len(standing)]
                assert not (await world.memory_set.undo(world.made[chosen].id)).repeated
                undone.append(chosen)
            continue
        try:
            await world.act(number, act)
        except Refused:
            refused.add(number)
    return refused, undone


async def act_out_without(world: World, history: list[tuple], left_out: set[int]) -> None:
    for number, act in enumerate(history):
        if act[0] != "undo" and number not in left_out:
            await world.act(number, act)


@pytest.mark.parametrize("finally_all", [False, True])
# A failing history is shown as it is: making it smaller would act out hundreds of others.
@settings(
    max_examples=25,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
@given(history=_HISTORIES, data=st.data())
async def test_a_history_ends_as_if_what_was_undone_had_never_been_done(board, finally_all, history, data):
    world, other = await World.new(board), await World.new(board)
    refused, undone = await act_out(world, history)
    if finally_all:
        for number in data.draw(st.permutations([made for made in world.made if made not in undone])):
            await world.memory_set.undo(world.made[number].id)
            undone.append(number)
    repeated = {n for n, act in enumerate(history) if act[0] == "correct" and n not in world.made}
    await act_out_without(other, history, refused | repeated | set(undone))
    assert set(other.made) == set(world.made) - set(undone)
    assert await world.ending() == await other.ending()
