"""Block and restore: a pause that keeps the exact place."""

from __future__ import annotations

import psycopg
import pytest

from frasier.board import blocked_tasks
from frasier.kernel.errors import LeaseLost, TransitionRefused
from frasier.store import Database
from frasier.workflow import FOUNDER, SYSTEM, Task, block, lock_attempt, processes, recover_expired, restore
from support.board import (
    WORKER,
    claim_one,
    claim_up_to,
    create_step,
    create_steps,
    deliver,
    events_and_markers,
    make_move,
    stored_task,
)


async def pause(board: Database, task: Task, *, reason: str = "no key", **how) -> Task:
    async with board.transaction() as tx:
        return await block(
            tx,
            task.id,
            reason=reason,
            owner="founder",
            action="set a key",
            actor=how.pop("actor", SYSTEM),
            **how,
        )


async def go_on(board: Database, task: Task, **how) -> Task:
    async with board.transaction() as tx:
        return await restore(tx, task.id, actor=FOUNDER, **how)


async def at(board: Database, status: str) -> Task:
    """A task in the given status."""
    task = await create_step(board)
    if status == "pending":
        return task
    held = await claim_one(board)
    return held if status == "active" else await deliver(board, held)


@pytest.mark.parametrize("status", ["pending", "active", "in_review"])
async def test_a_task_goes_back_to_exactly_where_it_was(board: Database, status: str) -> None:
    task = await at(board, status)
    blocked = await pause(board, task)
    assert (blocked.status, blocked.role, blocked.ready) == ("blocked", "founder", False)
    assert (blocked.lease_owner, blocked.terminal) == (None, False)
    back = await go_on(board, task)
    place = ("status", "role", "assignee", "attempt", "lease_owner", "claimable", "strikes", "pending_deps")
    kept = [name for name in place if hasattr(task, name)]
    assert [getattr(back, name) for name in kept] == [getattr(task, name) for name in kept]
    assert back.ready is task.ready
    async with board.transaction() as tx:
        assert await blocked_tasks(tx) == []


async def test_a_blocked_task_is_not_claimed_and_its_dependants_wait(board: Database) -> None:
    tasks = await create_steps(board, {"a": "", "b": "a"})
    await pause(board, tasks["a"])
    assert await claim_up_to(board, 9) == []
    assert (await stored_task(board, tasks["b"])).pending_deps == 1
    await go_on(board, tasks["a"])
    assert (await claim_one(board)).slug == "a"


async def test_a_restored_lease_is_given_back_by_the_engines_own_rule(board: Database) -> None:
    task = await at(board, "active")
    await pause(board, task, actor=WORKER, attempt=task.attempt)
    with pytest.raises(LeaseLost):
        async with board.transaction() as tx:
            await lock_attempt(tx, task.id, task.attempt)
    restored = await go_on(board, task)
    assert (restored.status, restored.lease_owner) == ("active", "w1")
    async with board.transaction() as tx:
        [released] = await recover_expired(tx, list(processes()))
    assert (released.status, released.ready) == ("pending", True)
    assert (await claim_one(board)).attempt == task.attempt + 1


async def test_a_second_block_adds_its_reason_to_the_same_pause(board: Database) -> None:
    task = await at(board, "in_review")
    await pause(board, task, reason="no reviewer")
    await pause(board, task, reason="no money", actor=FOUNDER)
    async with board.transaction() as tx:
        [paused] = await blocked_tasks(tx, task.group_id)
    assert paused.was == "in_review"
    assert [entry["reason"] for entry in paused.reasons] == ["no reviewer", "no money"]
    assert [entry["by"] for entry in paused.reasons] == ["system:frasier", "founder:founder"]
    assert (paused.reasons[0]["owner"], paused.reasons[0]["action"]) == ("founder", "set a key")
    kinds, markers = await events_and_markers(board, task)
    assert kinds.count("task.block") == 2
    assert markers[-1].endswith("no money — founder must set a key")
    assert (await go_on(board, task)).status == "in_review"


@pytest.mark.parametrize("end", ["fail", "cancel"])
async def test_what_is_over_cannot_be_blocked(board: Database, end: str) -> None:
    task = await create_step(board)
    await make_move(board, task.id, end, actor=FOUNDER, fields={"reason": "no"})
    with pytest.raises(TransitionRefused, match="cannot be blocked any more"):
        await pause(board, task)


@pytest.mark.parametrize("lacking", ["reason", "owner", "action"])
async def test_a_block_names_who_must_do_what_and_why(board: Database, lacking: str) -> None:
    task = await create_step(board)
    told = {"reason": "r", "owner": "founder", "action": "a", lacking: "  "}
    with pytest.raises(TransitionRefused, match="needs a reason, an owner and an action"):
        async with board.transaction() as tx:
            await block(tx, task.id, actor=SYSTEM, **told)
    assert await stored_task(board, task) == task


async def test_a_worker_blocks_only_what_it_holds(board: Database) -> None:
    task = await create_step(board)
    with pytest.raises(TransitionRefused, match="did not name an attempt"):
        await pause(board, task, actor=WORKER)
    with pytest.raises(LeaseLost):
        await pause(board, task, actor=WORKER, attempt=0)


async def test_only_a_blocked_task_can_be_restored(board: Database) -> None:
    with pytest.raises(TransitionRefused, match="is pending, not blocked"):
        await go_on(board, await create_step(board))


@pytest.mark.parametrize(("end", "status"), [("fail", "failed"), ("cancel", "cancelled")])
async def test_a_blocked_task_can_be_ended_and_leaves_no_block_behind(
    board: Database, end: str, status: str
) -> None:
    task = await at(board, "active")
    await pause(board, task)
    ended = await make_move(board, task.id, end, actor=FOUNDER, fields={"reason": "enough"})
    assert ended.status == status
    async with board.transaction() as tx:
        assert await blocked_tasks(tx) == []
        cursor = await tx.execute("select count(*) as n from workflow_blocks")
        assert (await cursor.fetchone())["n"] == 0
    with pytest.raises(TransitionRefused, match=f"is {status}, not blocked"):
        await go_on(board, task)


async def test_the_founders_note_goes_with_the_task(board: Database) -> None:
    task = await create_step(board)
    await pause(board, task)
    assert (await go_on(board, task, note="use the 2024 figures")).fields[
        "founder_note"
    ] == "use the 2024 figures"
    await pause(board, task)
    assert (await go_on(board, task)).fields["founder_note"] == "use the 2024 figures", (
        "no note changes nothing"
    )


async def test_looking_again_forgives_the_failed_runs(board: Database) -> None:
    task = await at(board, "active")
    await make_move(
        board, task.id, "release", actor=WORKER, attempt=1, fields={"reason": "x"}, failed_run=True
    )
    assert (await pause(board, task)).failures == 1
    assert (await go_on(board, task)).failures == 0


async def test_block_and_restore_work_while_search_is_broken(
    db: Database, server, database_name: str
) -> None:
    """Their markers are rows; nothing of them needs an index of words, an embedding or a search."""
    task = await create_step(db)
    with psycopg.connect(server.url("frasier_owner", database_name), autocommit=True) as owner:
        owner.execute("drop table memory_terms")
    await pause(db, task)
    assert (await go_on(db, task)).status == "pending"


async def test_blocked_tasks_are_told_by_group_longest_first(board: Database) -> None:
    first, second, other = await create_step(board), await create_step(board), await create_step(board)
    await pause(board, second)
    await pause(board, first)
    async with board.transaction() as tx:
        everything = await blocked_tasks(tx)
        mine = await blocked_tasks(tx, first.group_id)
        none = await blocked_tasks(tx, other.group_id)
    assert [paused.id for paused in everything] == [second.id, first.id]
    assert [paused.id for paused in mine] == [first.id]
    assert none == []
