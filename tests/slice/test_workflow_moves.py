"""Moves on a real database: what a transition changes, what it leaves behind, and what is refused."""

from __future__ import annotations

import asyncio
from typing import Any

import psycopg
import pytest
from bench.round_trips import count_round_trips

from frasier.kernel.errors import (
    InvalidInput,
    InvariantBroken,
    LeaseLost,
    NotFound,
    Stale,
    TransitionRefused,
)
from frasier.kernel.ids import new_id
from frasier.store import Database, enqueue_effect, events_of
from frasier.store.embedded import EmbeddedServer
from frasier.workflow import (
    FOUNDER,
    POLICY,
    SYSTEM,
    NewTask,
    block,
    claim,
    create_tasks,
    lock_attempt,
    move,
    restore,
)
from support.board import (
    RESULT,
    REVIEWER,
    WORKER,
    claim_one,
    claim_up_to,
    complete,
    create_step,
    deliver,
    events_and_markers,
    make_move,
    stored_task,
    wait_for_lock,
)


async def test_a_step_goes_from_pending_to_completed_and_keeps_its_result(board: Database) -> None:
    task = await create_step(board)
    assert (task.status, task.ready, task.role) == ("pending", True, "worker")
    held = await claim_one(board)
    assert (held.status, held.attempt, held.lease_owner, held.ready) == ("active", 1, "w1", False)
    delivered = await deliver(board, held)
    assert (delivered.status, delivered.role, delivered.lease_owner) == ("in_review", "reviewer", None)
    done = await make_move(board, task.id, "approve", actor=REVIEWER, fields={"reason": "good"})
    assert (done.status, done.terminal, done.result_size) == ("completed", True, 10)
    assert done.ended_at is not None
    assert done.fields["deliverable_id"] == "d-1"
    assert done.fields["reason"] == "good"


async def test_every_move_has_exactly_one_event_and_one_marker(board: Database) -> None:
    task = await create_step(board)
    held = await claim_one(board)
    await make_move(
        board, held.id, "release", actor=WORKER, attempt=1, fields={"reason": "the page was down"}
    )
    held = await claim_one(board)
    await deliver(board, held)
    await make_move(board, task.id, "reject", actor=REVIEWER, fields={"feedback": "thin"})
    await complete(board, await claim_one(board))
    kinds, markers = await events_and_markers(board, task)
    expected = ["created", "start", "release", "start", "deliver", "reject", "start", "deliver", "approve"]
    assert kinds == [f"task.{name}" for name in expected]
    assert len(markers) == len(kinds)
    assert markers[0] == f"TASK CREATED: SYSTEM only ({str(task.group_id)[:8]}) — Title of only"
    assert markers[2] == f"TASK active→pending: WORKER only ({str(task.group_id)[:8]}) — the page was down"
    assert markers[5].endswith("— thin")


async def test_an_event_tells_from_where_to_where_by_whom_and_why(board: Database) -> None:
    await create_step(board)
    held = await claim_one(board)
    fields = {"reason": "no luck", "attempt": 99, "slug": "forged", "to": "forged"}
    await make_move(board, held.id, "release", actor=WORKER, attempt=1, fields=fields)
    async with board.transaction() as tx:
        event = (await events_of(tx, held.id))[-1]
    assert event.actor == "worker:w1"
    told = {
        name: event.payload[name] for name in ("from", "to", "note", "reason", "slug", "attempt", "group")
    }
    assert told == {
        "from": "active",
        "to": "pending",
        "note": "no luck",
        "reason": "no luck",
        "slug": "only",
        "attempt": 1,
        "group": str(held.group_id),
    }


async def test_a_rejection_is_a_strike_and_the_step_can_be_claimed_again_at_once(board: Database) -> None:
    task = await create_step(board)
    await deliver(board, await claim_one(board))
    assert await claim_up_to(board, 9) == [], "a step in review is not claimed"
    rejected = await make_move(board, task.id, "reject", actor=REVIEWER, fields={"feedback": "no sources"})
    assert (rejected.status, rejected.strikes, rejected.ready) == ("pending", 1, True)
    assert rejected.fields["feedback"] == "no sources"
    assert (await claim_one(board)).attempt == 2


@pytest.mark.parametrize(
    ("transition", "actor", "fields", "says"),
    [
        ("launch", FOUNDER, {}, "has no move"),
        ("approve", POLICY, {"reason": "x"}, "approve starts from in_review"),
        ("fail", REVIEWER, {"reason": "x"}, "may not fail"),
        ("cancel", FOUNDER, {}, "lacks reason"),
        ("cancel", FOUNDER, {"reason": "  "}, "lacks reason"),
        ("start", WORKER, {}, "cannot be moved by start alone"),
        ("retry", FOUNDER, {}, "retry starts from"),
        ("fail", WORKER, {"reason": "x"}, "did not name an attempt"),
    ],
)
async def test_what_is_not_permitted_changes_nothing(
    board: Database, transition, actor, fields, says
) -> None:
    task = await create_step(board)
    before = await stored_task(board, task), await events_and_markers(board, task)
    async with board.transaction() as tx:
        with pytest.raises(TransitionRefused, match=says) as caught:
            await move(tx, task.id, transition, actor=actor, fields=fields)
    assert caught.value.hint or caught.value.advice or caught.value.facts["missing"]
    assert "unchanged" in caught.value.kept
    assert (await stored_task(board, task), await events_and_markers(board, task)) == before


async def test_retry_is_no_mere_move(board: Database) -> None:
    task = await create_step(board)
    await make_move(board, task.id, "cancel", actor=FOUNDER, fields={"reason": "no"})
    with pytest.raises(TransitionRefused, match="cannot be moved by retry alone"):
        await make_move(board, task.id, "retry", actor=FOUNDER)


async def test_an_unknown_task_is_not_found(board: Database) -> None:
    with pytest.raises(NotFound):
        await make_move(board, new_id(), "cancel", actor=FOUNDER, fields={"reason": "no"})


async def test_a_delay_keeps_a_released_task_from_being_claimed(board: Database) -> None:
    await create_step(board)
    held = await claim_one(board)
    released = await make_move(
        board,
        held.id,
        "release",
        actor=WORKER,
        attempt=1,
        fields={"reason": "busy"},
        delay_s=3600,
        failed_run=True,
    )
    assert released.ready
    assert released.failures == 1
    assert await claim_up_to(board, 9) == []


async def test_a_marker_that_cannot_be_written_undoes_the_whole_move(
    db: Database, server: EmbeddedServer, database_name: str
) -> None:
    task = await create_step(db)
    held = await claim_one(db)
    before = await stored_task(db, task), await events_and_markers(db, task)
    with psycopg.connect(server.url("frasier_owner", database_name), autocommit=True) as owner:
        owner.execute("alter table memory_items add constraint no_more check (kind <> 'marker') not valid")
    with pytest.raises(psycopg.errors.CheckViolation):
        await deliver(db, held)
    assert (await stored_task(db, task), await events_and_markers(db, task)) == before


async def test_an_event_that_is_too_large_undoes_the_whole_move(board: Database) -> None:
    task = await create_step(board)
    held = await claim_one(board)
    before = await stored_task(board, task), await events_and_markers(board, task)
    fields = {**RESULT, "pages": [{"text": f"page {n} " * 20} for n in range(1_000)]}
    with pytest.raises(InvariantBroken, match="larger than"):
        await make_move(board, task.id, "deliver", actor=WORKER, attempt=held.attempt, fields=fields)
    assert (await stored_task(board, task), await events_and_markers(board, task)) == before


async def test_of_two_sessions_that_make_the_same_move_one_wins_and_the_other_hears_stale(
    board: Database,
) -> None:
    task = await create_step(board)
    await deliver(board, await claim_one(board))
    async with board.transaction() as first:
        await move(first, task.id, "approve", actor=POLICY, fields={"reason": "good"})
        await first.flush_deferred()
        second = asyncio.create_task(
            make_move(board, task.id, "reject", actor=REVIEWER, fields={"feedback": "bad"})
        )
        await wait_for_lock(board)
    with pytest.raises(Stale):
        await second
    kinds, markers = await events_and_markers(board, task)
    assert kinds[-1] == "task.approve"
    assert len(kinds) == len(markers) == 4


async def test_a_transition_takes_four_round_trips_at_most(board: Database) -> None:
    task = await create_step(board)
    held = await claim_one(board)

    async def transition(name: str, **how: Any) -> None:
        async with database.transaction() as tx:
            await move(tx, task.id, name, **how)
            await enqueue_effect(
                tx, kind="announce", key=f"{name}:{task.id}", stream=task.id, payload={"what": name}
            )

    async with Database(board.url, connections=1) as database:
        deliver = transition("deliver", actor=WORKER, attempt=held.attempt, fields=RESULT)
        approve = transition("approve", actor=POLICY, fields={"reason": "good"})
        counts = [await count_round_trips(database, deliver), await count_round_trips(database, approve)]
    assert 1 <= min(counts) <= max(counts) <= 4
    assert (await stored_task(board, task)).status == "completed"


class TestFencing:
    """An attempt that lost its lease can write nothing, anywhere."""

    @pytest.fixture
    async def stale(self, board: Database):
        """A task whose first attempt lost its lease to a second."""
        await create_step(board)
        first = await claim_one(board, worker="w1")
        await make_move(
            board, first.id, "release", actor=SYSTEM, fields={"reason": "stopped renewing its lease"}
        )
        second = await claim_one(board, worker="w2")
        assert (first.attempt, second.attempt) == (1, 2)
        return first

    @pytest.mark.parametrize(
        ("transition", "fields"),
        [("deliver", RESULT), ("release", {"reason": "late"}), ("fail", {"reason": "late"})],
    )
    async def test_it_cannot_move(self, board: Database, stale, transition, fields) -> None:
        before = await stored_task(board, stale), await events_and_markers(board, stale)
        with pytest.raises(LeaseLost):
            await make_move(board, stale.id, transition, actor=WORKER, attempt=1, fields=fields)
        assert (await stored_task(board, stale), await events_and_markers(board, stale)) == before

    async def test_it_cannot_block(self, board: Database, stale) -> None:
        before = await stored_task(board, stale), await events_and_markers(board, stale)
        async with board.transaction() as tx:
            with pytest.raises(LeaseLost):
                await block(tx, stale.id, reason="late", owner="founder", action="x", actor=WORKER, attempt=1)
        assert (await stored_task(board, stale), await events_and_markers(board, stale)) == before

    async def test_it_cannot_add_a_reason_to_a_block(self, board: Database, stale) -> None:
        async with board.transaction() as tx:
            await block(tx, stale.id, reason="a", owner="founder", action="x", actor=SYSTEM)
        with pytest.raises(LeaseLost):
            async with board.transaction() as tx:
                await block(tx, stale.id, reason="late", owner="founder", action="x", actor=WORKER, attempt=2)
        kinds, _ = await events_and_markers(board, stale)
        assert kinds.count("task.block") == 1

    async def test_it_does_not_pass_the_fence(self, board: Database, stale) -> None:
        async with board.transaction() as tx:
            with pytest.raises(LeaseLost):
                await lock_attempt(tx, stale.id, 1)
            assert await lock_attempt(tx, stale.id, 2) is False

    async def test_a_lease_that_changes_hands_while_the_worker_writes_is_noticed_by_the_write_itself(
        self, board: Database
    ) -> None:
        """The task is active before and after; only the attempt tells the two apart."""
        await create_step(board)
        first = await claim_one(board)
        async with board.transaction() as tx:
            await move(tx, first.id, "release", actor=SYSTEM, fields={"reason": "silent"})
            [second] = await claim(tx, worker="w2", names=["mission_step"], lease_s=60)
            late = asyncio.create_task(deliver(board, first))
            await wait_for_lock(board)
        with pytest.raises(LeaseLost):
            await late
        assert await stored_task(board, first) == second

    async def test_a_finished_attempt_holds_nothing_any_more(self, board: Database) -> None:
        await create_step(board)
        held = await claim_one(board)
        await deliver(board, held)
        with pytest.raises(LeaseLost):
            await deliver(board, held)
        async with board.transaction() as tx:
            with pytest.raises(LeaseLost):
                await lock_attempt(tx, held.id, held.attempt)

    async def test_the_fence_is_held_until_the_transaction_ends(self, board: Database) -> None:
        await create_step(board)
        held = await claim_one(board)
        async with board.transaction() as tx:
            await lock_attempt(tx, held.id, held.attempt)
            taken = asyncio.create_task(
                make_move(board, held.id, "release", actor=SYSTEM, fields={"reason": "gone"})
            )
            await wait_for_lock(board)
            assert not taken.done()
        assert (await taken).status == "pending"


_FREED = "lease_owner = null, lease_until = null"


@pytest.mark.parametrize(
    "change",
    [
        f"{_FREED}, status = 'completed', outcome = 'completed', ended_at = now()",
        f"{_FREED}, status = 'completed', outcome = 'completed', result_digest = 'x', ended_at = now()",
        f"{_FREED}, status = 'failed', outcome = 'failed', ended_at = now()",
        "outcome = 'odd', ended_at = now()",
        "outcome = 'cancelled'",
        "version = 0",
        "status = 'in_review', lease_owner = null, lease_until = null, ended_at = now()",
        "status = 'pending'",
        "lease_owner = null, lease_until = null",
        "lease_until = null",
        "claimable = true",
        "pending_deps = -1",
        "cascaded = true",
        "result_size = 0",
        "fields = '[]'",
    ],
)
async def test_the_schema_itself_refuses_a_task_in_an_impossible_state(board: Database, change: str) -> None:
    held = (await create_step(board), await claim_one(board))[1]
    with pytest.raises(psycopg.errors.CheckViolation):
        async with board.transaction() as tx:
            await tx.execute(f"update workflow_tasks set {change} where id = %s", (held.id,))
    assert await stored_task(board, held) == held


async def test_nobody_but_founder_and_system_restores(board: Database) -> None:
    task = await create_step(board)
    async with board.transaction() as tx:
        await block(tx, task.id, reason="r", owner="founder", action="a", actor=SYSTEM)
    for actor in (WORKER, REVIEWER, POLICY):
        with pytest.raises(TransitionRefused, match="may not restore"):
            async with board.transaction() as tx:
                await restore(tx, task.id, actor=actor)


async def test_a_title_may_hold_anything_that_people_write(board: Database) -> None:
    odd = "100 % of “it” — 'quoted'; \\x00 {braces} %(name)s 日本語 🙂\n\tnext line"
    async with board.transaction() as tx:
        [made] = await create_tasks(
            tx,
            [NewTask(id=new_id(), process="talk", slug="odd %s", title=odd, group_id=new_id())],
            actor=SYSTEM,
        )
    assert (await stored_task(board, made)).title == odd


async def test_an_unknown_process_makes_nothing(board: Database) -> None:
    async with board.transaction() as tx:
        with pytest.raises(InvalidInput, match="Unknown process: nonsense"):
            await create_tasks(
                tx,
                [NewTask(id=new_id(), process="nonsense", slug="a", title="a", group_id=new_id())],
                actor=SYSTEM,
            )
