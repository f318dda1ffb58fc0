"""Corrections: what was wrong fades and is no longer found, what is right gains, and each can be undone."""

import pytest

from frasier.kernel.errors import InvalidInput, NotAllowed, NotFound, Refused
from frasier.kernel.ids import new_id
from frasier.memory import ImportanceTier, MemoryKind, agent_scope
from frasier.memory.access import Caller
from frasier.memory.cache_invalidation import unchanged_since
from frasier.memory.learning import (
    CorrectionType,
    WorkOutcome,
    correct_memory,
    correction_stats,
    corrections_of,
)
from frasier.memory.types import MemoryType
from support.learning_shelf import Shelf
from support.seeing import snapshot


@pytest.fixture
def shelf(board):
    return Shelf(db=board)


@pytest.fixture
async def pair(shelf):
    """What was believed, and what is true."""
    return await shelf.fact("The office is in Berlin."), await shelf.fact("The office is in Bonn.")


async def number_of(call) -> str:
    with pytest.raises(Refused) as refused:
        await call
    assert refused.value.hint or refused.value.advice or refused.value.facts
    return refused.value.number


async def test_a_superseded_memory_fades_and_its_replacement_gains(shelf, pair):
    old, new = pair
    before_old, before_new = await shelf.state(old), await shelf.state(new)
    made = await shelf.correct(old, "superseded", new, reason="they moved", pattern="offices move")
    after_old, after_new = await shelf.state(old), await shelf.state(new)
    assert after_old["stability"] == pytest.approx(before_old["stability"] * 0.5)
    assert after_old["confidence"] == pytest.approx(before_old["confidence"] * 0.5)
    assert after_new["stability"] == pytest.approx(before_new["stability"] * 1.2)
    assert after_new["confidence"] == before_new["confidence"]
    assert (after_old["tier"], after_new["tier"]) == ("deprecated", "normal")
    assert after_old["valid_until"] == made.created_at
    assert after_new["valid_until"] is None
    assert await shelf.edges() == {(new, "supersedes", old, "correction")}
    assert (made.reason, made.pattern, made.corrected_by) == ("they moved", "offices move", "agent")
    assert (made.applied, made.repeated, made.undone_at) == (True, False, None)


async def test_a_superseded_memory_is_no_longer_found_until_that_is_undone(shelf, pair):
    old, new = pair
    assert await shelf.found("office") == {old, new}
    made = await shelf.correct(old, "superseded", new)
    assert await shelf.found("office") == {new}
    await shelf.undo(made.id)
    assert await shelf.found("office") == {old, new}


@pytest.mark.parametrize("kind", ["refined", "merged"])
async def test_a_refined_memory_stays_found_and_the_new_one_derives_from_it(shelf, pair, kind):
    old, new = pair
    before = await shelf.state(old)
    await shelf.correct(old, kind, new)
    after = await shelf.state(old)
    assert after["stability"] == pytest.approx(before["stability"] * 0.5)
    assert (after["tier"], after["valid_until"]) == ("normal", None)
    assert await shelf.edges() == {(new, "derived_from", old, "correction")}
    assert await shelf.found("office") == {old, new}


async def test_a_memory_can_be_deprecated_without_a_replacement(shelf, pair):
    old, new = pair
    await shelf.correct(old, "deprecated")
    assert await shelf.tier(old) == "deprecated"
    assert (await shelf.state(old))["valid_until"] is None
    assert await shelf.edges() == set()
    assert await shelf.found("office") == {new}


async def test_an_episode_that_is_superseded_stays_true_of_its_moment(shelf):
    old, new = await shelf.add("It rained."), await shelf.add("It snowed.")
    await shelf.correct(old, "superseded", new)
    assert (await shelf.state(old))["valid_until"] is None


async def test_a_fact_whose_end_was_known_keeps_that_end(shelf, pair):
    _, new = pair
    [row] = await shelf.sql("select now() + interval '1 year' as later")
    old = await shelf.fact("The lease runs for a year.", valid_until=row["later"])
    made = await shelf.correct(old, "superseded", new)
    assert (await shelf.state(old))["valid_until"] == row["later"]
    await shelf.undo(made.id)
    assert (await shelf.state(old))["valid_until"] == row["later"]


async def test_a_fact_that_would_have_begun_later_never_holds(shelf, pair):
    _, new = pair
    [row] = await shelf.sql("select now() + interval '1 year' as later")
    old = await shelf.fact("They move to Rome next year.", valid_from=row["later"])
    made = await shelf.correct(old, "superseded", new)
    assert (await shelf.state(old))["valid_until"] == row["later"]
    await shelf.undo(made.id)
    assert (await shelf.state(old))["valid_until"] is None


@pytest.mark.parametrize(("outcome", "factor"), [("accepted", 1.05), ("modified", 0.95), ("rejected", 0.8)])
async def test_an_outcome_weighs_the_confidence_further_and_is_undone_with_the_correction(
    shelf, pair, outcome, factor
):
    old, new = pair
    made = await shelf.correct(old, "refined", new, outcome=WorkOutcome(outcome))
    assert (await shelf.state(old))["confidence"] == pytest.approx(0.5 * 0.5 * factor)
    await shelf.undo(made.id)
    assert (await shelf.state(old))["confidence"] == 0.5


async def test_a_new_replacement_is_saved_with_the_correction(shelf, pair):
    old, _ = pair
    made = await shelf.correct(old, "superseded", shelf.new("The office is in Rome."))
    assert made.replacement_id in await shelf.found("Rome")
    assert (made.replacement_id, "supersedes", old, "correction") in await shelf.edges()


async def test_the_same_correction_again_changes_nothing_and_says_so(shelf, pair):
    old, new = pair
    first = await shelf.correct(old, "superseded", new)
    state = await shelf.state(old), await shelf.state(new)
    again = await shelf.correct(old, "superseded", new, reason="said again")
    assert again.id == first.id
    assert (again.repeated, again.reason) == (True, "it was wrong")
    assert (await shelf.state(old), await shelf.state(new)) == state
    await shelf.undo(first.id)
    third = await shelf.correct(old, "superseded", new)
    assert third.id != first.id
    assert not third.repeated


async def test_fault_44_with_the_flag_off_a_correction_is_recorded_and_changes_nothing(shelf, pair):
    old, new = pair
    before = await shelf.state(old), await shelf.state(new)
    made = await shelf.correct(old, "superseded", new, outcome=WorkOutcome.REJECTED, penalise=False)
    assert (await shelf.state(old), await shelf.state(new)) == before
    assert await shelf.edges() == set()
    assert await shelf.found("office") == {old, new}
    assert not made.applied
    async with shelf.db.transaction() as tx:
        [listed] = await corrections_of(tx, shelf.agent, old)
    assert listed == made
    undone = await shelf.undo(made.id)
    assert not undone.repeated
    assert (await shelf.state(old), await shelf.state(new)) == before


@pytest.mark.parametrize("tier", ["constitutional", "critical"])
async def test_what_binds_everybody_is_corrected_by_the_founder_only_and_in_the_record_only(
    shelf, pair, tier
):
    _, new = pair
    rule = await shelf.add("Never publish on Fridays.", tier=ImportanceTier(tier))
    before = await shelf.state(rule), await shelf.state(new)
    with pytest.raises(NotAllowed):
        await shelf.correct(rule, "superseded", new)
    made = await shelf.correct(rule, "superseded", new, caller=shelf.founder)
    assert not made.applied
    assert (await shelf.state(rule), await shelf.state(new)) == before
    assert await shelf.edges() == set()
    with pytest.raises(NotAllowed):
        await shelf.undo(made.id)
    assert not (await shelf.undo(made.id, shelf.founder)).repeated


async def test_a_directive_is_corrected_in_the_record_only(shelf, pair):
    directive = await shelf.add(
        "Write in English.", kind=MemoryKind.DIRECTIVE, tier=ImportanceTier.CONSTITUTIONAL
    )
    with pytest.raises(NotAllowed):
        await shelf.correct(directive, "deprecated")
    await shelf.correct(directive, "deprecated", caller=shelf.founder)
    assert await shelf.tier(directive) == "constitutional"


async def test_a_replacement_that_binds_everybody_gains_nothing(shelf, pair):
    old, _ = pair
    rule = await shelf.fact("The office is in Bonn, for good.", tier=ImportanceTier.CRITICAL)
    before = await shelf.state(rule)
    await shelf.correct(old, "superseded", rule)
    assert await shelf.state(rule) == before


async def test_refusals_name_the_rule_and_change_nothing(shelf, pair):
    old, new = pair
    gone = await shelf.fact("The office is in Kiel.")
    await shelf.correct(gone, "deprecated")
    before = [await shelf.state(memory) for memory in (old, new, gone)]
    text = shelf.new("The office is in Rome.")
    assert await number_of(shelf.correct(old, "superseded")) == "E031"
    assert await number_of(shelf.correct(old, "refined")) == "E031"
    assert await number_of(shelf.correct(old, "superseded", new, reason=" ")) == "E031"
    assert await number_of(shelf.correct(old, "superseded", new, reason="x" * 2001)) == "E032"
    assert await number_of(shelf.correct(old, "superseded", text, replacement_id=new)) == "E030"
    assert await number_of(shelf.correct(old, "superseded", gone)) == "E030"
    assert await number_of(shelf.correct(old, "superseded", old)) == "E103"
    assert await number_of(shelf.correct(old, "superseded", new_id())) == "E080"
    assert await number_of(shelf.correct(new_id(), "superseded", new)) == "E080"
    assert [await shelf.state(memory) for memory in (old, new, gone)] == before
    assert await shelf.edges() == set()


async def test_a_replacement_that_says_what_the_original_says_is_the_original(shelf, pair):
    old, _ = pair
    same = shelf.new("The office is in Berlin.", memory_type=MemoryType.SEMANTIC)
    assert await number_of(shelf.correct(old, "superseded", same)) == "E103"


async def test_two_memories_cannot_each_be_made_from_the_other(shelf, pair):
    old, new = pair
    made = await shelf.correct(old, "refined", new)
    assert await number_of(shelf.correct(new, "refined", old)) == "E101"
    await shelf.undo(made.id)
    await shelf.correct(new, "refined", old)
    assert await shelf.edges() == {(old, "derived_from", new, "correction")}


async def test_a_refused_correction_leaves_no_replacement_behind_even_where_the_caller_goes_on(shelf):
    rule = await shelf.add("Never publish on Fridays.", tier=ImportanceTier.CRITICAL)
    async with shelf.db.transaction() as tx:
        with pytest.raises(NotAllowed):
            await correct_memory(
                tx,
                shelf.agent,
                rule,
                CorrectionType.SUPERSEDED,
                replacement=shelf.new("Always publish on Fridays."),
                reason="I want to",
            )
    assert await shelf.found("always publish") == {rule}


async def test_memories_of_a_foreign_scope_are_not_there(shelf, board, pair):
    old, new = pair
    other = Shelf(db=board)
    theirs = await other.fact("The office is in Rome.")
    assert await number_of(other.correct(old, "superseded", theirs)) == "E080"
    assert await number_of(other.correct(theirs, "superseded", old)) == "E080"
    with pytest.raises(NotAllowed):
        await other.correct(theirs, "superseded", shelf.new("The office is in Oslo."))
    made = await shelf.correct(old, "superseded", new)
    with pytest.raises(NotFound):
        await other.undo(made.id)
    async with board.transaction() as tx:
        with pytest.raises(NotFound):
            await corrections_of(tx, other.agent, old)
        assert await corrections_of(tx, other.agent) == []
        assert (await correction_stats(tx, other.agent)).total == 0
    assert (await other.state(theirs))["tier"] == "normal"


async def test_a_replacement_in_a_scope_that_the_reader_does_not_see_is_not_named(shelf, board, pair):
    old, _ = pair
    wide = Caller(name="wide", scopes=(shelf.scope, agent_scope(new_id())))
    theirs = await Shelf(db=board, scope=wide.scopes[1]).fact("The office is in Rome.")
    made = await shelf.correct(old, "superseded", theirs, caller=wide)
    assert made.replacement_id == theirs
    async with board.transaction() as tx:
        [seen] = await corrections_of(tx, shelf.agent, old)
    assert (seen.id, seen.replacement_id) == (made.id, None)
    await shelf.undo(made.id)
    assert await shelf.tier(old) == "normal"


async def test_a_correction_and_its_undoing_outdate_cached_answers(shelf, pair):
    old, new = pair

    async def moment() -> str:
        async with shelf.db.transaction() as tx:
            return await snapshot(tx)

    async def current(seen: str) -> bool:
        async with shelf.db.transaction() as tx:
            return await unchanged_since(tx, [shelf.scope], seen)

    seen = await moment()
    assert await current(seen)
    made = await shelf.correct(old, "superseded", new)
    assert not await current(seen)
    seen = await moment()
    await shelf.undo(made.id)
    assert not await current(seen)
    seen = await moment()
    await shelf.correct(old, "superseded", new, penalise=False)
    assert await current(seen)


async def test_the_history_lists_both_sides_and_counts_by_type(shelf, pair):
    old, new = pair
    other = await shelf.fact("The office has a garden.")
    first = await shelf.correct(old, "superseded", new)
    second = await shelf.correct(new, "refined", other)
    third = await shelf.correct(other, "deprecated")
    await shelf.undo(third.id)
    await shelf.sql(
        "update memory_corrections set created_at = created_at - interval '8 days' where id = %s", first.id
    )
    async with shelf.db.transaction() as tx:
        everything = await corrections_of(tx, shelf.agent)
        of_new = await corrections_of(tx, shelf.agent, new)
        latest = await corrections_of(tx, shelf.agent, limit=1)
        stats = await correction_stats(tx, shelf.agent)
        with pytest.raises(InvalidInput):
            await corrections_of(tx, shelf.agent, limit=0)
    assert [made.id for made in everything] == [third.id, second.id, first.id]
    assert [made.id for made in of_new] == [second.id, first.id]
    assert latest == everything[:1]
    assert everything[0].undone_at is not None
    assert (stats.total, stats.undone, stats.recent) == (3, 1, 2)
    assert stats.by_type == {"superseded": 1, "deprecated": 1, "refined": 1, "merged": 0}
