"""Undoing corrections: in any order, once each, and nothing that anybody else did is lost."""

import asyncio
import itertools

import pytest

from frasier.kernel.errors import NotFound, Refused
from frasier.kernel.ids import new_id
from frasier.memory.graph import link_memories
from frasier.memory.learning import WorkOutcome, record_outcome, validate_memory
from frasier.memory.strength import Cause, Operation, Quantity, adjust
from support.learning_shelf import Shelf


@pytest.fixture
def shelf(board):
    return Shelf(db=board)


@pytest.fixture
async def trio(shelf):
    return [await shelf.fact(f"The office is in {city}.") for city in ("Berlin", "Bonn", "Rome")]


async def test_undoing_gives_back_exactly_what_was_there(shelf, trio):
    old, new, _ = trio
    before = await shelf.state(old), await shelf.state(new)
    made = await shelf.correct(old, "superseded", new, outcome=WorkOutcome.REJECTED)
    undone = await shelf.undo(made.id)
    assert (undone.original_id, undone.tier, undone.repeated) == (old, "normal", False)
    assert (await shelf.state(old), await shelf.state(new)) == before
    assert await shelf.edges() == set()


async def test_undoing_again_changes_nothing_and_says_so(shelf, trio):
    old, new, _ = trio
    made = await shelf.correct(old, "superseded", new)
    await shelf.undo(made.id)
    await shelf.correct(old, "deprecated")
    state = await shelf.state(old)
    again = await shelf.undo(made.id)
    assert (again.repeated, again.tier) == (True, "deprecated")
    assert await shelf.state(old) == state


async def test_undoing_what_was_never_made_is_refused(shelf):
    with pytest.raises(NotFound):
        await shelf.undo(new_id())


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
async def test_a_memory_returns_with_the_last_of_its_corrections_whatever_their_order(shelf, trio, order):
    old, new, other = trio
    before = [await shelf.state(memory) for memory in trio]
    made = [
        await shelf.correct(old, "superseded", new),
        await shelf.correct(old, "deprecated"),
        await shelf.correct(old, "superseded", other),
    ]
    moments = {0: made[0].created_at, 2: made[2].created_at}
    for nth, index in enumerate(order):
        await shelf.undo(made[index].id)
        moments.pop(index, None)
        state = await shelf.state(old)
        assert state["tier"] == ("normal" if nth == 2 else "deprecated")
        assert state["valid_until"] == min(moments.values(), default=None)
    assert [await shelf.state(memory) for memory in trio] == before
    assert await shelf.edges() == set()


async def test_what_happened_in_between_is_kept(shelf, trio):
    old, new, _ = trio
    made = await shelf.correct(old, "superseded", new)
    async with shelf.db.transaction() as tx:
        await validate_memory(tx, shelf.agent, old, useful=True)
        await record_outcome(tx, shelf.agent, [new], WorkOutcome.ACCEPTED)
        await adjust(
            tx, new, cause=Cause.REVIEW, quantity=Quantity.STABILITY, operation=Operation.MULTIPLY, amount=2
        )
    await shelf.undo(made.id)
    fresh = await shelf.state(trio[2])
    after_old, after_new = await shelf.state(old), await shelf.state(new)
    assert after_old["confidence"] == pytest.approx(0.6)
    assert after_old["validations"] == 1
    assert after_new["confidence"] == pytest.approx(0.525)
    assert after_new["stability"] == pytest.approx(fresh["stability"] * 2)


@pytest.mark.parametrize("kept", [None, "1 day"])
async def test_a_tier_and_a_validity_that_somebody_set_since_stay(shelf, trio, kept):
    """Neither what came before them nor what came after gives back anything else."""
    old, new, other = trio
    first = await shelf.correct(old, "superseded", new)
    await shelf.sql(
        "update memory_items set tier = 'important', valid_until = now() + %s::interval where id = %s",
        kept,
        old,
    )
    chosen = (await shelf.state(old))["valid_until"]
    second = await shelf.correct(old, "superseded", other)
    assert await shelf.tier(old) == "deprecated"
    await shelf.undo(second.id)
    after = await shelf.state(old)
    assert (after["tier"], after["valid_until"]) == ("important", chosen)
    third = await shelf.correct(old, "superseded", other)
    await shelf.undo(first.id)
    assert await shelf.tier(old) == "deprecated"
    await shelf.undo(third.id)
    after = await shelf.state(old)
    assert (after["tier"], after["valid_until"]) == ("important", chosen)


async def test_a_memory_that_was_deprecated_before_stays_so(shelf, trio):
    old, new, _ = trio
    await shelf.sql("update memory_items set tier = 'deprecated' where id = %s", old)
    made = await shelf.correct(old, "superseded", new)
    await shelf.undo(made.id)
    assert await shelf.tier(old) == "deprecated"


async def test_fault_34_undoing_keeps_an_edge_that_was_there_before(shelf, trio):
    old, new, _ = trio
    async with shelf.db.transaction() as tx:
        await link_memories(tx, shelf.agent, new, old, "supersedes", evidence="seen on the letterhead")
    made = await shelf.correct(old, "superseded", new)
    await shelf.undo(made.id)
    assert await shelf.edges() == {(new, "supersedes", old, "manual")}


async def test_fault_34_undoing_keeps_an_edge_that_somebody_made_their_own_since(shelf, trio):
    old, new, _ = trio
    made = await shelf.correct(old, "superseded", new)
    async with shelf.db.transaction() as tx:
        await link_memories(tx, shelf.agent, new, old, "supersedes")
    await shelf.undo(made.id)
    assert await shelf.edges() == {(new, "supersedes", old, "manual")}


@pytest.mark.parametrize("first", [0, 1])
async def test_fault_34_an_edge_stays_as_long_as_one_of_two_corrections_needs_it(shelf, trio, first):
    old, new, _ = trio
    made = [
        await shelf.correct(old, "superseded", new, reason="they moved"),
        await shelf.correct(old, "deprecated", new, reason="it closed"),
    ]
    await shelf.undo(made.pop(first).id)
    [edge] = await shelf.sql("select relation, evidence from memory_edges where target_id = %s", old)
    assert edge == {"relation": "supersedes", "evidence": made[0].reason}
    await shelf.undo(made[0].id)
    assert await shelf.edges() == set()


async def test_fault_34_a_correction_that_only_stands_in_the_record_needs_no_edge(shelf, trio):
    old, new, _ = trio
    made = await shelf.correct(old, "superseded", new)
    await shelf.correct(old, "deprecated", new, penalise=False)
    await shelf.undo(made.id)
    assert await shelf.edges() == set()


async def test_an_edge_that_was_removed_since_is_not_missed(shelf, trio):
    old, new, _ = trio
    made = await shelf.correct(old, "superseded", new)
    await shelf.sql("delete from memory_edges where target_id = %s", old)
    await shelf.undo(made.id)
    assert await shelf.tier(old) == "normal"


async def test_a_correction_whose_replacement_was_deleted_can_be_undone(shelf, trio):
    old, new, _ = trio
    before = await shelf.state(old)
    made = await shelf.correct(old, "superseded", new)
    await shelf.sql("delete from memory_items where id = %s", new)
    assert await shelf.tier(old) == "deprecated"
    await shelf.undo(made.id)
    assert await shelf.state(old) == before


async def test_a_text_that_was_saved_again_meanwhile_refuses_the_undoing_and_keeps_all(shelf, trio):
    old, new, _ = trio
    before = await shelf.state(old), await shelf.state(new)
    made = await shelf.correct(old, "superseded", new)
    corrected = await shelf.state(old), await shelf.state(new)
    twin = await shelf.fact("The office is in Berlin.")
    assert twin != old
    with pytest.raises(Refused) as refused:
        await shelf.undo(made.id)
    assert refused.value.number == "E084"
    assert str(twin) in refused.value.hint
    assert (await shelf.state(old), await shelf.state(new)) == corrected
    assert await shelf.edges() == {(new, "supersedes", old, "correction")}
    await shelf.sql("delete from memory_items where id = %s", twin)
    assert not (await shelf.undo(made.id)).repeated
    assert (await shelf.state(old), await shelf.state(new)) == before


async def test_two_undoings_at_once_take_back_once(shelf, trio):
    old, new, _ = trio
    before = await shelf.state(old), await shelf.state(new)
    for _ in range(5):
        made = await shelf.correct(old, "superseded", new)
        results = await asyncio.gather(*(shelf.undo(made.id) for _ in range(4)))
        assert sorted(result.repeated for result in results) == [False, True, True, True]
        assert (await shelf.state(old), await shelf.state(new)) == before


async def test_the_same_correction_at_once_is_made_once(shelf, trio):
    old, new, _ = trio
    made = await asyncio.gather(*(shelf.correct(old, "superseded", new) for _ in range(6)))
    assert len({correction.id for correction in made}) == 1
    assert sorted(correction.repeated for correction in made) == [False, True, True, True, True, True]
    assert (await shelf.state(old))["confidence"] == 0.25


async def test_memories_that_correct_each_other_at_once_leave_one_of_them(shelf):
    for nth in range(8):
        one, other = await shelf.fact(f"It is {nth}."), await shelf.fact(f"It is not {nth}.")
        results = await asyncio.gather(
            shelf.correct(one, "superseded", other),
            shelf.correct(other, "superseded", one),
            return_exceptions=True,
        )
        [refused] = [result for result in results if isinstance(result, BaseException)]
        assert isinstance(refused, Refused)
        assert refused.number == "E030"
        assert sorted([await shelf.tier(one), await shelf.tier(other)]) == ["deprecated", "normal"]


async def test_corrections_and_undoings_of_one_memory_at_once_lose_nothing(shelf, trio):
    old, new, other = trio
    before = [await shelf.state(memory) for memory in trio]
    for _ in range(3):
        first = await shelf.correct(old, "superseded", new)
        second, _ = await asyncio.gather(shelf.correct(old, "superseded", other), shelf.undo(first.id))
        state = await shelf.state(old)
        assert (state["tier"], state["valid_until"]) == ("deprecated", second.created_at)
        assert state["confidence"] == 0.25
        await shelf.undo(second.id)
        assert [await shelf.state(memory) for memory in trio] == before


async def test_a_correction_and_a_deletion_at_once_leave_nothing_half_done(shelf):
    new = await shelf.fact("It is so.")
    for nth in range(8):
        old = await shelf.fact(f"It is {nth}.")
        corrected, deleted = await asyncio.gather(
            shelf.correct(old, "superseded", new),
            shelf.sql("delete from memory_items where id = %s", old),
            return_exceptions=True,
        )
        assert deleted == []
        assert not isinstance(corrected, BaseException) or isinstance(corrected, NotFound)
        assert await shelf.sql("select id from memory_corrections where original_id = %s", old) == []
        assert await shelf.edges() == set()


async def test_an_undoing_and_a_deletion_at_once_leave_nothing_half_done(shelf):
    new = await shelf.fact("It is so.")
    for nth in range(8):
        old = await shelf.fact(f"It is {nth}.")
        made = await shelf.correct(old, "superseded", new)
        undone, deleted = await asyncio.gather(
            shelf.undo(made.id),
            shelf.sql("delete from memory_items where id = %s", old),
            return_exceptions=True,
        )
        assert deleted == []
        assert not isinstance(undone, BaseException) or isinstance(undone, NotFound)
        assert await shelf.sql("select id from memory_corrections where original_id = %s", old) == []
