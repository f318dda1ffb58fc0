"""What concerns all tasks of a group: pausing it, going on, cancelling it."""

from __future__ import annotations

import asyncio

import pytest

from frasier.kernel.errors import LeaseLost
from frasier.kernel.ids import new_id
from frasier.store import Database, events_of
from frasier.workflow import (
    FOUNDER,
    SYSTEM,
    Dependency,
    NewTask,
    block,
    cancel_group,
    create_tasks,
    hold,
    lock_attempt,
    move,
    retry,
)
from support.board import (
    WORKER,
    claim_one,
    claim_up_to,
    complete,
    complete_next,
    create_step,
    create_steps,
    deliver,
    events_and_markers,
    make_move,
    statuses,
    stored_task,
    wait_for_lock,
)


async def set_held(board: Database, group, *, held: bool) -> int:
    async with board.transaction() as tx:
        return await hold(tx, group, held=held, actor=FOUNDER)


class TestHolding:
    async def test_a_held_group_is_not_claimed_and_others_are(self, board: Database) -> None:
        mine = await create_steps(board, {"a": "", "b": "a"}, priority={"a": 9})
        other = await create_step(board)
        assert await set_held(board, mine["a"].group_id, held=True) == 2
        assert (await claim_one(board)).id == other.id
        assert await claim_up_to(board, 9) == []
        assert await set_held(board, mine["a"].group_id, held=False) == 2
        assert await complete_next(board) == "a"
        assert await complete_next(board) == "b"

    async def test_holding_twice_changes_nothing_the_second_time(self, board: Database) -> None:
        task = await create_step(board)
        assert await set_held(board, task.group_id, held=True) == 1
        assert await set_held(board, task.group_id, held=True) == 0

    async def test_a_running_task_hears_of_it_at_the_fence_and_goes_back_held(self, board: Database) -> None:
        task = await create_step(board)
        held = await claim_one(board)
        await set_held(board, task.group_id, held=True)
        async with board.transaction() as tx:
            assert await lock_attempt(tx, held.id, held.attempt) is True
        released = await make_move(
            board, held.id, "release", actor=WORKER, attempt=1, fields={"reason": "paused"}
        )
        assert (released.status, released.held, released.ready) == ("pending", True, False)
        assert await claim_up_to(board, 9) == []

    async def test_what_becomes_free_while_held_waits(self, board: Database) -> None:
        tasks = await create_steps(board, {"a": "", "b": "a"})
        held = await claim_one(board)
        await set_held(board, tasks["a"].group_id, held=True)
        await complete(board, held)
        freed = await stored_task(board, tasks["b"])
        assert (freed.pending_deps, freed.ready) == (0, False)

    async def test_ended_tasks_are_left_alone(self, board: Database) -> None:
        tasks = await create_steps(board, ["a", "b"])
        done = await complete_next(board)
        assert await set_held(board, tasks["a"].group_id, held=True) == 1
        assert not (await stored_task(board, tasks[done])).held

    async def test_the_group_has_an_event_of_it(self, board: Database) -> None:
        task = await create_step(board)
        await set_held(board, task.group_id, held=True)
        await set_held(board, task.group_id, held=False)
        async with board.transaction() as tx:
            events = await events_of(tx, task.group_id)
        assert [(event.kind, event.actor) for event in events] == [
            ("group.paused", "founder:founder"),
            ("group.resumed", "founder:founder"),
        ]


class TestCancelling:
    async def test_every_open_task_is_cancelled_and_what_is_done_stays(self, board: Database) -> None:
        tasks = await create_steps(board, {"done": "", "a": "done", "b": "a", "c": "b", "blocked": ""})
        assert await complete_next(board) == "done"
        async with board.transaction() as tx:
            await block(tx, tasks["blocked"].id, reason="r", owner="founder", action="a", actor=SYSTEM)
        assert (await claim_one(board)).slug == "a"
        async with board.transaction() as tx:
            cancelled = await cancel_group(tx, tasks["a"].group_id, actor=FOUNDER, reason="changed my mind")
        assert {task.slug for task in cancelled} == {"a", "b", "c", "blocked"}
        assert await statuses(board, tasks) == {
            "done": "completed",
            "a": "cancelled",
            "b": "cancelled",
            "c": "cancelled",
            "blocked": "cancelled",
        }
        assert not any([(await stored_task(board, task)).cascaded for task in tasks.values()])
        kinds, markers = await events_and_markers(board, tasks["c"])
        assert kinds == ["task.created", "task.cancel"]
        assert markers[-1].endswith("changed my mind")

    async def test_a_running_worker_has_lost_its_task(self, board: Database) -> None:
        task = await create_step(board)
        held = await claim_one(board)
        async with board.transaction() as tx:
            await cancel_group(tx, task.group_id, actor=FOUNDER, reason="no")
        with pytest.raises(LeaseLost):
            await deliver(board, held)

    async def test_other_groups_are_not_touched(self, board: Database) -> None:
        task, other = await create_step(board), await create_step(board)
        async with board.transaction() as tx:
            await cancel_group(tx, task.group_id, actor=FOUNDER, reason="no")
        assert (await stored_task(board, other)).status == "pending"

    async def test_a_cancelled_group_can_be_brought_back_from_its_beginning(self, board: Database) -> None:
        tasks = await create_steps(board, {"b": "a", "a": ""})
        async with board.transaction() as tx:
            await cancel_group(tx, tasks["a"].group_id, actor=FOUNDER, reason="no")
        for name in "ab":
            async with board.transaction() as tx:
                await retry(tx, tasks[name].id, actor=FOUNDER)
        assert await complete_next(board) == "a"
        assert await complete_next(board) == "b"

    async def test_it_waits_for_a_move_under_way_and_takes_what_that_made(self, board: Database) -> None:
        """A plan is accepted while the founder cancels: its steps do not survive the mission."""
        planning = (await create_steps(board, ["plan"], process="planning"))["plan"]
        held = await claim_one(board)

        async def cancel() -> list[str]:
            async with board.transaction() as tx:
                gone = await cancel_group(tx, planning.group_id, actor=FOUNDER, reason="no")
            return sorted(task.slug for task in gone)

        async with board.transaction() as tx:
            first = NewTask(
                id=new_id(), process="mission_step", slug="s1", title="s1", group_id=planning.group_id
            )
            second = NewTask(
                id=new_id(),
                process="mission_step",
                slug="s2",
                title="s2",
                group_id=planning.group_id,
                depends_on=(Dependency(depends_on=first.id),),
            )
            await create_tasks(tx, [first, second], actor=WORKER)
            cancelling = asyncio.create_task(cancel())
            await wait_for_lock(board)
            result = {"result_digest": "d", "result_size": 1}
            await move(tx, held.id, "finish", actor=WORKER, attempt=1, fields=result)
        assert await cancelling == ["s1", "s2"]
