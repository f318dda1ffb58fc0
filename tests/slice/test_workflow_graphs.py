"""Tasks that depend on each other: making them, readiness, what a failure takes with it, and trying again."""

from __future__ import annotations

import asyncio

import pytest

from frasier.board import blocked_tasks
from frasier.kernel.errors import InvalidInput, NotFound, TransitionRefused
from frasier.kernel.ids import new_id
from frasier.store import Database
from frasier.workflow import (
    FOUNDER,
    SYSTEM,
    Dependency,
    DependencyKind,
    NewTask,
    block,
    create_tasks,
    dependencies_of,
    get_task,
    hold,
    move,
    retry,
    tasks_of,
)
from support.board import (
    WORKER,
    claim_one,
    claim_up_to,
    complete,
    complete_next,
    create_steps,
    events_and_markers,
    make_move,
    statuses,
    stored_task,
    wait_for_lock,
)

DIAMOND = {"d": "b c", "b": "a", "c": "a", "a": ""}


def new(slug: str, *needs, group, kind=DependencyKind.BLOCKS) -> NewTask:
    edges = tuple(Dependency(depends_on=needed, kind=kind) for needed in needs)
    return NewTask(id=new_id(), process="talk", slug=slug, title=slug, group_id=group, depends_on=edges)


async def count_tasks(board: Database) -> int:
    async with board.transaction() as tx:
        row = await (await tx.execute("select count(*) as n from workflow_tasks")).fetchone()
    return row["n"]


async def fail(board: Database, task, *, reason: str = "no way") -> None:
    await make_move(board, task.id, "fail", actor=FOUNDER, fields={"reason": reason})


class TestMaking:
    async def test_tasks_come_back_in_the_order_asked_and_are_stored_dependencies_first(
        self, board: Database
    ) -> None:
        tasks = await create_steps(board, DIAMOND)
        assert list(tasks) == ["d", "b", "c", "a"]
        async with board.transaction() as tx:
            stored = await tasks_of(tx, tasks["a"].group_id)
            edges = await dependencies_of(tx, tasks["a"].group_id)
        assert [task.slug for task in stored] == ["a", "b", "c", "d"]
        assert {task.slug: task.pending_deps for task in stored} == {"a": 0, "b": 1, "c": 1, "d": 2}
        assert [edge.depends_on for edge in edges[tasks["d"].id]] == [tasks["b"].id, tasks["c"].id]
        assert tasks["a"].id not in edges

    async def test_a_cycle_is_named_and_nothing_is_made(self, board: Database) -> None:
        with pytest.raises(InvalidInput, match=r"depend on each other in a cycle: .+ → .+ → ") as caught:
            await create_steps(board, {"a": "c", "b": "a", "c": "b", "free": ""})
        assert caught.value.kept == "No task was created."
        assert await count_tasks(board) == 0

    async def test_a_task_cannot_wait_for_itself(self, board: Database) -> None:
        with pytest.raises(InvalidInput, match="a → a"):
            await create_steps(board, {"a": "a"})

    async def test_a_refusal_leaves_nothing_behind_even_where_the_caller_goes_on(
        self, board: Database
    ) -> None:
        group, taken = new_id(), await create_steps(board, ["taken"])
        group = taken["taken"].group_id
        async with board.transaction() as tx:
            with pytest.raises(InvalidInput, match="already a task of that name"):
                await create_tasks(tx, [new("fresh", group=group), new("taken", group=group)], actor=SYSTEM)
            with pytest.raises(NotFound, match="does not exist"):
                await create_tasks(tx, [new("x", group=group), new("y", new_id(), group=group)], actor=SYSTEM)
        assert await count_tasks(board) == 1

    async def test_the_same_slug_twice_in_one_call_is_refused(self, board: Database) -> None:
        group = new_id()
        async with board.transaction() as tx:
            with pytest.raises(InvalidInput, match="already a task of that name"):
                await create_tasks(tx, [new("s", group=group), new("s", group=group)], actor=SYSTEM)

    async def test_the_same_dependency_twice_is_refused(self, board: Database) -> None:
        group, first = new_id(), new("a", group=new_id())
        async with board.transaction() as tx:
            with pytest.raises(InvalidInput, match="names a dependency twice"):
                await create_tasks(tx, [first, new("b", first.id, first.id, group=group)], actor=SYSTEM)

    async def test_two_groups_may_use_the_same_slug(self, board: Database) -> None:
        await create_steps(board, ["s"])
        await create_steps(board, ["s"])
        assert await count_tasks(board) == 2

    async def test_a_task_that_needs_a_completed_one_is_ready_at_once(self, board: Database) -> None:
        done = (await create_steps(board, ["done"]))["done"]
        await complete(board, await claim_one(board))
        async with board.transaction() as tx:
            [made] = await create_tasks(tx, [new("next", done.id, group=done.group_id)], actor=SYSTEM)
        assert made.ready

    @pytest.mark.parametrize("transition", ["fail", "cancel"])
    async def test_a_task_cannot_be_made_to_wait_for_one_that_ended_without_a_result(
        self, board: Database, transition: str
    ) -> None:
        dead = (await create_steps(board, ["dead"]))["dead"]
        await make_move(board, dead.id, transition, actor=FOUNDER, fields={"reason": "no"})
        async with board.transaction() as tx:
            with pytest.raises(InvalidInput, match=r"would wait for dead, which is (failed|cancelled)"):
                await create_tasks(tx, [new("next", dead.id, group=dead.group_id)], actor=SYSTEM)
            informed = new("informed", dead.id, group=dead.group_id, kind=DependencyKind.INFORMS)
            [made] = await create_tasks(tx, [informed], actor=SYSTEM)
        assert made.ready, "it is only informed, nobody waits"

    @pytest.mark.parametrize("commits", ["complete", "fail"])
    async def test_a_dependency_that_ends_while_the_task_is_made_is_not_missed(
        self, board: Database, commits: str
    ) -> None:
        """The two meet in either order: the new task is ready, or failed, or was never made; it never hangs."""
        old = (await create_steps(board, ["old"]))["old"]
        held = await claim_one(board)
        async with board.transaction() as tx:
            [made] = await create_tasks(tx, [new("young", old.id, group=old.group_id)], actor=SYSTEM)
            ending = asyncio.create_task(complete(board, held) if commits == "complete" else fail(board, old))
            await wait_for_lock(board)
        await ending
        young = await stored_task(board, made)
        assert young.ready if commits == "complete" else young.status == "failed"

    async def test_a_task_made_while_its_dependency_is_failing_is_refused(self, board: Database) -> None:
        old = (await create_steps(board, ["old"]))["old"]

        async def add() -> None:
            async with board.transaction() as tx:
                await create_tasks(tx, [new("young", old.id, group=old.group_id)], actor=SYSTEM)

        async with board.transaction() as tx:
            await move(tx, old.id, "fail", actor=FOUNDER, fields={"reason": "no"})
            adding = asyncio.create_task(add())
            await wait_for_lock(board)
        with pytest.raises(InvalidInput, match="would wait for old, which is failed"):
            await adding


class TestReadiness:
    async def test_a_diamond_is_worked_from_its_root_to_its_end(self, board: Database) -> None:
        tasks = await create_steps(board, DIAMOND)
        assert await complete_next(board) == "a"
        assert {(await complete_next(board)), (await complete_next(board))} == {"b", "c"}
        assert (await stored_task(board, tasks["d"])).pending_deps == 0
        assert await complete_next(board) == "d"
        assert await claim_up_to(board, 5) == []

    async def test_informs_edges_hold_nobody_up(self, board: Database) -> None:
        tasks = await create_steps(board, {"a": "", "b": ""}, informs=[("b", "a")])
        assert tasks["b"].ready

    async def test_siblings_that_complete_at_the_same_time_are_both_counted(self, board: Database) -> None:
        tasks = await create_steps(board, {"x": "", "y": "", "z": "x y"})
        held = await claim_up_to(board, 2)
        for task in held:
            await make_move(
                board,
                task.id,
                "deliver",
                actor=WORKER,
                attempt=1,
                fields={"deliverable_id": "d", "result_digest": "d", "result_size": 1},
            )
        async with board.transaction() as tx:
            await move(tx, held[0].id, "approve", actor=FOUNDER, fields={"reason": "good"})
            await tx.flush_deferred()
            other = asyncio.create_task(
                make_move(board, held[1].id, "approve", actor=FOUNDER, fields={"reason": "good"})
            )
            await wait_for_lock(board)
        await other
        assert (await stored_task(board, tasks["z"])).ready


class TestCascade:
    async def test_only_what_stands_below_a_failure_fails_with_it(self, board: Database) -> None:
        graph = {"a": "", "b": "a", "c": "b", "other": "", "after": "other", "told": ""}
        tasks = await create_steps(board, graph, informs=[("told", "a")])
        await fail(board, tasks["a"])
        assert await statuses(board, tasks) == {
            "a": "failed",
            "b": "failed",
            "c": "failed",
            "other": "pending",
            "after": "pending",
            "told": "pending",
        }
        below = await stored_task(board, tasks["c"])
        assert below.cascaded
        assert below.failure == "needs a, which failed"
        assert not (await stored_task(board, tasks["a"])).cascaded

    async def test_each_task_that_falls_has_its_own_event_and_marker(self, board: Database) -> None:
        tasks = await create_steps(board, {"a": "", "b": "a", "c": "b"})
        await fail(board, tasks["a"])
        for name in "bc":
            kinds, markers = await events_and_markers(board, tasks[name])
            assert kinds == ["task.created", "task.fail"]
            assert markers[-1].endswith("needs a, which failed")

    async def test_cancelling_one_task_fails_its_dependants(self, board: Database) -> None:
        tasks = await create_steps(board, {"a": "", "b": "a"})
        await make_move(board, tasks["a"].id, "cancel", actor=FOUNDER, fields={"reason": "not wanted"})
        assert await statuses(board, tasks) == {"a": "cancelled", "b": "failed"}
        assert (await stored_task(board, tasks["b"])).failure == "needs a, which was cancelled"

    async def test_a_blocked_dependant_falls_too_and_its_block_is_over(self, board: Database) -> None:
        tasks = await create_steps(board, {"a": "", "b": "a"})
        async with board.transaction() as tx:
            await block(tx, tasks["b"].id, reason="r", owner="founder", action="act", actor=SYSTEM)
        await fail(board, tasks["a"])
        assert (await stored_task(board, tasks["b"])).status == "failed"
        async with board.transaction() as tx:
            assert await blocked_tasks(tx) == []

    async def test_a_deep_graph_falls_in_one_piece(self, board: Database) -> None:
        names = [f"t{n}" for n in range(300)]
        graph = {name: (names[n - 1] if n else "") for n, name in enumerate(names)}
        tasks = await create_steps(board, graph, process="talk")
        await fail(board, tasks["t0"])
        async with board.transaction() as tx:
            stored = await tasks_of(tx, tasks["t0"].group_id)
        assert {task.status for task in stored} == {"failed"}
        assert sum(task.cascaded for task in stored) == 299

    async def test_what_was_completed_stays_completed(self, board: Database) -> None:
        tasks = await create_steps(board, {"a": "", "b": "a", "c": "b"})
        await complete_next(board)
        await fail(board, tasks["b"])
        assert await statuses(board, tasks) == {"a": "completed", "b": "failed", "c": "failed"}


class TestRetry:
    async def again(self, board: Database, task, **how) -> list[str]:
        async with board.transaction() as tx:
            return [reopened.slug for reopened in await retry(tx, task.id, actor=FOUNDER, **how)]

    async def test_it_brings_back_the_task_and_what_fell_with_it(self, board: Database) -> None:
        tasks = await create_steps(board, {"a": "", "b": "a", "c": "b", "own": "a"})
        await fail(board, tasks["own"], reason="on its own account")
        await fail(board, tasks["a"])
        assert await self.again(board, tasks["a"], note="with other sources") == ["a", "b", "c"]
        assert await statuses(board, tasks) == {
            "a": "pending",
            "b": "pending",
            "c": "pending",
            "own": "failed",
        }
        assert await complete_next(board) == "a"
        assert await complete_next(board) == "b"
        assert await complete_next(board) == "c"

    async def test_it_is_a_new_round_with_a_clean_slate(self, board: Database) -> None:
        tasks = await create_steps(board, ["a"])
        held = await claim_one(board)
        await make_move(
            board, held.id, "release", actor=WORKER, attempt=1, fields={"reason": "x"}, failed_run=True
        )
        await complete_once_then_strike_out(board)
        failed = await stored_task(board, tasks["a"])
        assert (failed.status, failed.strikes, failed.failures, failed.attempt) == ("failed", 1, 1, 2)
        await self.again(board, tasks["a"])
        fresh = await stored_task(board, tasks["a"])
        assert (fresh.status, fresh.strikes, fresh.failures, fresh.round) == ("pending", 0, 0, 1)
        assert (fresh.failure, fresh.result_digest, fresh.ended_at, fresh.ready) == (None, None, None, True)
        assert (await claim_one(board)).attempt == 3, "fencing tokens are never used twice"

    async def test_what_is_tried_again_is_not_held(self, board: Database) -> None:
        tasks = await create_steps(board, {"a": "", "b": "a"})
        async with board.transaction() as tx:
            await hold(tx, tasks["a"].group_id, held=True, actor=FOUNDER)
        await fail(board, tasks["a"])
        await self.again(board, tasks["a"])
        assert await complete_next(board) == "a"
        assert await complete_next(board) == "b"

    async def test_what_also_waits_for_another_failure_stays_down(self, board: Database) -> None:
        tasks = await create_steps(board, {"a": "", "b": "", "both": "a b", "below": "both", "only-a": "a"})
        await fail(board, tasks["a"])
        await fail(board, tasks["b"])
        assert await self.again(board, tasks["a"]) == ["a", "only-a"]
        assert (await stored_task(board, tasks["both"])).status == "failed"
        assert await self.again(board, tasks["b"]) == ["b", "both", "below"]
        assert {await complete_next(board) for _ in range(5)} == set(tasks)

    async def test_a_task_whose_dependency_has_failed_is_not_left_waiting_for_ever(
        self, board: Database
    ) -> None:
        tasks = await create_steps(board, {"a": "", "b": "a"})
        await fail(board, tasks["a"])
        with pytest.raises(TransitionRefused, match="b needs a, which is failed") as caught:
            await self.again(board, tasks["b"])
        assert caught.value.hint == "Retry a first."
        assert await statuses(board, tasks) == {"a": "failed", "b": "failed"}

    async def test_only_the_founder_may(self, board: Database) -> None:
        tasks = await create_steps(board, ["a"])
        await fail(board, tasks["a"])
        with pytest.raises(TransitionRefused, match="may not retry"):
            async with board.transaction() as tx:
                await retry(tx, tasks["a"].id, actor=SYSTEM)

    @pytest.mark.parametrize("status", ["pending", "active", "completed"])
    async def test_what_has_not_failed_cannot_be_tried_again(self, board: Database, status: str) -> None:
        tasks = await create_steps(board, ["a"])
        if status != "pending":
            held = await claim_one(board)
        if status == "completed":
            await complete(board, held)
        with pytest.raises(TransitionRefused, match=f"is {status}; retry starts from"):
            await self.again(board, tasks["a"])

    async def test_a_cancelled_task_comes_back_with_its_dependants(self, board: Database) -> None:
        tasks = await create_steps(board, {"a": "", "b": "a"})
        await make_move(board, tasks["a"].id, "cancel", actor=FOUNDER, fields={"reason": "no"})
        assert await self.again(board, tasks["a"]) == ["a", "b"]

    async def test_completed_dependencies_stay_counted(self, board: Database) -> None:
        tasks = await create_steps(board, {"x": "", "y": "", "z": "x y"})
        await complete_next(board)
        await fail(board, tasks["y"])
        await self.again(board, tasks["y"])
        assert (await stored_task(board, tasks["z"])).pending_deps == 1
        assert await complete_next(board) == "y"
        assert await complete_next(board) == "z"


async def complete_once_then_strike_out(board: Database) -> None:
    from support.board import REVIEWER, deliver

    held = await claim_one(board)
    await deliver(board, held)
    async with board.transaction() as tx:
        assert (await get_task(tx, held.id)).status == "in_review"
    await make_move(board, held.id, "strike_out", actor=REVIEWER, fields={"reason": "three times"})
