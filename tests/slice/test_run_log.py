"""The rows of runs and phases: start, end and worker of each."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel

from frasier.store import Database
from frasier.work.run_lease import Run
from frasier.work.run_log import begin_runs, end_lost_runs, end_run, end_runs_of, workers_of_open_runs
from frasier.work.run_outcomes import Done, NeedsFounder, RetryLater
from frasier.workflow import Actor, ActorKind, Task
from support.board import claim_one, create_steps


class Answer(BaseModel):
    text: str


async def begun(board: Database, slug: str, worker: str = "anna") -> Task:
    await create_steps(board, [slug])
    task = await claim_one(board)
    async with board.transaction() as tx:
        await begin_runs(tx, [task], worker=worker)
    return task


async def rows(board: Database, table: str, task: Task) -> list[dict[str, Any]]:
    async with board.transaction() as tx:
        cursor = await tx.execute(
            f"select *, ended_at >= started_at as in_order from {table} where task_id = %s order by started_at",
            (task.id,),
        )
        return await cursor.fetchall()


async def test_a_run_has_a_worker_a_start_and_its_first_end(board: Database) -> None:
    task = await begun(board, "tea")
    [run] = await rows(board, "work_runs", task)
    assert (run["attempt"], run["worker"], run["ended_at"], run["outcome"]) == (1, "anna", None, None)
    async with board.transaction() as tx:
        await end_run(tx, task, NeedsFounder("it is cold", "warm it"))
        await end_run(tx, task, Done())
    [run] = await rows(board, "work_runs", task)
    assert (run["outcome"], run["in_order"]) == ("needs_founder", True)


async def test_an_attempt_that_is_over_is_a_lost_run(board: Database) -> None:
    task = await begun(board, "tea")
    async with board.transaction() as tx:
        await end_lost_runs(tx, {task.id: task.attempt})
    assert [run["outcome"] for run in await rows(board, "work_runs", task)] == [None]
    async with board.transaction() as tx:
        await end_lost_runs(tx, {task.id: task.attempt + 1})
    assert [run["outcome"] for run in await rows(board, "work_runs", task)] == ["lost"]


async def test_the_runs_of_a_worker_that_is_gone_are_ended(board: Database) -> None:
    gone, ended, living = [
        await begun(board, name, worker) for name, worker in (("a", "ben"), ("b", "ben"), ("c", "cleo"))
    ]
    async with board.transaction() as tx:
        await end_run(tx, ended, RetryLater("later"))
        assert sorted(await workers_of_open_runs(tx)) == ["ben", "cleo"]
        await end_runs_of(tx, ["ben"])
        assert await workers_of_open_runs(tx) == ["cleo"]
    outcomes = [(await rows(board, "work_runs", task))[0]["outcome"] for task in (gone, ended, living)]
    assert outcomes == ["lost", "retry_later", None]


async def test_a_phase_has_a_start_and_an_end_when_its_result_is_stored(board: Database) -> None:
    task = await begun(board, "tea")
    run = Run(
        task,
        database=board,
        gateway=None,  # type: ignore[arg-type]
        memory=None,  # type: ignore[arg-type]
        worker=Actor(ActorKind.WORKER, "anna"),
    )

    async def answer() -> Answer:
        return Answer(text="warm")

    async def fail() -> Answer:
        raise RuntimeError

    for _ in range(2):  # the second is read back, and no phase
        assert await run.checkpoint("context", (1,), Answer, answer) == Answer(text="warm")
    with pytest.raises(RuntimeError):
        await run.checkpoint("critique", (1,), Answer, fail)
    phases = await rows(board, "work_phases", task)
    assert [(phase["phase"], phase["worker"], phase["attempt"], phase["in_order"]) for phase in phases] == [
        ("context", "anna", 1, True),
        ("critique", "anna", 1, None),
    ]
