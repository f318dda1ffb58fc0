"""Outcomes and validations move confidence; the founder alone makes critical what has proven itself."""

import asyncio

import pytest

from frasier.kernel.errors import InvalidInput, NotAllowed, NotFound
from frasier.kernel.ids import new_id
from frasier.memory import ImportanceTier, save_memory
from frasier.memory.cache_invalidation import unchanged_since
from frasier.memory.learning.types import WorkOutcome
from frasier.memory.learning.work_outcomes import promotable, promote_memory, record_outcome, validate_memory
from support.memory_set import MemorySet
from support.recall_snapshot import snapshot


async def vote(memory_set, memory, *votes, caller=None):
    """Votes one after another; the last answer."""
    for useful in votes:
        async with memory_set.db.transaction() as tx:
            answer = await validate_memory(tx, caller or memory_set.agent, memory, useful=useful)
    return answer


async def tell(memory_set, memories, outcome, caller=None):
    async with memory_set.db.transaction() as tx:
        return await record_outcome(tx, caller or memory_set.agent, memories, outcome)


async def waiting(memory_set, **asked):
    async with memory_set.db.transaction() as tx:
        return await promotable(tx, memory_set.agent, **asked)


@pytest.mark.parametrize(("outcome", "factor"), [("accepted", 1.05), ("modified", 0.95), ("rejected", 0.8)])
async def test_an_outcome_moves_the_confidence_of_every_memory_named_once(memory_set, outcome, factor):
    one, other, unused = [await memory_set.fact(f"fact {nth}") for nth in range(3)]
    told = await tell(memory_set, [one, other, one], WorkOutcome(outcome))
    assert told.confidence == {one: pytest.approx(0.5 * factor), other: pytest.approx(0.5 * factor)}
    assert told.exempt == ()
    assert (await memory_set.state(one))["confidence"] == told.confidence[one]
    assert (await memory_set.state(unused))["confidence"] == 0.5


async def test_confidence_stays_within_its_bounds(memory_set):
    good, bad = await memory_set.fact("good"), await memory_set.fact("bad")
    for _ in range(16):
        await tell(memory_set, [good], WorkOutcome.ACCEPTED)
        await tell(memory_set, [bad], WorkOutcome.REJECTED)
    assert (await memory_set.state(good))["confidence"] == 1
    assert (await memory_set.state(bad))["confidence"] == pytest.approx(0.05)


async def test_an_outcome_with_an_unknown_memory_moves_none(memory_set, board):
    known, foreign = await memory_set.fact("known"), await MemorySet(db=board).fact("foreign")
    for stranger in (new_id(), foreign):
        with pytest.raises(NotFound) as refused:
            await tell(memory_set, [known, stranger], WorkOutcome.REJECTED)
        assert refused.value.number == "E080"
    assert (await memory_set.state(known))["confidence"] == 0.5


async def test_an_outcome_names_its_memories_and_not_too_many(memory_set):
    for memories, number in (([], "E031"), ([new_id() for _ in range(101)], "E032")):
        with pytest.raises(InvalidInput) as refused:
            await tell(memory_set, memories, WorkOutcome.ACCEPTED)
        assert refused.value.number == number


@pytest.mark.parametrize("tier", ["constitutional", "critical"])
async def test_use_does_not_weigh_what_binds_everybody(memory_set, tier):
    rule, fact = await memory_set.fact("a rule", tier=ImportanceTier(tier)), await memory_set.fact("a fact")
    told = await tell(memory_set, [rule, fact], WorkOutcome.REJECTED, memory_set.founder)
    assert (set(told.confidence), told.exempt) == ({fact}, (rule,))
    answer = await vote(memory_set, rule, False, caller=memory_set.founder)
    assert (answer.exempt, answer.confidence, answer.count) == (True, 0.5, 0)
    assert (await memory_set.state(rule))["confidence"] == 0.5


async def test_a_vote_moves_confidence_and_is_counted(memory_set):
    fact = await memory_set.fact("a fact")
    answer = await vote(memory_set, fact, True)
    assert (answer.confidence, answer.count) == (pytest.approx(0.6), 1)
    answer = await vote(memory_set, fact, False)
    assert (answer.confidence, answer.count) == (pytest.approx(0.55), 2)
    assert (answer.ready, answer.promoted, answer.exempt) == (False, False, False)


async def test_votes_at_once_are_all_counted(memory_set):
    fact = await memory_set.fact("a fact")
    await asyncio.gather(*(vote(memory_set, fact, False) for _ in range(6)))
    state = await memory_set.state(fact)
    assert (state["validations"], state["confidence"]) == (6, pytest.approx(0.2))


async def test_a_vote_on_an_unknown_memory_is_refused(memory_set, board):
    for stranger in (new_id(), await MemorySet(db=board).fact("foreign")):
        with pytest.raises(NotFound) as refused:
            await vote(memory_set, stranger, True)
        assert refused.value.number == "E080"


async def test_confidence_alone_or_votes_alone_promote_nothing(memory_set):
    sure, tried = await memory_set.fact("sure"), await memory_set.fact("tried")
    assert not (await vote(memory_set, sure, *[True] * 4, caller=memory_set.founder)).ready
    assert not (await vote(memory_set, tried, *[True, False] * 3, caller=memory_set.founder)).ready
    assert await waiting(memory_set) == []
    assert await memory_set.tier(sure) == await memory_set.tier(tried) == "normal"


async def test_nine_tenths_reached_in_tenths_are_nine_tenths(memory_set):
    """0.5 + 5·0.1 - 2·0.05 is 0.9, and a little less in binary."""
    fact = await memory_set.fact("a fact")
    answer = await vote(memory_set, fact, True, True, True, True, False, False, True)
    assert answer.confidence == pytest.approx(0.9)
    assert answer.ready
    assert [found.memory_id for found in await waiting(memory_set)] == [fact]


async def test_what_has_proven_itself_waits_for_the_founder(memory_set):
    fact = await memory_set.fact("a fact", tier=ImportanceTier.TEMPORARY)
    answer = await vote(memory_set, fact, *[True] * 5)
    assert (answer.ready, answer.promoted, answer.tier) == (True, False, "temporary")
    assert await waiting(memory_set) == [answer]
    async with memory_set.db.transaction() as tx:
        with pytest.raises(NotAllowed):
            await promote_memory(tx, memory_set.agent, fact)
    async with memory_set.db.transaction() as tx:
        done = await promote_memory(tx, memory_set.founder, fact)
    assert (done.ready, done.promoted, done.tier) == (False, True, "critical")
    state = await memory_set.state(fact)
    assert (state["tier"], state["expires_at"]) == ("critical", None)
    assert await waiting(memory_set) == []
    async with memory_set.db.transaction() as tx:
        again = await promote_memory(tx, memory_set.founder, fact)
    assert (again.exempt, again.promoted) == (True, False)


async def test_the_founders_own_vote_promotes(memory_set):
    fact = await memory_set.fact("a fact")
    await vote(memory_set, fact, *[True] * 4)
    answer = await vote(memory_set, fact, True, caller=memory_set.founder)
    assert (answer.promoted, answer.tier) == (True, "critical")
    assert await memory_set.tier(fact) == "critical"


async def test_what_is_no_longer_recalled_is_not_promoted(memory_set):
    fact = await memory_set.fact("a fact")
    await vote(memory_set, fact, *[True] * 5)
    made = await memory_set.correct(fact, "deprecated")
    await vote(memory_set, fact, *[True] * 5)
    assert await waiting(memory_set) == []
    async with memory_set.db.transaction() as tx:
        with pytest.raises(InvalidInput) as refused:
            await promote_memory(tx, memory_set.founder, fact)
    assert refused.value.number == "E030"
    await memory_set.undo(made.id)
    assert [found.memory_id for found in await waiting(memory_set)] == [fact]


async def test_only_ones_own_scopes_are_listed_the_surest_first(memory_set, board):
    await vote(other := MemorySet(db=board), await other.fact("foreign"), *[True] * 5)
    less, more = await memory_set.fact("less"), await memory_set.fact("more")
    await vote(memory_set, less, *[True] * 5, False)
    await vote(memory_set, more, *[True] * 5)
    assert [found.memory_id for found in await waiting(memory_set)] == [more, less]
    assert [found.memory_id for found in await waiting(memory_set, limit=1)] == [more]
    for limit in (0, 101):
        with pytest.raises(InvalidInput):
            await waiting(memory_set, limit=limit)


async def test_saving_the_same_again_is_no_vote(memory_set):
    """Only what is said outright counts."""
    fact = await memory_set.fact("a fact")
    async with memory_set.db.transaction() as tx:
        assert await save_memory(tx, memory_set.new("a fact")) == fact
    state = await memory_set.state(fact)
    assert (state["confidence"], state["validations"]) == (0.5, 0)


async def test_what_moves_confidence_outdates_cached_answers(memory_set):
    fact = await memory_set.fact("a fact")
    for act in (lambda: vote(memory_set, fact, True), lambda: tell(memory_set, [fact], WorkOutcome.ACCEPTED)):
        async with memory_set.db.transaction() as tx:
            seen = await snapshot(tx)
        await act()
        async with memory_set.db.transaction() as tx:
            assert not await unchanged_since(tx, [memory_set.scope], seen)
