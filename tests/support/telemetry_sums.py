"""The sums that the telemetry of a mission has to give, checked against the rows of the database."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from frasier.llm import costs
from frasier.overview import MissionTelemetry, TaskRecord, TimeUse
from frasier.store import Tx
from frasier.work import runs_of


async def check_telemetry(tx: Tx, telemetry: MissionTelemetry) -> None:
    """Fail unless everything adds up: tasks, runs, phases, the critical path, and the costs."""
    for task in telemetry.tasks:
        check_task(task, telemetry)
    logged = await runs_of(tx, [task.task for task in telemetry.tasks])
    shown = {(task.task, run.attempt): run for task in telemetry.tasks for run in task.runs}
    assert shown.keys() == {(run.task_id, run.attempt) for run in logged}
    for run in logged:
        record = shown[run.task_id, run.attempt]
        assert (record.worker, record.outcome) == (run.worker, run.outcome)
        # A row has the time of the beginning of its transaction, an event that of its statement.
        assert run.started_at <= record.started_at <= (record.ended_at or telemetry.as_of)
    check_path(telemetry)
    await check_costs(tx, telemetry)


def check_task(task: TaskRecord, telemetry: MissionTelemetry) -> None:
    until = task.ended_at or telemetry.as_of
    if not task.stretches:
        assert task.created_at == until
        return
    assert task.stretches[0].started_at == task.created_at
    assert task.stretches[-1].ended_at == task.ended_at
    for before, after in pairwise(task.stretches):
        assert before.ended_at == after.started_at, f"{task.key} has a gap or an overlap"
    assert all(s.ended_at is None or s.started_at < s.ended_at for s in task.stretches)
    attempts = [stretch.attempt for stretch in task.stretches if stretch.is_run]
    assert attempts == [run.attempt for run in task.runs if run.started_at != run.ended_at]
    if telemetry.ended_at:
        whole = (until - task.created_at).total_seconds()
        assert abs(sum(task.seconds.values()) - whole) < 0.001
    for run in task.runs:
        for phase in run.phases:
            assert run.started_at <= phase.started_at
            assert run.ended_at is None or phase.ended_at is None or phase.ended_at <= run.ended_at
        for call in run.calls:
            assert run.started_at <= call.started_at
            assert any(phase.phase == call.phase for phase in run.phases), "a call lies in a phase"


def check_path(telemetry: MissionTelemetry) -> None:
    path = telemetry.critical_path
    assert path[0].started_at == telemetry.started_at
    assert telemetry.ended_at in {None, path[-1].ended_at}
    for before, after in pairwise(path):
        assert before.ended_at == after.started_at
    whole = sum(piece.seconds for piece in path)
    known = sum(telemetry.path_seconds.values())
    assert abs(whole - telemetry.wall_seconds) < 0.001
    assert abs(known + telemetry.unaccounted_seconds - telemetry.wall_seconds) < 0.001
    assert abs(known - telemetry.wall_seconds) <= 0.01 * telemetry.wall_seconds, path
    assert telemetry.path_seconds[TimeUse.WORK] > 0


async def check_costs(tx: Tx, telemetry: MissionTelemetry) -> None:
    ledger = (await costs(tx, mission_id=telemetry.mission)).total
    spent = telemetry.spending
    assert (spent.usd_micros, spent.calls) == (ledger.usd_micros, ledger.calls)
    assert (spent.tokens_in, spent.tokens_out) == (ledger.tokens_in, ledger.tokens_out)
    assert (spent.failed_calls, spent.unknown_calls) == (ledger.failed_calls, ledger.unknown_calls)
    parts: list[Any] = [task.spending for task in telemetry.tasks]
    of_tasks = sum(part.usd_micros for part in parts) + sum(c.cost_usd_micros for c in telemetry.calls)
    assert of_tasks == ledger.usd_micros
    for task in telemetry.tasks:
        of_runs = sum(run.spending.usd_micros for run in task.runs)
        assert of_runs + sum(call.cost_usd_micros for call in task.calls) == task.spending.usd_micros
    assert sum(row.usd_micros for row in telemetry.by_model) == ledger.usd_micros
