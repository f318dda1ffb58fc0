"""`frasier board`: the tasks of teams as columns of cards."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from frasier.interfaces.cli.output import Page, print_json
from frasier.interfaces.cli.run_operation import Call, call_for, talk
from frasier.interfaces.cli.with_services import JsonOption, with_services

if TYPE_CHECKING:
    from frasier.interfaces.cli.operation_options import Arguments
    from frasier.interfaces.operations import Envelope
    from frasier.interfaces.operations.tasks.board_columns import Layout
    from frasier.interfaces.operations.tasks.outputs import TaskOutput, TaskSummary
    from frasier.interfaces.operations.tasks.read import ProcessOutput, TaskHistoryOutput, TaskListOutput
    from frasier.interfaces.services import Services

_OVER_DAYS = 7.0
_TASKS_MAX = 500  # the most that the operation returns
_PER_STATUS = 40
_CREATE = "`frasier task create NAME --title … --description … --criterion …`"


@dataclass(frozen=True, slots=True)
class _BoardView:
    """The tasks of boards, the definitions of their processes, and whether any board exists."""

    tables: Sequence[ProcessOutput]
    tasks: TaskListOutput
    has_boards: bool

    @property
    def layout(self) -> Layout:
        from frasier.interfaces.operations.tasks.board_columns import arrange
        from frasier.workflow import BLOCKED

        return arrange(self.tables, self.tasks.tasks, self.tasks.columns, paused=BLOCKED)


def board(
    context: typer.Context,
    board: Annotated[
        str | None, typer.Argument(metavar="BOARD", help="The board; all that you may see, if not said.")
    ] = None,
    watch: Annotated[
        bool,
        typer.Option(
            "--watch", "-w", help="Go on as things change, until Ctrl-C; without a terminal by lines."
        ),
    ] = False,
    history: Annotated[
        str | None,
        typer.Option("--history", metavar="TASK", help="One card instead: its way, and what happened to it."),
    ] = None,
    legend: Annotated[
        bool, typer.Option("--legend", help="Also what statuses, roles and marks mean.")
    ] = False,
    over_days: Annotated[
        float,
        typer.Option(
            "--over-days", metavar="DAYS", help="Also what was over within so many days; 0 for none."
        ),
    ] = _OVER_DAYS,
    as_json: JsonOption = False,
) -> None:
    """Show the boards of teams. Who has which task, since when, and what calls for a look."""
    if watch and (history or legend):
        raise typer.BadParameter("shows the board alone", param_hint="--watch")
    if history is not None:
        _show_history(context, history if board is None or "/" in history else f"{board}/{history}", as_json)
        return
    arguments = {
        "board": board,
        "over_days": over_days or None,
        "limit": _TASKS_MAX,
        "per_status": _PER_STATUS,
    }
    if watch:
        title = f"Board of {board}" if board else "Every board"
        with_services(
            context, lambda services: _watch(services, arguments, title, as_json=as_json), any_actor=True
        )
        return
    view = talk(context, lambda call: _load(call, arguments), boards=True)
    _show_board(view, legend=legend, as_json=as_json)


async def _load(call: Call, arguments: Arguments) -> _BoardView:
    from frasier.interfaces.operations.tasks.read import LIST, PROCESS
    from frasier.interfaces.operations.tasks.session import RECOVER

    processes = (await call(PROCESS, {})).data.processes
    tables = [(await call(PROCESS, {"process": summary.process})).data for summary in processes]
    tasks = (await call(LIST, arguments)).data
    has_boards = bool(tasks.tasks or (await call(RECOVER, {})).data.you.boards)
    return _BoardView(tables, tasks, has_boards)


def _show_board(view: _BoardView, *, legend: bool, as_json: bool) -> None:
    from frasier.interfaces.cli.board_legend import add_legend, legend_of
    from frasier.interfaces.operations import as_json as json_of
    from frasier.workflow import BLOCKED

    if not as_json:
        page = _draw(view)
        if legend:
            add_legend(page, view.tables, paused=BLOCKED)
        page.show()
        return
    layout = view.layout
    document = {
        "columns": [
            {"column": column.name, "count": column.count, "tasks": json_of(column.tasks)}
            for column in layout.columns
        ],
        "apart": [
            {"status": column.name, "count": column.count, "tasks": json_of(column.tasks)}
            for column in layout.apart
        ],
        "more": view.tasks.more,
    }
    print_json(document | ({"legend": legend_of(view.tables, paused=BLOCKED)} if legend else {}))


def _draw(view: _BoardView, at_most: int | None = None) -> Page:
    from frasier.interfaces.cli.board_drawing import add_board
    from frasier.interfaces.operations.tasks.board_legend import roles_of

    page = Page()
    layout = view.layout
    if layout.empty:
        if view.has_boards:
            page.line(f"The board is empty. {_CREATE} puts a task on it.")
        else:
            page.line("There is no board yet. `frasier task board make NAME` makes one.")
        return page
    several = len({task.task.partition("/")[0] for task in view.tasks.tasks}) > 1
    add_board(page, layout, roles_of(view.tables), several=several, at_most=at_most)
    if more := view.tasks.more:
        hint = "`frasier task list --status …` shows others" + (", as does naming a board" if several else "")
        page.line((f"{more:,} more are not shown: {hint}.", "yellow"))
    return page


async def _watch(services: Services, arguments: Arguments, title: str, *, as_json: bool) -> None:
    from frasier.interfaces.cli.refresh_loop import keep_showing
    from frasier.interfaces.cli.task.watch import line_of

    call = await call_for(services, boards=True, counts_tokens=False)
    newest: list[_BoardView] = []

    async def look() -> Sequence[TaskSummary]:
        newest[:] = [await _load(call, arguments)]
        return newest[0].tasks.tasks

    def draw(_tasks: Sequence[TaskSummary], at_most: int) -> Page:
        return _draw(newest[0], at_most)

    if as_json or not sys.stdout.isatty():
        # One line for each change: do not limit the tasks of a status.
        arguments = arguments | {"per_status": None}
    await keep_showing(services, look, draw, line_of, title=title, as_json=as_json)


def _show_history(context: typer.Context, name: str, as_json: bool) -> None:
    from frasier.interfaces.cli.task.task_page import add_events, add_heading, add_problems
    from frasier.interfaces.operations import as_json as json_of
    from frasier.interfaces.operations.tasks.read import GET, HISTORY

    async def work(call: Call) -> tuple[Envelope[TaskOutput], Envelope[TaskHistoryOutput]]:
        task = await call(GET, {"task": name})
        return task, await call(HISTORY, {"task": str(task.data.id), "limit": _TASKS_MAX})

    task, history = talk(context, work, boards=True)
    if as_json:
        print_json({"task": json_of(task), "history": json_of(history)})
        return
    page = Page()
    add_heading(page, task.data)
    page.heading("What happened")
    add_events(page, history.data.events)
    page.line((history.summary, "red" if history.data.problems else "dim"))
    add_problems(page, history.data.problems)
    page.show()
