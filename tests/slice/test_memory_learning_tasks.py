"""Task learning: measured before and after, never overwritten, told over many."""

import asyncio

import pytest

from frasier.kernel.errors import InvalidInput, NotFound, Refused
from frasier.memory.learning.learning_index import Deltas, LearningBand, LearningTrend
from frasier.memory.learning.tasks import begin_task, finish_task, learning_history
from support.memory_set import MemorySet


async def before(memory_set, key, knowledge=40, uncertainty=70, context=50, **more):
    async with memory_set.db.transaction() as tx:
        return await begin_task(
            tx, memory_set.agent, key, knowledge=knowledge, uncertainty=uncertainty, context=context, **more
        )


async def after(memory_set, key, knowledge=75, uncertainty=25, context=70, **more):
    async with memory_set.db.transaction() as tx:
        return await finish_task(
            tx, memory_set.agent, key, knowledge=knowledge, uncertainty=uncertainty, context=context, **more
        )


async def history(memory_set, **asked):
    async with memory_set.db.transaction() as tx:
        return await learning_history(tx, memory_set.agent, **asked)


async def test_a_task_tells_what_it_taught(memory_set):
    begun = await before(memory_set, "T1", gaps=["the schema"], session_id="s-1")
    assert (begun.after, begun.index, begun.band, begun.completed_at) == (None, None, None, None)
    done = await after(memory_set, "T1", gaps_closed=["the schema"], new_gaps=["the index"])
    assert done.deltas == Deltas(knowledge=35, uncertainty=45, context=20)
    assert (done.index, done.band) == (34.75, LearningBand.MODERATE)
    assert (done.knowledge_gaps, done.gaps_closed, done.new_gaps) == (
        ("the schema",),
        ("the schema",),
        ("the index",),
    )
    assert (done.before, done.session_id, done.started_at) == (begun.before, "s-1", begun.started_at)
    assert (await history(memory_set)).records == (done,)
    [row] = await memory_set.sql(
        "select learning_index from memory_task_learnings where scope = %s", memory_set.scope
    )
    assert row["learning_index"] == done.index


async def test_a_second_preflight_never_wipes_a_finished_record(memory_set):
    await before(memory_set, "T1")
    done = await after(memory_set, "T1")
    with pytest.raises(Refused) as refused:
        await before(memory_set, "T1", knowledge=0)
    assert (refused.value.number, "T1-2" in refused.value.hint) == ("E084", True)
    assert (await history(memory_set)).records == (done,)


async def test_a_task_that_is_not_finished_may_be_read_anew(memory_set):
    await before(memory_set, "T1", knowledge=0, gaps=["all"])
    again = await before(memory_set, "T1", knowledge=60, gaps=["little"])
    assert (again.before.knowledge, again.knowledge_gaps) == (60, ("little",))
    assert (await after(memory_set, "T1")).deltas.knowledge == 15


async def test_the_same_postflight_again_returns_the_record_and_another_is_refused(memory_set):
    await before(memory_set, "T1")
    done = await after(memory_set, "T1", new_gaps=["one"])
    assert await after(memory_set, "T1", new_gaps=["one"]) == done
    for other in ({"knowledge": 76, "new_gaps": ["one"]}, {"new_gaps": ["two"]}):
        with pytest.raises(Refused) as refused:
            await after(memory_set, "T1", **other)
        assert refused.value.number == "E084"
    assert (await history(memory_set)).records == (done,)


async def test_postflights_at_once_record_one_of_them(memory_set):
    await before(memory_set, "T1")
    results = await asyncio.gather(
        *(after(memory_set, "T1", knowledge=value) for value in (60, 70, 80)), return_exceptions=True
    )
    [done] = [result for result in results if not isinstance(result, BaseException)]
    assert [getattr(result, "number", None) for result in results].count("E084") == 2
    assert (await history(memory_set)).records == (done,)


async def test_a_preflight_and_a_postflight_at_once_keep_what_was_finished(memory_set):
    for nth in range(6):
        key = f"T{nth}"
        await before(memory_set, key)
        begun, done = await asyncio.gather(
            before(memory_set, key, knowledge=10), after(memory_set, key), return_exceptions=True
        )
        assert not isinstance(begun, BaseException) or begun.number == "E084"
        [record] = [r for r in (await history(memory_set)).records if r.task_key == key]
        assert record == done
        assert record.before.knowledge == (40 if isinstance(begun, BaseException) else 10)


async def test_a_postflight_without_a_preflight_is_refused(memory_set, board):
    await before(MemorySet(db=board), "T1")
    with pytest.raises(NotFound) as refused:
        await after(memory_set, "T1")
    assert [advice.action for advice in refused.value.advice] == ["memory.preflight"]
    assert (await history(memory_set)).records == ()


@pytest.mark.parametrize("value", [-1, 101, 50.5, True])
@pytest.mark.parametrize("part", ["knowledge", "uncertainty", "context"])
async def test_a_reading_outside_of_0_to_100_is_refused_before_and_after(memory_set, part, value):
    await before(memory_set, "T1")
    for act, key in ((before, "T2"), (after, "T1")):
        with pytest.raises(InvalidInput) as refused:
            await act(memory_set, key, **{part: value})
        assert refused.value.number == "E032"
    [record] = (await history(memory_set)).records
    assert (record.task_key, record.completed_at) == ("T1", None)


@pytest.mark.parametrize(("key", "number"), [(" ", "E031"), ("k" * 201, "E032")])
async def test_a_task_has_a_key_of_bounded_length(memory_set, key, number):
    for act in (before, after):
        with pytest.raises(InvalidInput) as refused:
            await act(memory_set, key)
        assert refused.value.number == number


async def test_the_hint_of_the_longest_key_names_one_that_is_allowed(memory_set):
    key = "k" * 200
    await before(memory_set, key)
    await after(memory_set, key)
    with pytest.raises(Refused) as refused:
        await before(memory_set, key)
    await before(memory_set, refused.value.hint.split("'")[1])


async def test_the_history_averages_all_that_is_finished_and_names_the_trend(memory_set):
    for nth, knowledge in enumerate((60, 80, 100)):
        await before(memory_set, f"T{nth}", session_id="s-1" if nth else None)
        await after(memory_set, f"T{nth}", knowledge=knowledge, uncertainty=70, context=50)
    await before(memory_set, "open")
    told = await history(memory_set, limit=2)
    assert [record.task_key for record in told.records] == ["open", "T2"]
    assert (told.started, told.completed) == (4, 3)
    assert told.average_deltas == Deltas(knowledge=40, uncertainty=0, context=0)
    assert (told.average_index, told.trend) == (16, LearningTrend.STRONG)
    finished = await history(memory_set, only_complete=True)
    assert [record.task_key for record in finished.records] == ["T2", "T1", "T0"]
    of_session = await history(memory_set, session_id="s-1")
    assert [record.task_key for record in of_session.records] == ["T2", "T1"]
    assert of_session.average_index == 20


async def test_a_history_without_a_finished_task_has_no_averages(memory_set, board):
    other = MemorySet(db=board)
    await before(other, "T1")
    await after(other, "T1")
    await before(memory_set, "T1")
    told = await history(memory_set)
    assert (told.started, told.completed) == (1, 0)
    assert (told.average_deltas, told.average_index, told.trend) == (None, None, None)


@pytest.mark.parametrize("limit", [0, 101])
async def test_a_history_has_a_bounded_length(memory_set, limit):
    with pytest.raises(InvalidInput) as refused:
        await history(memory_set, limit=limit)
    assert refused.value.number == "E032"
