"""`frasier memory task`: what a task taught, measured before and after it."""

from __future__ import annotations

import typer

from frasier.interfaces.cli.memory.memory_text import since
from frasier.interfaces.cli.operation_command import operation_command
from frasier.interfaces.cli.operation_options import Arguments, options_of
from frasier.interfaces.cli.output import Cell, Page, fixed, numbers
from frasier.interfaces.cli.run_operation import HomeScope, ask, show
from frasier.interfaces.cli.with_services import JsonOption, command_group
from frasier.interfaces.operations.memory.learning import (
    LEARNING_HISTORY,
    POSTFLIGHT,
    PREFLIGHT,
    LearningHistoryOutput,
    TaskLearningOutput,
)
from frasier.memory import TaskLearning

task = command_group("What tasks taught: measured before and after each.")


@task.command()
@options_of(PREFLIGHT.input)
def begin(
    context: typer.Context, arguments: Arguments, scope: HomeScope = None, as_json: JsonOption = False
) -> None:
    """Record what you know before a task."""
    answer = ask(context, PREFLIGHT, arguments, scopes=[scope] if scope else None)
    show(answer, _draw_task, as_json=as_json, summary=True)


@task.command()
@options_of(POSTFLIGHT.input)
def finish(
    context: typer.Context, arguments: Arguments, scope: HomeScope = None, as_json: JsonOption = False
) -> None:
    """Record what you know after a task, and see what it taught."""
    answer = ask(context, POSTFLIGHT, arguments, scopes=[scope] if scope else None)
    show(answer, _draw_task, as_json=as_json, summary=True)


@task.command()
@operation_command(LEARNING_HISTORY, summary=True)
def history(page: Page, data: LearningHistoryOutput) -> None:
    """Show what tasks taught, on average and one by one."""
    if data.trend:
        page.line((f"Trend: {data.trend}", "dim"))
    page.table(
        [
            "task",
            *(numbers(name) for name in ("knowledge", "uncertainty", "context", "index")),
            fixed("taught"),
            fixed("begun"),
        ],
        [_history_row(record) for record in data.records],
    )


def _draw_task(page: Page, data: TaskLearningOutput) -> None:
    before, after, gains = data.before, data.after, data.deltas
    if after is None or gains is None:
        page.table(
            ["", numbers("now")],
            [
                ("knowledge", str(before.knowledge)),
                ("uncertainty", str(before.uncertainty)),
                ("context", str(before.context)),
            ],
        )
    else:
        rows = (
            ("knowledge", before.knowledge, after.knowledge, gains.knowledge),
            ("uncertainty", before.uncertainty, after.uncertainty, gains.uncertainty),
            ("context", before.context, after.context, gains.context),
        )
        page.table(
            ["", *(numbers(title) for title in ("before", "after", "gain"))],
            [(name, str(then), str(now), f"{gain:+.0f}") for name, then, now, gain in rows],
        )
    for title, gaps in (
        ("Not known yet", data.knowledge_gaps),
        ("Known now", data.gaps_closed),
        ("New gaps", data.new_gaps),
    ):
        if gaps:
            page.line((f"{title}: ", "dim"), "; ".join(gaps))


def _history_row(record: TaskLearning) -> tuple[Cell, ...]:
    """Return the row of a task with its gains; with what was known before if it is not finished."""
    before, gains = record.before, record.deltas
    readings = (
        (f"{gains.knowledge:+.0f}", f"{gains.uncertainty:+.0f}", f"{gains.context:+.0f}")
        if gains
        else (str(before.knowledge), str(before.uncertainty), str(before.context))
    )
    return (
        record.task_key,
        *readings,
        f"{record.index:.1f}" if record.index is not None else "",
        record.band or ("not finished", "dim"),
        (since(record.started_at), "dim"),
    )
