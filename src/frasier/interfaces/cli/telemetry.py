"""`frasier telemetry`: where the time and the money of a mission went."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING

import typer

from frasier.interfaces.cli.output import Cell, Column, Page, numbers, show_view, time_taken, usd
from frasier.interfaces.cli.run_operation import ask_organisation
from frasier.interfaces.cli.with_services import JsonOption, MissionArgument
from frasier.kernel.humanize import plural

if TYPE_CHECKING:
    from frasier.overview import MissionTelemetry, Spending, TaskRecord

_BAR = 48
_MARKS: Mapping[str, tuple[str, str, str]] = {
    "work": ("█", "cyan", "at work"),
    "queue": ("·", "dim", "waits for a worker"),
    "dependencies": (" ", "", ""),
    "review": ("▒", "yellow", "waits for reviews"),
    "person": ("▓", "red", "waits for a person"),
    "lease": ("×", "red", "its worker was lost"),
    "rest": ("─", "dim", "had ended"),
}
_USES: Mapping[str, str] = {
    "work": "at work",
    "model": "waiting for a model",
    "queue": "waiting for a worker",
    "dependencies": "waiting for other tasks",
    "review": "waiting for reviews",
    "person": "waiting for a person",
    "lease": "waiting for the lease of a lost worker",
    "rest": "ended, until it was reopened",
}


def telemetry(context: typer.Context, mission: MissionArgument = "last", as_json: JsonOption = False) -> None:
    """Show where the time and the money of a mission went. Its timeline, critical path, runs, phases and models."""
    from frasier.interfaces.operations.organisation.telemetry import GET

    view = ask_organisation(context, GET, {"mission": mission}).telemetry
    show_view(view, _draw, as_json=as_json)


def _draw(page: Page, view: MissionTelemetry) -> None:
    page.line((view.title, "bold"), f"  {view.status}")
    runs = sum(len(task.runs) for task in view.tasks)
    failed = f" ({view.spending.failed_calls:,} of them failed)" if view.spending.failed_calls else ""
    page.line(
        f"{_seconds(view.wall_seconds)} on the clock, {plural(runs, 'run')}, {view.retries} of them again,"
        f" {view.failed_runs} failed; {plural(view.spending.calls, 'call')}{failed}, {_money(view.spending)}",
        "" if view.ended_at else ("  (goes on)", "dim"),
    )
    _add_timeline(page, view)
    _add_uses(page, view)
    _add_path(page, view)
    _add_tasks(page, view)
    _add_phases(page, view)
    _add_models(page, view)


def _add_timeline(page: Page, view: MissionTelemetry) -> None:
    page.heading("Timeline")
    until = view.ended_at or view.as_of
    length = max((until - view.started_at).total_seconds(), 0.001)
    page.table(
        ["task", Column("", fixed=True)],
        [(task.key, (_bar(task, view.started_at, length, until), "cyan")) for task in view.tasks],
    )
    shown = {stretch.use.value for task in view.tasks for stretch in task.stretches}
    page.line(
        (
            "  ".join(f"{sign} {text}" for use, (sign, _, text) in _MARKS.items() if text and use in shown),
            "dim",
        )
    )


def _bar(task: TaskRecord, since: datetime, length: float, until: datetime) -> str:
    """Draw the stretches of a task; a cell shows what most of its time was."""
    cells = []
    for index in range(_BAR):
        start, end = index * length / _BAR, (index + 1) * length / _BAR
        best, most = " ", 0.0
        for stretch in task.stretches:
            begins = (stretch.started_at - since).total_seconds()
            ends = ((stretch.ended_at or until) - since).total_seconds()
            share = min(ends, end) - max(begins, start)
            if share > most:
                best, most = _MARKS[stretch.use.value][0], share
        cells.append(best)
    return "".join(cells)


def _add_uses(page: Page, view: MissionTelemetry) -> None:
    page.heading("Time")
    page.table(
        ["", numbers("critical path"), numbers("all tasks")],
        [
            (text, _seconds(view.path_seconds[use]), _seconds(view.seconds[use]))
            for use in view.seconds
            if (text := _USES[use.value]) and (view.seconds[use] or view.path_seconds[use])
        ],
    )
    if view.unaccounted_seconds > 0.01 * view.wall_seconds:
        page.line(
            (f"{_seconds(view.unaccounted_seconds)} between tasks are accounted for by none.", "yellow")
        )


def _add_path(page: Page, view: MissionTelemetry) -> None:
    page.heading("Critical path")
    page.table(
        ["task", "", numbers("time"), numbers("of it for a model")],
        [
            (
                piece.key or ("the end of the mission" if piece.use else "no task"),
                _USES[piece.use.value] + (f", run {piece.attempt}" if piece.attempt > 1 else "")
                if piece.use
                else "unaccounted",
                _seconds(piece.seconds),
                _seconds(piece.model_seconds) if piece.model_seconds else "",
            )
            for piece in view.critical_path
            if piece.seconds >= 0.005 * view.wall_seconds
        ],
    )


def _add_tasks(page: Page, view: MissionTelemetry) -> None:
    page.heading("Tasks")
    columns = ("work", "model", "queue", "review", "person", "lease")
    page.table(
        ["task", "agent", "status", *map(numbers, ("runs", "failed", *columns, "calls", "cost"))],
        [
            (
                task.key,
                task.agent,
                task.status,
                str(len(task.runs)),
                str(task.failed_runs or ""),
                *(_seconds(task.seconds[use]) if task.seconds[use] else "" for use in columns),  # type: ignore[index]
                str(task.spending.calls or ""),
                _money(task.spending),
            )
            for task in view.tasks
        ],
        wide=True,
    )


def _add_phases(page: Page, view: MissionTelemetry) -> None:
    page.heading("Runs and phases")
    rows: list[tuple[Cell, ...]] = []
    until = view.ended_at or view.as_of
    for task in view.tasks:
        for run in task.runs:
            took = max(((run.ended_at or until) - run.started_at).total_seconds(), 0.0)
            outcome = run.outcome or "goes on"
            rows.append(
                (f"{task.key}, run {run.attempt}", outcome, _seconds(took), _money(run.spending), run.worker)
            )
            for phase in run.phases:
                took = max(((phase.ended_at or until) - phase.started_at).total_seconds(), 0.0)
                asked = [call for call in run.calls if call.phase == phase.phase]
                cost = sum(call.cost_usd_micros for call in asked) / 1_000_000
                name = f"  {phase.phase}" + ("" if phase.finished else ", interrupted")
                rows.append((name, "", _seconds(took), usd(cost) if cost else "", ""))
    page.table(["", "outcome", numbers("time"), numbers("cost"), "worker"], rows)


def _add_models(page: Page, view: MissionTelemetry) -> None:
    if not view.by_model:
        return
    page.heading("Models")
    counts = ("calls", "failed", "unknown", "tokens in", "cached", "tokens out", "cost")
    page.table(
        ["model", "tier", *map(numbers, counts)],
        [
            (
                row.model,
                row.tier,
                f"{row.calls:,}",
                f"{row.failed_calls:,}",
                f"{row.unknown_calls:,}",
                f"{row.tokens_in:,}",
                f"{row.tokens_cached:,}",
                f"{row.tokens_out:,}",
                _money(row),
            )
            for row in view.by_model
        ],
    )


def _money(spending: Spending) -> str:
    return usd(spending.usd_micros / 1_000_000)


def _seconds(seconds: float) -> str:
    """Format a duration; a short one to a hundredth of a second."""
    return f"{seconds:.2f} s" if seconds < 10 else time_taken(seconds)
