"""Undoing corrections: in any order, once each, and nothing that anybody else did is lost."""

import asyncio
import itertools

import pytest

from frasier.kernel.errors import NotFound, Refused
from frasier.kernel.ids import new_id
from frasier.memory.graph.link import link_memories
from frasier.memory.learning.types import WorkOutcome
from frasier.memory.learning.work_outcomes import record_outcome, validate_memory
from frasier.memory.strength.adjustments import adjust
from frasier.memory.strength.replay import Cause, Quantity, StrengthOperation


@pytest.fixture
async def trio(memory_set):
    return [await memory_set.fact(f"The office is in {city}.") for city in ("Berlin", "Bonn", "Rome")]


async def test_undoing_gives_back_exactly_what_was_there(memory_set, trio):
    old, new, _ = trio
    before = await memory_set.state(old), await memory_set.state(new)
    made = await memory_set.correct(old, "superseded", new, outcome=WorkOutcome.REJECTED)
    undone = await memory_set.undo(made.id)
    assert (undone.original_id, undone.tier, undone.repeated) == (old, "normal", False)
    assert (await memory_set.state(old), await memory_set.state(new)) == before
    assert await memory_set.edges() == set()


async def test_undoing_again_changes_nothing_and_says_so(memory_set, trio):
    old, new, _ = trio
    made = await memory_set.correct(old, "superseded", new)
    await memory_set.undo(made.id)
    await memory_set.correct(old, "deprecated")
    state = await memory_set.state(old)
    again = await memory_set.undo(made.id)
    assert (again.repeated, again.tier) == (True, "deprecated")
    assert await memory_set.state(old) == state


async def test_undoing_what_was_never_made_is_refused(memory_set):
    with pytest.raises(NotFound):
        await memory_set.undo(new_id())


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
async def test_a_memory_returns_with_the_last_of_its_corrections_whatever_their_order(
    memory_set, trio, order
):
    old, new, other = trio
    before = [await memory_set.state(memory) for memory in trio]
    made = [
        await memory_set.correct(old, "superseded", new),
        await memory_set.correct(old, "deprecated"),
        await memory_set.correct(old, "superseded", other),
    ]
    moments = {0: made[0].created_at, 2: made[2].created_at}
    for nth, index in enumerate(order):
        await memory_set.undo(made[index].id)
        moments.pop(index, None)
        state = await memory_set.state(old)
        assert state["tier"] == ("normal" if nth == 2 else "deprecated")
        assert state["valid_until"] == min(moments.values(), default=None)
    assert [await memory_set.state(memory) for memory in trio] == before
    assert await memory_set.edges() == set()


async def test_what_happened_in_between_is_kept(memory_set, trio):
    old, new, _ = trio
    made = await memory_set.correct(old, "superseded", new)
    async with memory_set.db.transaction() as tx:
        await validate_memory(tx, memory_set.agent, old, useful=True)
        await record_outcome(tx, memory_set.agent, [new], WorkOutcome.ACCEPTED)
        await adjust(
            tx,
            new,
            cause=Cause.REVIEW,
            quantity=Quantity.STABILITY,
            operation=StrengthOperation.MULTIPLY,
            amount=2,
        )
    await memory_set.undo(made.id)
    fresh = await memory_set.state(trio[2])
    after_old, after_new = await memory_set.state(old), await memory_set.state(new)
    assert after_old["confidence"] == pytest.approx(0.6)
    assert after_old["validations"] == 1
    assert after_new["confidence"] == pytest.approx(0.525)
    assert after_new["stability"] == pytest.approx(fresh["stability"] * 2)


@pytest.mark.parametrize("kept", [None, "1 day"])
async def test_a_tier_and_a_validity_that_somebody_set_since_stay(memory_set, trio, kept):
    """Neither what came before them nor what came after gives back anything else."""
    old, new, other = trio
    first = await memory_set.correct(old, "superseded", new)
    await memory_set.sql(
        "update memory_items set tier = 'important', valid_until = now() + %s::interval where id = %s",
        kept,
        old,
    )
    chosen = (await memory_set.state(old))["valid_until"]
    second = await memory_set.correct(old, "superseded", other)
    assert await memory_set.tier(old) == "deprecated"
    await memory_set.undo(second.id)
    after = await memory_set.state(old)
    assert (after["tier"], after["valid_until"]) == ("important", chosen)
    third = await memory_set.correct(old, "superseded", other)
    await memory_set.undo(first.id)
    assert await memory_set.tier(old) == "deprecated"
    await memory_set.undo(third.id)
    after = await memory_set.state(old)
    assert (after["tier"], after["valid_until"]) == ("important", chosen)


async def test_a_memory_that_was_deprecated_before_stays_so(memory_set, trio):
    old, new, _ = trio
    await memory_set.sql("update memory_items set tier = 'deprecated' where id = %s", old)
    made = await memory_set.correct(old, "superseded", new)
    await memory_set.undo(made.id)
    assert await memory_set.tier(old) == "deprecated"


async def test_fault_34_undoing_keeps_an_edge_that_was_there_before(memory_set, trio):
    old, new, _ = trio
    async with memory_set.db.transaction() as tx:
        await link_memories(tx, memory_set.agent, new, old, "supersedes", evidence="seen on the letterhead")
    made = await memory_set.correct(old, "superseded", new)
    await memory_set.undo(made.id)
    assert await memory_set.edges() == {(new, "supersedes", old, "manual")}


async def test_fault_34_undoing_keeps_an_edge_that_somebody_made_their_own_since(memory_set, trio):
    old, new, _ = trio
    made = await memory_set.correct(old, "superseded", new)
    async with memory_set.db.transaction() as tx:
        await link_memories(tx, memory_set.agent, new, old, "supersedes")
    await memory_set.undo(made.id)
    assert await memory_set.edges() == {(new, "supersedes", old, "manual")}


@pytest.mark.parametrize("first", [0, 1])
async def test_fault_34_an_edge_stays_as_long_as_one_of_two_corrections_needs_it(memory_set, trio, first):
    old, new, _ = trio
    made = [
        await memory_set.correct(old, "superseded", new, reason="they moved"),
        await memory_set.correct(old, "deprecated", new, reason="it closed"),
    ]
    await memory_set.undo(made.pop(first).id)
    [edge] = await memory_set.sql("select relation, evidence from memory_edges where target_id = %s", old)
    assert edge == {"relation": "supersedes", "evidence": made[0].reason}
    await memory_set.undo(made[0].id)
    assert await memory_set.edges() == set()


async def test_fault_34_a_correction_that_only_stands_in_the_record_needs_no_edge(memory_set, trio):
    old, new, _ = trio
    made = await memory_set.correct(old, "superseded", new)
    await memory_set.correct(old, "deprecated", new, penalise=False)
    await memory_set.undo(made.id)
    assert await memory_set.edges() == set()


async def test_an_edge_that_was_removed_since_is_not_missed(memory_set, trio):
    old, new, _ = trio
    made = await memory_set.correct(old, "superseded", new)
    await memory_set.sql("delete from memory_edges where target_id = %s", old)
    await memory_set.undo(made.id)
    assert await memory_set.tier(old) == "normal"


async def test_a_correction_whose_replacement_was_deleted_can_be_undone(memory_set, trio):
    old, new, _ = trio
    before = await memory_set.state(old)
    made = await memory_set.correct(old, "superseded", new)
    await memory_set.sql("delete from memory_items where id = %s", new)
    assert await memory_set.tier(old) == "deprecated"
    await memory_set.undo(made.id)
    assert await memory_set.state(old) == before


async def test_a_text_that_was_saved_again_meanwhile_refuses_the_undoing_and_keeps_all(memory_set, trio):
    old, new, _ = trio
    before = await memory_set.state(old), await memory_set.state(new)
    made = await memory_set.correct(old, "superseded", new)
    corrected = await memory_set.state(old), await memory_set.state(new)
    twin = await memory_set.fact("The office is in Berlin.")
    assert twin != old
    with pytest.raises(Refused) as refused:
        await memory_set.undo(made.id)
    assert refused.value.number == "E084"
    assert str(twin) in refused.value.hint
    assert (await memory_set.state(old), await memory_set.state(new)) == corrected
    assert await memory_set.edges() == {(new, "supersedes", old, "correction")}
    await memory_set.sql("delete from memory_items where id = %s", twin)
    assert not (await memory_set.undo(made.id)).repeated
    assert (await memory_set.state(old), await memory_set.state(new)) == before


async def test_two_undoings_at_once_take_back_once(memory_set, trio):
    old, new, _ = trio
    before = await memory_set.state(old), await memory_set.state(new)
    for _ in range(5):
        made = await memory_set.correct(old, "superseded", new)
        results = await asyncio.gather(*(memory_set.undo(made.id) for _ in range(4)))
        assert sorted(result.repeated for result in results) == [False, True, True, True]
        assert (await memory_set.state(old), await memory_set.state(new)) == before


async def test_the_same_correction_at_once_is_made_once(memory_set, trio):
    old, new, _ = trio
    made = await asyncio.gather(*(memory_set.correct(old, "superseded", new) for _ in range(6)))
    assert len({correction.id for correction in made}) == 1
    assert sorted(correction.repeated for correction in made) == [False, True, True, True, True, True]
    assert (await memory_set.state(old))["confidence"] == 0.25


async def test_memories_that_correct_each_other_at_once_leave_one_of_them(memory_set):
    for nth in range(8):
        one, other = await memory_set.fact(f"It is {nth}."), await memory_set.fact(f"It is not {nth}.")
        results = await asyncio.gather(
            memory_set.correct(one, "superseded", other),
            memory_set.correct(other, "superseded", one),
            return_exceptions=True,
        )
        [refused] = [result for result in results if isinstance(result, BaseException)]
        assert isinstance(refused, Refused)
        assert refused.number == "E030"
        assert sorted([await memory_set.tier(one), await memory_set.tier(other)]) == ["deprecated", "normal"]


async def test_corrections_and_undoings_of_one_memory_at_once_lose_nothing(memory_set, trio):
    old, new, other = trio
    before = [await memory_set.state(memory) for memory in trio]
    for _ in range(3):
        first = await memory_set.correct(old, "superseded", new)
        second, _ = await asyncio.gather(
            memory_set.correct(old, "superseded", other), memory_set.undo(first.id)
        )
        state = await memory_set.state(old)
        assert (state["tier"], state["valid_until"]) == ("deprecated", second.created_at)
        assert state["confidence"] == 0.25
        await memory_set.undo(second.id)
        assert [await memory_set.state(memory) for memory in trio] == before


async def test_a_correction_and_a_deletion_at_once_leave_nothing_half_done(memory_set):
    new = await memory_set.fact("It is so.")
    for nth in range(8):
        old = await memory_set.fact(f"It is {nth}.")
        corrected, deleted = await asyncio.gather(
            memory_set.correct(old, "superseded", new),
            memory_set.sql("delete from memory_items where id = %s", old),
            return_exceptions=True,
        )
        assert deleted == []
        assert not isinstance(corrected, BaseException) or isinstance(corrected, NotFound)
        assert await memory_set.sql("select id from memory_corrections where original_id = %s", old) == []
        assert await memory_set.edges() == set()


async def test_an_undoing_and_a_deletion_at_once_leave_nothing_half_done(memory_set):
    new = await memory_set.fact("It is so.")
    for nth in range(8):
        old = await memory_set.fact(f"It is {nth}.")
        made = await memory_set.correct(old, "superseded", new)
        undone, deleted = await asyncio.gather(
            memory_set.undo(made.id),
            memory_set.sql("delete from memory_items where id = %s", old),
            return_exceptions=True,
        )
        assert deleted == []
        assert not isinstance(undone, BaseException) or isinstance(undone, NotFound)
        assert await memory_set.sql("select id from memory_corrections where original_id = %s", old) == []
