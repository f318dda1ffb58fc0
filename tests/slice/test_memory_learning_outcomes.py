"""Outcomes and validations move confidence; the founder alone makes critical what has proven itself."""

import asyncio

import pytest

from frasier.kernel.errors import InvalidInput, NotAllowed, NotFound
from frasier.kernel.ids import new_id
from frasier.memory import ImportanceTier, save_memory
from frasier.memory.cache_invalidation import unchanged_since
from frasier.memory.learning import WorkOutcome, promotable, promote_memory, record_outcome, validate_memory
from support.learning_shelf import Shelf
from support.seeing import snapshot


@pytest.fixture
def shelf(board):
    return Shelf(db=board)


async def vote(shelf, memory, *votes, caller=None):
    """Votes one after another; the last answer."""
    for useful in votes:
        async with shelf.db.transaction() as tx:
            answer = await validate_memory(tx, caller or shelf.agent, memory, useful=useful)
    return answer


async def tell(shelf, memories, outcome, caller=None):
    async with shelf.db.transaction() as tx:
        return await record_outcome(tx, caller or shelf.agent, memories, outcome)


async def waiting(shelf, **asked):
    async with shelf.db.transaction() as tx:
        return await promotable(tx, shelf.agent, **asked)


@pytest.mark.parametrize(("outcome", "factor"), [("accepted", 1.05), ("modified", 0.95), ("rejected", 0.8)])
async def test_an_outcome_moves_the_confidence_of_every_memory_named_once(shelf, outcome, factor):
    one, other, unused = [await shelf.fact(f"fact {nth}") for nth in range(3)]
    told = await tell(shelf, [one, other, one], WorkOutcome(outcome))
    assert told.confidence == {one: pytest.approx(0.5 * factor), other: pytest.approx(0.5 * factor)}
    assert told.exempt == ()
    assert (await shelf.state(one))["confidence"] == told.confidence[one]
    assert (await shelf.state(unused))["confidence"] == 0.5


async def test_confidence_stays_within_its_bounds(shelf):
    good, bad = await shelf.fact("good"), await shelf.fact("bad")
    for _ in range(16):
        await tell(shelf, [good], WorkOutcome.ACCEPTED)
        await tell(shelf, [bad], WorkOutcome.REJECTED)
    assert (await shelf.state(good))["confidence"] == 1
    assert (await shelf.state(bad))["confidence"] == pytest.approx(0.05)


async def test_an_outcome_with_an_unknown_memory_moves_none(shelf, board):
    known, foreign = await shelf.fact("known"), await Shelf(db=board).fact("foreign")
    for stranger in (new_id(), foreign):
        with pytest.raises(NotFound) as refused:
            await tell(shelf, [known, stranger], WorkOutcome.REJECTED)
        assert refused.value.number == "E080"
    assert (await shelf.state(known))["confidence"] == 0.5


async def test_an_outcome_names_its_memories_and_not_too_many(shelf):
    for memories, number in (([], "E031"), ([new_id() for _ in range(101)], "E032")):
        with pytest.raises(InvalidInput) as refused:
            await tell(shelf, memories, WorkOutcome.ACCEPTED)
        assert refused.value.number == number


@pytest.mark.parametrize("tier", ["constitutional", "critical"])
async def test_use_does_not_weigh_what_binds_everybody(shelf, tier):
    rule, fact = await shelf.fact("a rule", tier=ImportanceTier(tier)), await shelf.fact("a fact")
    told = await tell(shelf, [rule, fact], WorkOutcome.REJECTED, shelf.founder)
    assert (set(told.confidence), told.exempt) == ({fact}, (rule,))
    answer = await vote(shelf, rule, False, caller=shelf.founder)
    assert (answer.exempt, answer.confidence, answer.count) == (True, 0.5, 0)
    assert (await shelf.state(rule))["confidence"] == 0.5


async def test_a_vote_moves_confidence_and_is_counted(shelf):
    fact = await shelf.fact("a fact")
    answer = await vote(shelf, fact, True)
    assert (answer.confidence, answer.count) == (pytest.approx(0.6), 1)
    answer = await vote(shelf, fact, False)
    assert (answer.confidence, answer.count) == (pytest.approx(0.55), 2)
    assert (answer.ready, answer.promoted, answer.exempt) == (False, False, False)


async def test_votes_at_once_are_all_counted(shelf):
    fact = await shelf.fact("a fact")
    await asyncio.gather(*(vote(shelf, fact, False) for _ in range(6)))
    state = await shelf.state(fact)
    assert (state["validations"], state["confidence"]) == (6, pytest.approx(0.2))


async def test_a_vote_on_an_unknown_memory_is_refused(shelf, board):
    for stranger in (new_id(), await Shelf(db=board).fact("foreign")):
        with pytest.raises(NotFound) as refused:
            await vote(shelf, stranger, True)
        assert refused.value.number == "E080"


async def test_confidence_alone_or_votes_alone_promote_nothing(shelf):
    sure, tried = await shelf.fact("sure"), await shelf.fact("tried")
    assert not (await vote(shelf, sure, *[True] * 4, caller=shelf.founder)).ready
    assert not (await vote(shelf, tried, *[True, False] * 3, caller=shelf.founder)).ready
    assert await waiting(shelf) == []
    assert await shelf.tier(sure) == await shelf.tier(tried) == "normal"


async def test_nine_tenths_reached_in_tenths_are_nine_tenths(shelf):
    """0.5 + 5·0.1 - 2·0.05 is 0.9, and a little less in binary."""
    fact = await shelf.fact("a fact")
    answer = await vote(shelf, fact, True, True, True, True, False, False, True)
    assert answer.confidence == pytest.approx(0.9)
    assert answer.ready
    assert [found.memory_id for found in await waiting(shelf)] == [fact]


async def test_what_has_proven_itself_waits_for_the_founder(shelf):
    fact = await shelf.fact("a fact", tier=ImportanceTier.TEMPORARY)
    answer = await vote(shelf, fact, *[True] * 5)
    assert (answer.ready, answer.promoted, answer.tier) == (True, False, "temporary")
    assert await waiting(shelf) == [answer]
    async with shelf.db.transaction() as tx:
        with pytest.raises(NotAllowed):
            await promote_memory(tx, shelf.agent, fact)
    async with shelf.db.transaction() as tx:
        done = await promote_memory(tx, shelf.founder, fact)
    assert (done.ready, done.promoted, done.tier) == (False, True, "critical")
    state = await shelf.state(fact)
    assert (state["tier"], state["expires_at"]) == ("critical", None)
    assert await waiting(shelf) == []
    async with shelf.db.transaction() as tx:
        again = await promote_memory(tx, shelf.founder, fact)
    assert (again.exempt, again.promoted) == (True, False)


async def test_the_founders_own_vote_promotes(shelf):
    fact = await shelf.fact("a fact")
    await vote(shelf, fact, *[True] * 4)
    answer = await vote(shelf, fact, True, caller=shelf.founder)
    assert (answer.promoted, answer.tier) == (True, "critical")
    assert await shelf.tier(fact) == "critical"


async def test_what_is_no_longer_recalled_is_not_promoted(shelf):
    fact = await shelf.fact("a fact")
    await vote(shelf, fact, *[True] * 5)
    made = await shelf.correct(fact, "deprecated")
    await vote(shelf, fact, *[True] * 5)
    assert await waiting(shelf) == []
    async with shelf.db.transaction() as tx:
        with pytest.raises(InvalidInput) as refused:
            await promote_memory(tx, shelf.founder, fact)
    assert refused.value.number == "E030"
    await shelf.undo(made.id)
    assert [found.memory_id for found in await waiting(shelf)] == [fact]


async def test_only_ones_own_scopes_are_listed_the_surest_first(shelf, board):
    await vote(other := Shelf(db=board), await other.fact("foreign"), *[True] * 5)
    less, more = await shelf.fact("less"), await shelf.fact("more")
    await vote(shelf, less, *[True] * 5, False)
    await vote(shelf, more, *[True] * 5)
    assert [found.memory_id for found in await waiting(shelf)] == [more, less]
    assert [found.memory_id for found in await waiting(shelf, limit=1)] == [more]
    for limit in (0, 101):
        with pytest.raises(InvalidInput):
            await waiting(shelf, limit=limit)


async def test_saving_the_same_again_is_no_vote(shelf):
    """Only what is said outright counts."""
    fact = await shelf.fact("a fact")
    async with shelf.db.transaction() as tx:
        assert await save_memory(tx, shelf.new("a fact")) == fact
    state = await shelf.state(fact)
    assert (state["confidence"], state["validations"]) == (0.5, 0)


async def test_what_moves_confidence_outdates_cached_answers(shelf):
    fact = await shelf.fact("a fact")
    for act in (lambda: vote(shelf, fact, True), lambda: tell(shelf, [fact], WorkOutcome.ACCEPTED)):
        async with shelf.db.transaction() as tx:
            seen = await snapshot(tx)
        await act()
        async with shelf.db.transaction() as tx:
            assert not await unchanged_since(tx, [shelf.scope], seen)
