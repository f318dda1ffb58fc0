"""The start, end and worker of every run, written by its runner."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from frasier.store import Statements, Tx, from_row
from frasier.work.run_outcomes import Done, GivenUp, NeedsFounder, Paused, RetryLater, RunOutcome, WaitOut
from frasier.workflow import Task

_sql = Statements("frasier.work")

_NAMES: Mapping[type[RunOutcome], str] = {
    Done: "done",
    RetryLater: "retry_later",
    WaitOut: "outage",
    NeedsFounder: "needs_founder",
    GivenUp: "given_up",
    Paused: "paused",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPhase:
    """A phase of a run; without an end it is the current one, or its run was interrupted."""

    task_id: UUID
    attempt: int
    phase: str
    fingerprint: str
    started_at: datetime
    ended_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedRun:
    """A run of a task, with its phases. One without an end is going on."""

    task_id: UUID
    attempt: int
    worker: str
    started_at: datetime
    ended_at: datetime | None
    outcome: str | None
    phases: tuple[RunPhase, ...] = ()


async def begin_runs(tx: Tx, claimed: Sequence[Task], *, worker: str) -> None:
    """Record the runs of tasks that `worker` claims in this transaction."""
    if claimed:
        attempts = [task.attempt for task in claimed]
        await _sql.run(
            tx, "begin_runs", task_ids=[task.id for task in claimed], attempts=attempts, worker=worker
        )


async def end_run(tx: Tx, task: Task, outcome: RunOutcome | None) -> None:
    """Record the end of the run of `task`; None if it lost its task. The first end counts."""
    name = _NAMES[type(outcome)] if outcome else "lost"
    left_alone_s = outcome.after_s if isinstance(outcome, WaitOut) else None
    await _sql.run(
        tx, "end_run", task_id=task.id, attempt=task.attempt, outcome=name, left_alone_s=left_alone_s
    )


async def end_lost_runs(tx: Tx, over: Mapping[UUID, int]) -> None:
    """End the runs of tasks, by id, with an attempt below the given one."""
    if over:
        await _sql.run(tx, "end_lost_runs", task_ids=list(over), before_attempts=list(over.values()))


async def workers_of_open_runs(tx: Tx) -> list[str]:
    """Return the names of the workers with open runs."""
    return [row["worker"] for row in await _sql.all(tx, "workers_of_open_runs")]


async def end_runs_of(tx: Tx, workers: Sequence[str]) -> None:
    """End the open runs of dead workers."""
    await _sql.run(tx, "end_runs_of", workers=list(workers))


async def runs_of(tx: Tx, task_ids: Sequence[UUID]) -> list[LoggedRun]:
    """Return the runs of some tasks with their phases, oldest first."""
    phases: dict[tuple[UUID, int], list[RunPhase]] = {}
    for row in await _sql.all(tx, "timed_phases_of", task_ids=list(task_ids)):
        phase = from_row(RunPhase, row)
        phases.setdefault((phase.task_id, phase.attempt), []).append(phase)
    return [
        from_row(LoggedRun, {**row, "phases": tuple(phases.get((row["task_id"], row["attempt"]), ()))})
        for row in await _sql.all(tx, "runs_of", task_ids=list(task_ids))
    ]
