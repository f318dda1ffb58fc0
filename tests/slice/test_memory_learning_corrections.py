"""Corrections: what was wrong fades and is no longer found, what is right gains, and each can be undone."""

import pytest

from frasier.kernel.errors import InvalidInput, NotAllowed, NotFound, Refused
from frasier.kernel.ids import new_id
from frasier.memory import ImportanceTier, MemoryKind, agent_scope
from frasier.memory.access import Caller
from frasier.memory.cache_invalidation import unchanged_since
from frasier.memory.learning.corrections import correct_memory
from frasier.memory.learning.history import correction_stats, corrections_of
from frasier.memory.learning.types import CorrectionType, WorkOutcome
from frasier.memory.types import MemoryType
from support.memory_set import MemorySet
from support.recall_snapshot import snapshot


@pytest.fixture
async def pair(memory_set):
    """What was believed, and what is true."""
    return await memory_set.fact("The office is in Berlin."), await memory_set.fact("The office is in Bonn.")


async def number_of(call) -> str:
    with pytest.raises(Refused) as refused:
        await call
    assert refused.value.hint or refused.value.advice or refused.value.facts
    return refused.value.number


async def test_a_superseded_memory_fades_and_its_replacement_gains(memory_set, pair):
    old, new = pair
    before_old, before_new = await memory_set.state(old), await memory_set.state(new)
    made = await memory_set.correct(old, "superseded", new, reason="they moved", pattern="offices move")
    after_old, after_new = await memory_set.state(old), await memory_set.state(new)
    assert after_old["stability"] == pytest.approx(before_old["stability"] * 0.5)
    assert after_old["confidence"] == pytest.approx(before_old["confidence"] * 0.5)
    assert after_new["stability"] == pytest.approx(before_new["stability"] * 1.2)
    assert after_new["confidence"] == before_new["confidence"]
    assert (after_old["tier"], after_new["tier"]) == ("deprecated", "normal")
    assert after_old["valid_until"] == made.created_at
    assert after_new["valid_until"] is None
    assert await memory_set.edges() == {(new, "supersedes", old, "correction")}
    assert (made.reason, made.pattern, made.corrected_by) == ("they moved", "offices move", "agent")
    assert (made.applied, made.repeated, made.undone_at) == (True, False, None)


async def test_a_superseded_memory_is_no_longer_found_until_that_is_undone(memory_set, pair):
    old, new = pair
    assert await memory_set.found("office") == {old, new}
    made = await memory_set.correct(old, "superseded", new)
    assert await memory_set.found("office") == {new}
    await memory_set.undo(made.id)
    assert await memory_set.found("office") == {old, new}


@pytest.mark.parametrize("kind", ["refined", "merged"])
async def test_a_refined_memory_stays_found_and_the_new_one_derives_from_it(memory_set, pair, kind):
    old, new = pair
    before = await memory_set.state(old)
    await memory_set.correct(old, kind, new)
    after = await memory_set.state(old)
    assert after["stability"] == pytest.approx(before["stability"] * 0.5)
    assert (after["tier"], after["valid_until"]) == ("normal", None)
    assert await memory_set.edges() == {(new, "derived_from", old, "correction")}
    assert await memory_set.found("office") == {old, new}


async def test_a_memory_can_be_deprecated_without_a_replacement(memory_set, pair):
    old, new = pair
    await memory_set.correct(old, "deprecated")
    assert await memory_set.tier(old) == "deprecated"
    assert (await memory_set.state(old))["valid_until"] is None
    assert await memory_set.edges() == set()
    assert await memory_set.found("office") == {new}


async def test_an_episode_that_is_superseded_stays_true_of_its_moment(memory_set):
    old, new = await memory_set.add("It rained."), await memory_set.add("It snowed.")
    await memory_set.correct(old, "superseded", new)
    assert (await memory_set.state(old))["valid_until"] is None


async def test_a_fact_whose_end_was_known_keeps_that_end(memory_set, pair):
    _, new = pair
    [row] = await memory_set.sql("select now() + interval '1 year' as later")
    old = await memory_set.fact("The lease runs for a year.", valid_until=row["later"])
    made = await memory_set.correct(old, "superseded", new)
    assert (await memory_set.state(old))["valid_until"] == row["later"]
    await memory_set.undo(made.id)
    assert (await memory_set.state(old))["valid_until"] == row["later"]


async def test_a_fact_that_would_have_begun_later_never_holds(memory_set, pair):
    _, new = pair
    [row] = await memory_set.sql("select now() + interval '1 year' as later")
    old = await memory_set.fact("They move to Rome next year.", valid_from=row["later"])
    made = await memory_set.correct(old, "superseded", new)
    assert (await memory_set.state(old))["valid_until"] == row["later"]
    await memory_set.undo(made.id)
    assert (await memory_set.state(old))["valid_until"] is None


@pytest.mark.parametrize(("outcome", "factor"), [("accepted", 1.05), ("modified", 0.95), ("rejected", 0.8)])
async def test_an_outcome_weighs_the_confidence_further_and_is_undone_with_the_correction(
    memory_set, pair, outcome, factor
):
    old, new = pair
    made = await memory_set.correct(old, "refined", new, outcome=WorkOutcome(outcome))
    assert (await memory_set.state(old))["confidence"] == pytest.approx(0.5 * 0.5 * factor)
    await memory_set.undo(made.id)
    assert (await memory_set.state(old))["confidence"] == 0.5


async def test_a_new_replacement_is_saved_with_the_correction(memory_set, pair):
    old, _ = pair
    made = await memory_set.correct(old, "superseded", memory_set.new("The office is in Rome."))
    assert made.replacement_id in await memory_set.found("Rome")
    assert (made.replacement_id, "supersedes", old, "correction") in await memory_set.edges()


async def test_the_same_correction_again_changes_nothing_and_says_so(memory_set, pair):
    old, new = pair
    first = await memory_set.correct(old, "superseded", new)
    state = await memory_set.state(old), await memory_set.state(new)
    again = await memory_set.correct(old, "superseded", new, reason="said again")
    assert again.id == first.id
    assert (again.repeated, again.reason) == (True, "it was wrong")
    assert (await memory_set.state(old), await memory_set.state(new)) == state
    await memory_set.undo(first.id)
    third = await memory_set.correct(old, "superseded", new)
    assert third.id != first.id
    assert not third.repeated


async def test_fault_44_with_the_flag_off_a_correction_is_recorded_and_changes_nothing(memory_set, pair):
    old, new = pair
    before = await memory_set.state(old), await memory_set.state(new)
    made = await memory_set.correct(old, "superseded", new, outcome=WorkOutcome.REJECTED, penalise=False)
    assert (await memory_set.state(old), await memory_set.state(new)) == before
    assert await memory_set.edges() == set()
    assert await memory_set.found("office") == {old, new}
    assert not made.applied
    async with memory_set.db.transaction() as tx:
        [listed] = await corrections_of(tx, memory_set.agent, old)
    assert listed == made
    undone = await memory_set.undo(made.id)
    assert not undone.repeated
    assert (await memory_set.state(old), await memory_set.state(new)) == before


@pytest.mark.parametrize("tier", ["constitutional", "critical"])
async def test_what_binds_everybody_is_corrected_by_the_founder_only_and_in_the_record_only(
    memory_set, pair, tier
):
    _, new = pair
    rule = await memory_set.add("Never publish on Fridays.", tier=ImportanceTier(tier))
    before = await memory_set.state(rule), await memory_set.state(new)
    with pytest.raises(NotAllowed):
        await memory_set.correct(rule, "superseded", new)
    made = await memory_set.correct(rule, "superseded", new, caller=memory_set.founder)
    assert not made.applied
    assert (await memory_set.state(rule), await memory_set.state(new)) == before
    assert await memory_set.edges() == set()
    with pytest.raises(NotAllowed):
        await memory_set.undo(made.id)
    assert not (await memory_set.undo(made.id, memory_set.founder)).repeated


async def test_a_directive_is_corrected_in_the_record_only(memory_set, pair):
    directive = await memory_set.add(
        "Write in English.", kind=MemoryKind.DIRECTIVE, tier=ImportanceTier.CONSTITUTIONAL
    )
    with pytest.raises(NotAllowed):
        await memory_set.correct(directive, "deprecated")
    await memory_set.correct(directive, "deprecated", caller=memory_set.founder)
    assert await memory_set.tier(directive) == "constitutional"


async def test_a_replacement_that_binds_everybody_gains_nothing(memory_set, pair):
    old, _ = pair
    rule = await memory_set.fact("The office is in Bonn, for good.", tier=ImportanceTier.CRITICAL)
    before = await memory_set.state(rule)
    await memory_set.correct(old, "superseded", rule)
    assert await memory_set.state(rule) == before


async def test_refusals_name_the_rule_and_change_nothing(memory_set, pair):
    old, new = pair
    gone = await memory_set.fact("The office is in Kiel.")
    await memory_set.correct(gone, "deprecated")
    before = [await memory_set.state(memory) for memory in (old, new, gone)]
    text = memory_set.new("The office is in Rome.")
    assert await number_of(memory_set.correct(old, "superseded")) == "E031"
    assert await number_of(memory_set.correct(old, "refined")) == "E031"
    assert await number_of(memory_set.correct(old, "superseded", new, reason=" ")) == "E031"
    assert await number_of(memory_set.correct(old, "superseded", new, reason="x" * 2001)) == "E032"
    assert await number_of(memory_set.correct(old, "superseded", text, replacement_id=new)) == "E030"
    assert await number_of(memory_set.correct(old, "superseded", gone)) == "E030"
    assert await number_of(memory_set.correct(old, "superseded", old)) == "E103"
    assert await number_of(memory_set.correct(old, "superseded", new_id())) == "E080"
    assert await number_of(memory_set.correct(new_id(), "superseded", new)) == "E080"
    assert [await memory_set.state(memory) for memory in (old, new, gone)] == before
    assert await memory_set.edges() == set()


async def test_a_replacement_that_says_what_the_original_says_is_the_original(memory_set, pair):
    old, _ = pair
    same = memory_set.new("The office is in Berlin.", memory_type=MemoryType.SEMANTIC)
    assert await number_of(memory_set.correct(old, "superseded", same)) == "E103"


async def test_two_memories_cannot_each_be_made_from_the_other(memory_set, pair):
    old, new = pair
    made = await memory_set.correct(old, "refined", new)
    assert await number_of(memory_set.correct(new, "refined", old)) == "E101"
    await memory_set.undo(made.id)
    await memory_set.correct(new, "refined", old)
    assert await memory_set.edges() == {(old, "derived_from", new, "correction")}


async def test_a_refused_correction_leaves_no_replacement_behind_even_where_the_caller_goes_on(memory_set):
    rule = await memory_set.add("Never publish on Fridays.", tier=ImportanceTier.CRITICAL)
    async with memory_set.db.transaction() as tx:
        with pytest.raises(NotAllowed):
            await correct_memory(
                tx,
                memory_set.agent,
                rule,
                CorrectionType.SUPERSEDED,
                replacement=memory_set.new("Always publish on Fridays."),
                reason="I want to",
            )
    assert await memory_set.found("always publish") == {rule}


async def test_memories_of_a_foreign_scope_are_not_there(memory_set, board, pair):
    old, new = pair
    other = MemorySet(db=board)
    theirs = await other.fact("The office is in Rome.")
    assert await number_of(other.correct(old, "superseded", theirs)) == "E080"
    assert await number_of(other.correct(theirs, "superseded", old)) == "E080"
    with pytest.raises(NotAllowed):
        await other.correct(theirs, "superseded", memory_set.new("The office is in Oslo."))
    made = await memory_set.correct(old, "superseded", new)
    with pytest.raises(NotFound):
        await other.undo(made.id)
    async with board.transaction() as tx:
        with pytest.raises(NotFound):
            await corrections_of(tx, other.agent, old)
        assert await corrections_of(tx, other.agent) == []
        assert (await correction_stats(tx, other.agent)).total == 0
    assert (await other.state(theirs))["tier"] == "normal"


async def test_a_replacement_in_a_scope_that_the_reader_does_not_see_is_not_named(memory_set, board, pair):
    old, _ = pair
    wide = Caller(name="wide", scopes=(memory_set.scope, agent_scope(new_id())))
    theirs = await MemorySet(db=board, scope=wide.scopes[1]).fact("The office is in Rome.")
    made = await memory_set.correct(old, "superseded", theirs, caller=wide)
    assert made.replacement_id == theirs
    async with board.transaction() as tx:
        [seen] = await corrections_of(tx, memory_set.agent, old)
    assert (seen.id, seen.replacement_id) == (made.id, None)
    await memory_set.undo(made.id)
    assert await memory_set.tier(old) == "normal"


async def test_a_correction_and_its_undoing_outdate_cached_answers(memory_set, pair):
    old, new = pair

    async def moment() -> str:
        async with memory_set.db.transaction() as tx:
            return await snapshot(tx)

    async def current(seen: str) -> bool:
        async with memory_set.db.transaction() as tx:
            return await unchanged_since(tx, [memory_set.scope], seen)

    seen = await moment()
    assert await current(seen)
    made = await memory_set.correct(old, "superseded", new)
    assert not await current(seen)
    seen = await moment()
    await memory_set.undo(made.id)
    assert not await current(seen)
    seen = await moment()
    await memory_set.correct(old, "superseded", new, penalise=False)
    assert await current(seen)


async def test_the_history_lists_both_sides_and_counts_by_type(memory_set, pair):
    old, new = pair
    other = await memory_set.fact("The office has a garden.")
    first = await memory_set.correct(old, "superseded", new)
    second = await memory_set.correct(new, "refined", other)
    third = await memory_set.correct(other, "deprecated")
    await memory_set.undo(third.id)
    await memory_set.sql(
        "update memory_corrections set created_at = created_at - interval '8 days' where id = %s", first.id
    )
    async with memory_set.db.transaction() as tx:
        everything = await corrections_of(tx, memory_set.agent)
        of_new = await corrections_of(tx, memory_set.agent, new)
        latest = await corrections_of(tx, memory_set.agent, limit=1)
        stats = await correction_stats(tx, memory_set.agent)
        with pytest.raises(InvalidInput):
            await corrections_of(tx, memory_set.agent, limit=0)
    assert [made.id for made in everything] == [third.id, second.id, first.id]
    assert [made.id for made in of_new] == [second.id, first.id]
    assert latest == everything[:1]
    assert everything[0].undone_at is not None
    assert (stats.total, stats.undone, stats.recent) == (3, 1, 2)
    assert stats.by_type == {"superseded": 1, "deprecated": 1, "refined": 1, "merged": 0}
