"""Markers: one INSERT in the transition's transaction, found by task at once and by words after the job."""

from uuid import uuid4

import pytest

from frasier.memory import MemoryKind, Query, markers_of, recall_by_words, recent_of_agent, save_marker
from frasier.memory.posting_backfill import index_pending

TASK, AGENT = uuid4(), uuid4()
MARKED = Query(text="claimed", scopes=("shared",), include_markers=True)


async def mark(tx, text="The worker claimed the step.", *, task_id=TASK, agent_id=AGENT):
    return await save_marker(
        tx, text=text, scope="shared", task_id=task_id, agent_id=agent_id, actor="worker:w1"
    )


async def terms(tx):
    return (await (await tx.execute("select count(*) as n from memory_terms")).fetchone())["n"]


async def test_a_marker_is_found_by_task_and_agent_at_once_and_by_words_after_the_job(db):
    async with db.transaction() as tx:
        marker_id = await mark(tx)
        [by_task] = await markers_of(tx, TASK, limit=10)
        [by_agent] = await recent_of_agent(tx, AGENT, [MemoryKind.MARKER], 10)
        assert await recall_by_words(tx, MARKED) == []
        assert await terms(tx) == 0
    assert by_task == by_agent
    assert by_task.id == marker_id
    assert by_task.kind is MemoryKind.MARKER
    assert by_task.content == "The worker claimed the step."
    assert by_task.provenance == {"actor": "worker:w1"}
    async with db.transaction() as tx:
        assert await index_pending(tx, 100) == 1
    async with db.transaction() as tx:
        [found] = await recall_by_words(tx, MARKED)
        assert found.memory.id == marker_id
        assert await index_pending(tx, 100) == 0


async def test_a_marker_disappears_with_the_transition_that_failed(db):
    with pytest.raises(ZeroDivisionError):
        async with db.transaction() as tx:
            await mark(tx)
            raise ZeroDivisionError
    async with db.transaction() as tx:
        assert await markers_of(tx, TASK, limit=10) == []


async def test_markers_come_newest_first_and_only_those_of_the_task(db):
    async with db.transaction() as tx:
        for at in range(3):
            await mark(tx, f"move {at}")
        await mark(tx, "same task, other agent", agent_id=uuid4())
        await mark(tx, "same agent, other task", task_id=uuid4())

        async def texts(task_id, limit=10):
            return [memory.content for memory in await markers_of(tx, task_id, limit=limit)]

        assert await texts(TASK) == ["same task, other agent", "move 2", "move 1", "move 0"]
        assert await texts(TASK, limit=2) == ["same task, other agent", "move 2"]
        assert await texts(uuid4()) == []


async def test_a_marker_is_cleaned_of_secrets_and_control_characters(db):
    async with db.transaction() as tx:
        await mark(tx, "\x1b[31mclaimed\x00 with ghp_0123456789abcdefghijABCDEFGHIJ")
        [marker] = await markers_of(tx, TASK, limit=1)
    assert marker.content == "[31mclaimed with [redacted]"
    assert marker.provenance == {
        "actor": "worker:w1",
        "redacted": 1,
        "redacted_in": ["content"],
    }


async def test_the_job_takes_the_oldest_first_and_no_more_than_its_limit(db):
    async with db.transaction() as tx:
        ids = [await mark(tx, f"claimed {at}") for at in range(5)]
        assert await index_pending(tx, 2) == 2
        assert {hit.memory.id for hit in await recall_by_words(tx, MARKED)} == set(ids[:2])


async def test_the_job_indexes_many_markers_in_one_call(db):
    async with db.transaction() as tx:
        for at in range(215):
            await mark(tx, f"claimed number{at}")
        assert await index_pending(tx, 210) == 210
        assert await index_pending(tx, 210) == 5
        for at in (0, 100, 214):
            query = Query(text=f"number{at}", scopes=("shared",), include_markers=True)
            assert len(await recall_by_words(tx, query)) == 1


async def test_two_jobs_at_once_index_every_marker_exactly_once(db):
    async with db.transaction() as tx:
        ids = {await mark(tx, f"claimed {at}") for at in range(5)}
    async with db.transaction() as first:
        assert await index_pending(first, 2) == 2
        async with db.transaction() as second:
            assert await index_pending(second, 100) == 3
    async with db.transaction() as tx:
        found = await recall_by_words(tx, MARKED)
        assert {hit.memory.id for hit in found} == ids
        assert len(found) == 5
        assert await index_pending(tx, 100) == 0


async def test_a_job_that_failed_leaves_the_markers_to_the_next(db):
    async with db.transaction() as tx:
        await mark(tx)
    with pytest.raises(ZeroDivisionError):
        async with db.transaction() as tx:
            await index_pending(tx, 10)
            raise ZeroDivisionError
    async with db.transaction() as tx:
        assert await index_pending(tx, 10) == 1
        assert len(await recall_by_words(tx, MARKED)) == 1


async def test_a_marker_without_a_searchable_word_does_not_hold_up_the_job(db):
    async with db.transaction() as tx:
        await mark(tx, "→ …")
        await mark(tx)
        assert await index_pending(tx, 10) == 2
        assert await index_pending(tx, 10) == 0
        assert len(await recall_by_words(tx, MARKED)) == 1
