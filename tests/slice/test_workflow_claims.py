"""Claims, leases and the beat: nothing is taken twice, nothing is lost, and dead work is in nobody's way."""

from __future__ import annotations

import asyncio
import threading
import time

import psycopg
import pytest

from frasier.board import blocked_tasks
from frasier.kernel.ids import new_id
from frasier.store import Database, Statements
from frasier.store.embedded import EmbeddedServer
from frasier.workflow import (
    FAILED_RUNS_MAX,
    READY_CHANNEL,
    SYSTEM,
    LeaseHeartbeat,
    NewTask,
    Task,
    block,
    claim,
    create_tasks,
    expire_leases_of,
    lock_attempt,
    processes,
    recover_expired,
    restore,
)
from support.board import (
    WORKER,
    claim_one,
    claim_up_to,
    complete,
    create_step,
    create_steps,
    events_and_markers,
    make_move,
    stored_task,
)


async def let_lease_run_out(board: Database, task: Task) -> None:
    async with board.transaction() as tx:
        await tx.execute(
            "update workflow_tasks set lease_until = now() - interval '1 second' where id = %s", (task.id,)
        )


async def recover(board: Database) -> list[Task]:
    async with board.transaction() as tx:
        return await recover_expired(tx, list(processes()))


class TestClaiming:
    async def test_the_most_urgent_comes_first_then_the_oldest(self, board: Database) -> None:
        await create_steps(board, ["old-low", "old-high"], priority={"old-high": 5})
        await create_steps(board, ["new-low", "new-high"], priority={"new-high": 5})
        claimed = await claim_up_to(board, 3)
        assert [task.slug for task in claimed] == ["old-high", "new-high", "old-low"]
        assert (await claim_one(board)).slug == "new-low"

    async def test_of_a_group_what_most_work_waits_for_comes_first(self, board: Database) -> None:
        await create_steps(
            board,
            {"alone": "", "short": "", "long": "", "middle": "long", "end": "middle short"},
        )
        claimed = await claim_up_to(board, 3)
        assert [(task.slug, task.path_length) for task in claimed] == [
            ("long", 3),
            ("short", 2),
            ("alone", 1),
        ]

    async def test_an_older_group_goes_before_a_longer_path(self, board: Database) -> None:
        await create_steps(board, ["last"])
        await create_steps(board, {"first": "", "second": "first"})
        assert [task.slug for task in await claim_up_to(board, 2)] == ["last", "first"]

    async def test_work_that_waits_without_a_dependency_counts(self, board: Database) -> None:
        group = new_id()
        news = [
            NewTask(
                id=new_id(),
                process="review",
                slug=slug,
                title=slug,
                group_id=group,
                length=length,
                length_behind=behind,
            )
            for slug, length, behind in (("nothing waits", 1, 0), ("step", 2, 0), ("much waits", 1, 4))
        ]
        async with board.transaction() as tx:
            await create_tasks(tx, news, actor=SYSTEM)
            claimed = await claim(tx, worker="w", names=["review"], lease_s=30, limit=3)
        assert [task.slug for task in claimed] == ["much waits", "step", "nothing waits"]

    async def test_a_task_that_waits_its_time_lets_others_pass(self, board: Database) -> None:
        await create_steps(board, ["first", "second"])
        held = await claim_one(board)
        await make_move(
            board, held.id, "release", actor=WORKER, attempt=1, fields={"reason": "busy"}, delay_s=3600
        )
        assert (await claim_one(board)).slug == "second"
        assert await claim_up_to(board, 9) == []
        async with board.transaction() as tx:
            await tx.execute("update workflow_tasks set run_after = now() where id = %s", (held.id,))
        assert (await claim_one(board)).slug == "first"

    async def test_only_the_processes_asked_for_are_taken(self, board: Database) -> None:
        await create_steps(board, ["talk"], process="talk")
        review = (await create_steps(board, ["review"], process="review"))["review"]
        async with board.transaction() as tx:
            claimed = await claim(tx, worker="w", names=["review", "mission_step"], lease_s=30, limit=9)
        assert [task.id for task in claimed] == [review.id]

    async def test_one_group_can_be_worked_on_alone(self, board: Database) -> None:
        await create_steps(board, ["other"], priority={"other": 9})
        mine = await create_step(board)
        async with board.transaction() as tx:
            claimed = await claim(
                tx, worker="w", names=["mission_step"], lease_s=30, limit=9, group_id=mine.group_id
            )
        assert [task.id for task in claimed] == [mine.id]

    async def test_sixteen_workers_never_take_one_task_twice(self, board: Database) -> None:
        group = new_id()
        async with board.transaction() as tx:
            await create_tasks(
                tx,
                [
                    NewTask(id=new_id(), process="talk", slug=f"t{n}", title="t", group_id=group)
                    for n in range(160)
                ],
                actor=SYSTEM,
            )

        async def work(name: str) -> list[Task]:
            taken: list[Task] = []
            while more := await claim_up_to(board, 3, worker=name):
                taken += more
            return taken

        hauls = await asyncio.gather(*(work(f"w{n}") for n in range(16)))
        taken = [task.id for haul in hauls for task in haul]
        assert len(taken) == len(set(taken)) == 160
        assert {task.attempt for haul in hauls for task in haul} == {1}
        assert all(task.lease_owner == f"w{n}" for n, haul in enumerate(hauls) for task in haul)

    async def test_a_claim_that_is_not_committed_is_none(self, board: Database) -> None:
        await create_step(board)
        with pytest.raises(RuntimeError):
            async with board.transaction() as tx:
                await claim(tx, worker="w", names=["mission_step"], lease_s=30)
                raise RuntimeError
        held = await claim_one(board)
        assert held.attempt == 1
        kinds, markers = await events_and_markers(board, held)
        assert kinds == ["task.created", "task.start"]
        assert len(markers) == 2

    async def test_the_marker_of_a_claim_names_the_attempt(self, board: Database) -> None:
        held = (await create_step(board), await claim_one(board))[1]
        _, markers = await events_and_markers(board, held)
        assert markers[-1].endswith("— attempt 1: Title of only")
        assert markers[-1].startswith("TASK START: WORKER claiming only")

    async def test_workers_are_woken_when_something_becomes_ready(self, board: Database) -> None:
        with psycopg.connect(board.url, autocommit=True) as listener:
            listener.execute(f"listen {READY_CHANNEL}")

            def hints() -> int:
                return len(list(listener.notifies(timeout=5, stop_after=1)))

            tasks = await create_steps(board, {"a": "", "b": "a"})
            assert hints() == 1
            await complete(board, await claim_one(board))
            assert hints() == 1, "b has become ready"
            held = await claim_one(board)
            await make_move(board, held.id, "release", actor=WORKER, attempt=1, fields={"reason": "x"})
            assert hints() == 1
            async with board.transaction() as tx:
                await block(tx, tasks["b"].id, reason="r", owner="o", action="a", actor=SYSTEM)
            async with board.transaction() as tx:
                await restore(tx, tasks["b"].id, actor=SYSTEM)
            assert hints() == 1


class TestExpiry:
    async def test_a_lease_that_runs_is_left_alone(self, board: Database) -> None:
        await create_step(board)
        held = await claim_one(board)
        assert await recover(board) == []
        assert (await stored_task(board, held)).status == "active"

    async def test_the_task_of_a_silent_worker_is_given_back_and_the_run_counted(
        self, board: Database
    ) -> None:
        await create_step(board)
        held = await claim_one(board, worker="gone")
        await let_lease_run_out(board, held)
        [released] = await recover(board)
        assert (released.status, released.failures, released.ready) == ("pending", 1, True)
        assert released.fields["reason"] == "attempt 1 of gone stopped renewing its lease"
        assert await recover(board) == []
        assert (await claim_one(board)).attempt == 2

    async def test_a_task_that_kills_every_run_is_blocked_for_the_founder(self, board: Database) -> None:
        task = await create_step(board)
        for attempt in range(1, FAILED_RUNS_MAX + 1):
            held = await claim_one(board)
            assert held.attempt == attempt
            await let_lease_run_out(board, held)
            [recovered] = await recover(board)
        assert recovered.status == "blocked"
        async with board.transaction() as tx:
            [blocked] = await blocked_tasks(tx)
        assert blocked.id == task.id
        assert blocked.reasons[0]["owner"] == "founder"
        assert blocked.reasons[0]["reason"].startswith(f"{FAILED_RUNS_MAX} runs failed")
        assert await claim_up_to(board, 9) == []

    async def test_what_a_worker_held_that_is_known_to_be_gone_is_given_back_at_once(
        self, board: Database
    ) -> None:
        await create_steps(board, ["a", "b", "c"])
        gone = await claim_up_to(board, 2, worker="gone")
        await claim_one(board, worker="alive")
        async with board.transaction() as tx:
            assert await expire_leases_of(tx, ["gone", "never heard of"]) == 2
        assert {task.slug for task in await recover(board)} == {task.slug for task in gone}

    async def test_a_lease_that_is_being_written_under_is_not_ended(self, board: Database) -> None:
        await create_step(board)
        held = await claim_one(board)
        async with board.transaction() as writing:
            await lock_attempt(writing, held.id, held.attempt)
            async with board.transaction() as tx:
                assert await expire_leases_of(tx, ["w1"]) == 0

    async def test_two_recoveries_at_once_give_a_task_back_once(self, board: Database) -> None:
        await create_steps(board, [f"t{n}" for n in range(12)])
        for task in await claim_up_to(board, 12):
            await let_lease_run_out(board, task)
        hauls = await asyncio.gather(*(recover(board) for _ in range(4)))
        assert sorted(task.slug for haul in hauls for task in haul) == sorted(f"t{n}" for n in range(12))
        assert {task.failures for haul in hauls for task in haul} == {1}

    async def test_a_task_in_a_fenced_write_is_not_given_back(self, board: Database) -> None:
        await create_step(board)
        held = await claim_one(board)
        async with board.transaction() as tx:
            await lock_attempt(tx, held.id, held.attempt)
            await tx.execute(
                "update workflow_tasks set lease_until = now() - interval '1 second' where id = %s",
                (held.id,),
            )
            assert await recover(board) == []


class TestBeat:
    """Leases of a few seconds: short enough to see, long enough for a busy machine."""

    LEASE_S = 4.0

    async def leased(self, board: Database, worker: str = "w1") -> Task:
        await create_step(board)
        return await claim_one(board, worker=worker, lease_s=self.LEASE_S)

    async def until(self, board: Database, task: Task, condition) -> Task:
        async with asyncio.timeout(20):
            while not condition(found := await stored_task(board, task)):
                await asyncio.sleep(0)
        return found

    async def test_it_renews_while_the_event_loop_is_busy(self, board: Database) -> None:
        held = await self.leased(board)
        with LeaseHeartbeat(board.url, "w1", self.LEASE_S) as beat:
            beat.hold(held.id)
            busy_until = time.monotonic() + 1.5 * self.LEASE_S
            while time.monotonic() < busy_until:
                pass  # nothing of this loop runs meanwhile
            renewed = await stored_task(board, held)
        assert renewed.lease_until > held.lease_until
        assert await recover(board) == []

    async def test_what_is_not_held_runs_out(self, board: Database) -> None:
        held, other = await self.leased(board), await self.leased(board)
        with LeaseHeartbeat(board.url, "w1", self.LEASE_S) as beat:
            beat.hold(held.id)
            beat.hold(other.id)
            await self.until(board, other, lambda task: task.lease_until > other.lease_until)
            beat.drop(other.id)
            dropped = await stored_task(board, other)
            await self.until(board, held, lambda task: task.lease_until > dropped.lease_until)
            await self.until(board, held, lambda task: task.lease_until > dropped.lease_until)
        assert (await stored_task(board, other)).lease_until <= dropped.lease_until

    async def test_a_lease_that_somebody_else_has_is_told_as_lost_and_not_renewed(
        self, board: Database
    ) -> None:
        held = await self.leased(board)
        await make_move(board, held.id, "release", actor=SYSTEM, fields={"reason": "silent"})
        taken = await claim_one(board, worker="w2", lease_s=500)
        with LeaseHeartbeat(board.url, "w1", self.LEASE_S) as beat:
            beat.hold(held.id)
            async with asyncio.timeout(20):
                while held.id not in beat.lost:
                    await asyncio.sleep(0)
            beat.drop(held.id)
            assert beat.lost == set()
        assert (await stored_task(board, held)).lease_until == taken.lease_until

    async def test_it_survives_a_killed_connection(self, board: Database) -> None:
        held = await self.leased(board)
        with LeaseHeartbeat(board.url, "w1", self.LEASE_S) as beat:
            beat.hold(held.id)
            first = await self.until(board, held, lambda task: task.lease_until > held.lease_until)
            async with board.transaction() as tx:
                cursor = await tx.execute(
                    "select pg_terminate_backend(pid) from pg_stat_activity"
                    " where datname = current_database() and query like %s and pid <> pg_backend_pid()",
                    ("%Extends the leases%",),
                )
                assert cursor.rowcount >= 1  # that of a test before may not be gone yet
            await self.until(board, held, lambda task: task.lease_until > first.lease_until)
            assert beat.lost == set()
        assert await recover(board) == []

    async def test_one_task_in_a_long_write_does_not_cost_the_others_their_leases(
        self, board: Database
    ) -> None:
        written, other = await self.leased(board), await self.leased(board)
        with LeaseHeartbeat(board.url, "w1", self.LEASE_S) as beat:
            async with board.transaction() as tx:
                await lock_attempt(tx, written.id, written.attempt)
                beat.hold(written.id)
                beat.hold(other.id)
                await self.until(board, other, lambda task: task.lease_until > other.lease_until)
                assert beat.lost == set(), "it is being written, not lost"
            await self.until(board, written, lambda task: task.lease_until > written.lease_until)

    async def test_a_task_claimed_again_by_the_same_worker_is_renewed_until_its_last_run_ends(
        self, board: Database
    ) -> None:
        held = await self.leased(board)
        with LeaseHeartbeat(board.url, "w1", self.LEASE_S) as beat:
            beat.hold(held.id)
            await make_move(board, held.id, "release", actor=SYSTEM, fields={"reason": "silent"})
            again = await claim_one(board, worker="w1", lease_s=self.LEASE_S)
            beat.hold(again.id)
            beat.drop(held.id)  # the first run has noticed
            renewed = await self.until(board, again, lambda task: task.lease_until > again.lease_until)
            assert (renewed.attempt, renewed.lease_owner) == (again.attempt, "w1")

    async def test_it_ends_with_its_worker_even_where_the_database_is_gone(self) -> None:
        beat = LeaseHeartbeat("postgresql://nobody@127.0.0.1:1/none", "w1", self.LEASE_S)
        with beat:
            beat.hold(new_id())
        assert "lease-beat" not in {thread.name for thread in threading.enumerate()}


class TestPlans:
    async def test_dead_work_is_not_even_looked_at_among_sixty_thousand_tasks(
        self, db: Database, server: EmbeddedServer, database_name: str
    ) -> None:
        """A thousand blocked, failed and held tasks, more urgent and older than the one that is ready."""
        dead, group = new_id(), new_id()
        async with db.transaction() as tx:
            await tx.execute(
                """
                insert into workflow_tasks (id, process, slug, title, group_id, status, role, claimable, held,
                    priority, pending_deps, failure, result_digest, result_size, ended_at, outcome)
                select gen_random_uuid(), 'mission_step', 't' || n, 'title', %(group)s,
                    (array['pending', 'completed', 'failed'])[1 + n %% 3], 'worker', n %% 3 = 0, false,
                    5, case when n %% 3 = 0 then 1 else 0 end, case when n %% 3 = 2 then 'no way' end,
                    'digest', 1, case when n %% 3 > 0 then now() end,
                    (array[null, 'completed', 'failed'])[1 + n %% 3]
                from generate_series(0, 59999) n
                """,
                {"group": group},
            )
            await tx.execute(
                """
                insert into workflow_tasks (id, process, slug, title, group_id, status, role, claimable, held,
                    priority, failure, ended_at, outcome)
                select gen_random_uuid(), 'mission_step', 'd' || n, 'title', %(group)s,
                    (array['blocked', 'failed', 'pending'])[1 + n %% 3], 'worker', n %% 3 = 2, n %% 3 = 2,
                    9, case when n %% 3 = 1 then 'no way' end, case when n %% 3 = 1 then now() end,
                    case when n %% 3 = 1 then 'failed' end
                from generate_series(0, 999) n
                """,
                {"group": dead},
            )
        live = await create_step(db)
        plans = [await explain_claim(db)]
        with psycopg.connect(server.url("frasier_owner", database_name), autocommit=True) as owner:
            owner.execute("analyze workflow_tasks")
        plans.append(await explain_claim(db))
        for plan in plans:
            assert "using workflow_tasks_ready" in plan, plan
            assert "using workflow_tasks_pkey" in plan, plan
            assert "Seq Scan" not in plan, plan
        assert (await claim_one(db)).id == live.id
        assert await claim_up_to(db, 9) == []

    async def test_expired_leases_are_found_by_their_index(self, board: Database) -> None:
        statements = Statements("frasier.workflow").by_name
        async with board.transaction() as tx:
            await tx.execute("set local enable_seqscan = off")
            cursor = await tx.execute(
                "explain " + statements["expired_leases"], {"processes": ["mission_step"], "id": None}
            )
            plan = "\n".join(row["QUERY PLAN"] for row in await cursor.fetchall())
        assert "workflow_tasks_leased" in plan, plan


async def explain_claim(db: Database) -> str:
    parameters = {
        "worker": "w",
        "lease_s": 30.0,
        "limit": 1,
        "group_id": None,
        "except_groups": [],
        "processes": ["mission_step", "review"],
        "statuses": ["active", "active"],
        "roles": ["worker", "worker"],
        "events": ["task.start", "task.start"],
        "actor": "worker:w",
    }
    async with db.transaction() as tx:
        cursor = await tx.execute(
            "explain " + Statements("frasier.workflow").by_name["claim_ready"], parameters
        )
        return "\n".join(row["QUERY PLAN"] for row in await cursor.fetchall())
