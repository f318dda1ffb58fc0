"""Waits of tasks whose runs met an outage of a service, and the one that tries whether it is over."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

import pytest

from frasier.kernel.ids import new_id
from frasier.org.conversation import ANNOUNCE
from frasier.store import Database, latest_effects
from frasier.work.outages import ASKS_AFTER_S, end_outage_delays, wait_or_ask
from frasier.work.run_log import begin_runs, end_run
from frasier.work.run_outcomes import NeedsFounder, RetryLater, RunOutcome, WaitOut
from frasier.work.settings import WorkerSettings
from frasier.workflow import Task
from support.board import WORKER, claim_one, claim_up_to, create_steps, make_move

SETTINGS = WorkerSettings(retry_base_s=5.0, retry_max_s=900.0)
HOURLY = WorkerSettings(retry_base_s=5.0, retry_max_s=3_600.0)
DOWN = WaitOut("It is down.", action="Look at it.")


async def end_next_run(
    board: Database, outcome: RunOutcome, *, ended_s_ago: float = 0.0, delay_s: float = 900.0
) -> Task:
    """Claim the next task, and end its run with `outcome`, some time ago."""
    task = await claim_one(board)
    async with board.transaction() as tx:
        await begin_runs(tx, [task], worker="w1")
        await end_run(tx, task, outcome)
        await tx.execute(
            "update work_runs set started_at = ended_at - make_interval(secs => %(ago)s::float8),"
            " ended_at = ended_at - make_interval(secs => %(ago)s::float8),"
            " not_before = not_before - make_interval(secs => %(ago)s::float8) where task_id = %(id)s and attempt = %(attempt)s",
            {"ago": ended_s_ago, "id": task.id, "attempt": task.attempt},
        )
    reason = {"reason": "it is down"}
    return await make_move(
        board, task.id, "release", actor=WORKER, attempt=task.attempt, fields=reason, delay_s=delay_s
    )


async def next_step(
    board: Database, task: Task, outcome: WaitOut = DOWN, *, settings: WorkerSettings = SETTINGS
) -> NeedsFounder | float:
    async with board.transaction() as tx:
        return await wait_or_ask(tx, task, outcome, settings)


async def end_delays(board: Database, except_groups: Collection[UUID] = ()) -> list[str]:
    """Look for delays that an outage made and that are over; return the tasks that can be claimed."""
    async with board.transaction() as tx:
        await end_outage_delays(
            tx, ["mission_step"], rehearsal=False, group_id=None, except_groups=except_groups, probe_s=60.0
        )
    return sorted(task.slug for task in await claim_up_to(board, 10))


async def try_one(board: Database) -> None:
    """Let a task of its own meet an outage, and try again just now."""
    await create_steps(board, ["probe"])
    await end_next_run(board, DOWN, ended_s_ago=90, delay_s=0.0)
    await end_next_run(board, DOWN)


@pytest.fixture
def board(db: Database) -> Database:
    """A database of its own: the ledger keeps the calls of other tests."""
    return db


async def answer(
    board: Database,
    *,
    s_ago: float,
    task: Task | None = None,
    model: str = "m",
    rehearsal: bool = False,
    error_code: str | None = None,
) -> None:
    """Store an answer of a model, to `task` or to none; with `error_code` its failure."""
    async with board.transaction() as tx:
        await tx.execute(
            "insert into llm_calls (id, task_id, attempt, phase, purpose, tier_asked, tier_served, provider, model,"
            " fingerprint, reserved_usd_micros, reserved_tokens, rehearsal, prompt_version, state, ended_at,"
            " error_code, error, reply_text, finish_reason, duration_ms)"
            " values (%s, %s, 0, '', 'plan', 'T1', 'T1', 'there', %s, %s, 0, 0, %s, 1, %s,"
            " frasier_now() - make_interval(secs => %s::float8), %s, %s, 'Yes.', 'stop', 1)",
            (
                new_id(),
                task.id if task else None,
                model,
                new_id().hex * 2,
                rehearsal,
                "failed" if error_code else "settled",
                s_ago,
                error_code,
                "It is out of order." if error_code else None,
            ),
        )


async def test_the_waits_double_up_to_the_longest_and_are_never_shorter_than_the_service_asked_for(
    board: Database,
) -> None:
    task = (await create_steps(board, ["tea"]))["tea"]
    waits = []
    for _ in range(10):
        waits.append(await next_step(board, task))
        await end_next_run(board, DOWN, delay_s=0.0)
    assert waits == [5, 10, 20, 40, 80, 160, 320, 640, 900, 900]
    assert await next_step(board, task, WaitOut("Slow down.", after_s=3_000)) == 3_000
    await end_next_run(board, RetryLater("The reply was unusable."), delay_s=0.0)
    assert await next_step(board, task) == 5, "the service answered: the next outage is another one"


SILENT = WaitOut("there cannot be reached.", action="Check the base URL.", cause_key="service:there")


async def test_a_service_that_has_never_answered_is_asked_about_after_two_minutes(board: Database) -> None:
    task = (await create_steps(board, ["tea"]))["tea"]
    for ago in (119, 90, 60):
        await end_next_run(board, SILENT, ended_s_ago=ago, delay_s=0.0)
        await answer(board, s_ago=ago, task=task, error_code="provider_unavailable")
    assert await next_step(board, task, SILENT) == 40
    await end_next_run(board, SILENT, ended_s_ago=30, delay_s=0.0)
    await shift_runs(board, 2)
    question = await next_step(board, task, SILENT)
    assert isinstance(question, NeedsFounder)
    assert question.reason == "No model at there has ever answered. It is out of order."
    assert (question.action, question.cause_key) == ("Check the base URL. Then continue", "service:there")
    await answer(board, s_ago=9_000)
    assert await next_step(board, task, SILENT) == 80, "it has answered somebody: it is an outage"


async def test_a_known_service_that_fails_for_ten_minutes_is_announced_once_while_it_is_tried_on(
    board: Database,
) -> None:
    task = (await create_steps(board, ["tea"]))["tea"]
    await answer(board, s_ago=9_000)
    for ago in (590, 400, 200):
        await end_next_run(board, SILENT, ended_s_ago=ago, delay_s=0.0)
    assert await next_step(board, task, SILENT) == 40
    assert await announced(board) == []
    await shift_runs(board, 20)
    for _ in range(3):
        assert await next_step(board, task, SILENT) == 40
    (told,) = await announced(board)
    assert told == (
        "there cannot be reached. It is asked again by itself; if this lasts: check the base URL."
    )


async def announced(board: Database) -> list[str]:
    async with board.transaction() as tx:
        return [str(one.payload["text"]) for one in await latest_effects(tx, kind=ANNOUNCE, limit=9)]


async def shift_runs(board: Database, seconds: float) -> None:
    """Let all runs have ended earlier by some seconds."""
    async with board.transaction() as tx:
        await tx.execute(
            "update work_runs set started_at = started_at - make_interval(secs => %(s)s::float8),"
            " ended_at = ended_at - make_interval(secs => %(s)s::float8)",
            {"s": seconds},
        )


async def test_an_outage_of_a_night_asks_nobody_and_one_of_a_day_does(board: Database) -> None:
    task = (await create_steps(board, ["tea"]))["tea"]
    for hours_ago in range(23, 0, -1):
        await end_next_run(board, DOWN, ended_s_ago=hours_ago * 3_600, delay_s=0.0)
    assert await next_step(board, task, settings=HOURLY) == 3_600
    await end_next_run(board, RetryLater("The reply was unusable."), delay_s=0.0)
    for hours_ago in range(24, 0, -1):
        await end_next_run(board, DOWN, ended_s_ago=hours_ago * 3_600, delay_s=0.0)
    asked = await next_step(board, task, settings=HOURLY)
    assert isinstance(asked, NeedsFounder)
    assert asked.reason == "it has met an outage for 24 hours, in 25 runs; the last: It is down."
    assert asked.action == "Look at it. Then continue"


async def test_time_in_which_nobody_worked_on_a_task_is_no_outage(board: Database) -> None:
    task = (await create_steps(board, ["tea"]))["tea"]
    for days_ago in (4, 2):
        await end_next_run(board, DOWN, ended_s_ago=days_ago * 86_400, delay_s=0.0)
    assert await next_step(board, task) == 20


async def test_time_in_which_a_service_asks_to_be_left_alone_is_an_outage(board: Database) -> None:
    task = (await create_steps(board, ["tea"]))["tea"]
    tomorrow = WaitOut("The quota of the day is used up.", after_s=ASKS_AFTER_S)
    await end_next_run(board, tomorrow, ended_s_ago=ASKS_AFTER_S, delay_s=0.0)
    assert isinstance(await next_step(board, task), NeedsFounder)


async def test_an_answer_of_a_model_to_the_task_ends_its_outage(board: Database) -> None:
    task = (await create_steps(board, ["tea"]))["tea"]
    for hours_ago in range(24, 0, -1):
        await end_next_run(board, DOWN, ended_s_ago=hours_ago * 3_600, delay_s=0.0)
    await answer(board, s_ago=60)
    assert isinstance(await next_step(board, task, settings=HOURLY), NeedsFounder), "it answered another task"
    await answer(board, s_ago=60, task=task)
    assert await next_step(board, task) == 5


async def test_once_a_minute_the_task_that_waits_longest_tries_whether_the_outage_is_over(
    board: Database,
) -> None:
    await create_steps(board, ["tea", "milk", "oats"])
    for ago in (70, 80, 90):
        await end_next_run(board, DOWN, ended_s_ago=ago)
    (tried,) = await end_delays(board)
    assert tried == "oats"
    assert await end_delays(board) == ["milk"], "a claim without a run began nothing"
    await create_steps(board, ["rye"])
    await end_next_run(board, DOWN, delay_s=0.0)
    assert await end_delays(board) == ["rye", "tea"], "a task that met no outage before tries none"


async def test_no_other_task_tries_within_the_minute(board: Database) -> None:
    await try_one(board)
    await create_steps(board, ["tea"])
    await end_next_run(board, DOWN, ended_s_ago=80)
    assert await end_delays(board) == []


async def test_when_a_model_has_answered_all_that_waited_before_go_on(board: Database) -> None:
    await create_steps(board, ["tea", "milk", "oats", "rye"])
    slow_down = WaitOut("Slow down.", after_s=3_000)
    for ago, outcome in ((200, DOWN), (150, DOWN), (90, DOWN), (200, slow_down)):
        await end_next_run(board, outcome, ended_s_ago=ago)
    await answer(board, s_ago=120)
    assert len(await end_delays(board)) == 2, "one met the outage later, and one was asked to wait"


async def test_a_delay_after_a_failed_run_is_not_ended(board: Database) -> None:
    await create_steps(board, ["tea"])
    await end_next_run(board, RetryLater("The reply was unusable."), ended_s_ago=100)
    await answer(board, s_ago=50)
    assert await end_delays(board) == []


async def test_only_an_answer_of_a_model_that_failed_the_task_ends_its_delay(board: Database) -> None:
    await try_one(board)
    tasks = await create_steps(board, ["tea", "milk"])
    for _ in tasks:
        await end_next_run(board, DOWN, ended_s_ago=100)
    await answer(board, s_ago=120, task=tasks["tea"], error_code="provider_unavailable")
    await answer(board, s_ago=110, task=tasks["tea"], model="other", error_code="bad_reply")
    await answer(board, s_ago=50, rehearsal=True)
    assert await end_delays(board) == [], "the rehearsal is no real model"
    await answer(board, s_ago=50, model="other")
    assert await end_delays(board) == ["milk"], "no call tells which model failed it"
    await answer(board, s_ago=50)
    assert await end_delays(board) == ["tea"]


async def test_delays_of_the_missions_that_a_worker_leaves_to_others_are_not_ended(board: Database) -> None:
    task = (await create_steps(board, ["tea"]))["tea"]
    await end_next_run(board, DOWN, ended_s_ago=100)
    assert await end_delays(board, except_groups=[task.group_id]) == []
    assert await end_delays(board) == ["tea"]
