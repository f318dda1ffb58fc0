"""`frasier task get`, `list`, `history` and `process`: show tasks and their processes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from frasier.interfaces.cli.operation_command import operation_command
from frasier.interfaces.cli.operation_options import Arguments, options_of
from frasier.interfaces.cli.output import Page, fixed
from frasier.interfaces.cli.run_operation import ask, show
from frasier.interfaces.cli.task.phrases import add_tasks
from frasier.interfaces.cli.task.task_page import add_events, add_problems, add_task, add_ways
from frasier.interfaces.cli.with_services import JsonOption
from frasier.interfaces.operations.tasks.read import (
    GET,
    HISTORY,
    LIST,
    PROCESS,
    ProcessOutput,
    TaskHistoryOutput,
    TaskListOutput,
)

if TYPE_CHECKING:
    from frasier.interfaces.operations.tasks.outputs import TaskOutput


@operation_command(GET, boards=True)
def get(page: Page, data: TaskOutput) -> None:
    """Show a task. What it holds, where it is on its way, and every move that there is from here."""
    add_task(page, data)


@options_of(LIST.input, leave_out={"per_status"})
def list_(context: typer.Context, arguments: Arguments, as_json: JsonOption = False) -> None:
    """List tasks. Of every board that you may see, unless --board names one."""
    chosen = not {"status", "role", "process"}.isdisjoint(arguments)

    def draw(page: Page, data: TaskListOutput) -> None:
        _draw_list(page, data, chosen=chosen)

    show(ask(context, LIST, arguments, boards=True), draw, as_json=as_json)


@options_of(HISTORY.input)
def history(context: typer.Context, arguments: Arguments, as_json: JsonOption = False) -> None:
    """Show what happened to a task. And whether its events lead to its present status."""
    answer = ask(context, HISTORY, arguments, boards=True)

    def draw(page: Page, data: TaskHistoryOutput) -> None:
        add_events(page, data.events)
        page.line((answer.summary, "red" if data.problems else "dim"))
        add_problems(page, data.problems)

    show(answer, draw, as_json=as_json)


@operation_command(PROCESS, boards=True)
def process(page: Page, data: ProcessOutput) -> None:
    """Show how a process goes. Its statuses, moves and fields, and what each gate wants."""
    if data.process:
        _draw_process(page, data)
    else:
        page.table(["process", "roles"], [(one.process, ", ".join(one.roles)) for one in data.processes])


def _draw_list(page: Page, data: TaskListOutput, *, chosen: bool) -> None:
    if data.over:
        page.line(f"No task is open; {data.over} {'is' if data.over == 1 else 'are'} over.")
    elif not data.tasks and chosen:
        page.line("No tasks match. `frasier task list` shows every open one.")
    elif not data.tasks:
        page.line("There is no task. `frasier task create` puts one on a board.")
    add_tasks(page, data.tasks)


def _draw_process(page: Page, data: ProcessOutput) -> None:
    page.line((data.process, "bold"), f", made by {', '.join(data.created_by or ())}")
    page.heading("Statuses")
    page.table(
        [fixed("status"), fixed("column"), "roles", "meaning"],
        [(status.status, status.column, ", ".join(status.roles), status.meaning) for status in data.statuses],
    )
    for status in data.statuses:
        ways = [move for move in data.moves if status.status in move.before]
        if ways:
            page.heading(f"From {status.status}")
            add_ways(page, ways, titled=False)
    page.heading("Fields")
    page.table(
        [fixed("field"), fixed("kind"), "filled by", "meaning"],
        [
            (field.field, field.kind, ", ".join(sorted(field.filled_by)) or "the engine", field.meaning)
            for field in data.fields or ()
        ],
    )
    page.heading("Gates")
    page.table([fixed("gate"), "holds when"], list((data.gates or {}).items()))
