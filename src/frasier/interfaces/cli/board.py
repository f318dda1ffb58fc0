"""`frasier board`: where the tasks of teams stand, as columns of cards."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from frasier.interfaces.cli.memory.call_tool import Call, Data
from frasier.interfaces.cli.task.call_tool import talk
from frasier.interfaces.cli.with_services import JsonOption, with_services

if TYPE_CHECKING:
    from frasier.interfaces.cli.output import Page
    from frasier.interfaces.services import Services

_OVER_DAYS = 7.0
_TASKS_MAX = 500  # as many as the tool gives
_PER_STATUS = 40


def board(
    context: typer.Context,
    project: Annotated[
        str | None, typer.Argument(metavar="PROJECT", help="Whose board; all that you may see, if not said.")
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
        _show_history(
            context, history if project is None or "/" in history else f"{project}/{history}", as_json
        )
        return
    given = {
        "project": project,
        "over_days": over_days or None,
        "limit": _TASKS_MAX,
        "per_status": _PER_STATUS,
    }
    if watch:
        with_services(context, lambda services: _watch(services, given, as_json=as_json), anybody=True)
        return

    async def work(call: Call) -> Data:
        return await _look(call, given)

    found = talk(context, work)
    _show_board(found, legend=legend, as_json=as_json)


async def _look(call: Call, given: dict[str, Any]) -> Data:
    """The tasks, the tables of their processes, and the projects that whoever asks may see."""
    names = (await call("task_process", {}))["data"]["processes"]
    tables = [(await call("task_process", {"process": one["process"]}))["data"] for one in names]
    tasks = (await call("task_list", given))["data"]
    projects = [] if tasks["tasks"] else (await call("task_recover", {}))["data"]["you"].get("projects", [])
    return {"tables": tables, "columns": {}, **tasks, "projects": projects}


def _show_board(found: Data, *, legend: bool, as_json: bool) -> None:
    from frasier.interfaces.cli.board_columns import arrange
    from frasier.interfaces.cli.board_legend import add_legend, legend_of
    from frasier.interfaces.cli.output import print_json
    from frasier.workflow import BLOCKED

    explained = legend_of(found["tables"], paused=BLOCKED)
    if not as_json:
        page = _draw(found)
        if legend:
            add_legend(page, explained)
        page.show()
        return
    layout = arrange(found["tables"], found["tasks"], found["columns"], paused=BLOCKED)
    document = {
        "columns": [{"column": one.name, "count": one.count, "tasks": one.tasks} for one in layout.columns],
        "apart": [{"status": one.name, "count": one.count, "tasks": one.tasks} for one in layout.apart],
        "more": found["more"],
    }
    print_json({**document, "legend": explained} if legend else document)


def _draw(found: Data, at_most: int | None = None) -> Page:
    from frasier.interfaces.cli.board_columns import arrange
    from frasier.interfaces.cli.board_drawing import add_board
    from frasier.interfaces.cli.board_legend import roles_of
    from frasier.interfaces.cli.output import Page
    from frasier.workflow import BLOCKED

    page = Page()
    layout = arrange(found["tables"], found["tasks"], found["columns"], paused=BLOCKED)
    if layout.empty:
        if found["projects"]:
            page.line("The board is empty. `frasier task create NAME --title …` puts a task on it.")
        else:
            page.line("There is no board yet. `frasier task project make NAME` makes one.")
        return page
    several = len({task["task"].partition("/")[0] for task in found["tasks"]}) > 1
    add_board(page, layout, roles_of(found["tables"]), several=several, at_most=at_most)
    if found["more"]:
        hint = "`frasier task list --status …` shows others" + (
            ", as does naming a project" if several else ""
        )
        page.line((f"{found['more']:,} more are not shown: {hint}.", "yellow"))
    return page


async def _watch(services: Services, given: dict[str, Any], *, as_json: bool) -> None:
    from frasier.interfaces.cli.refresh_loop import keep_showing
    from frasier.interfaces.cli.task.call_tool import caller_of_tools
    from frasier.interfaces.cli.task.watch import line_of

    call = await caller_of_tools(services)
    newest: Data = {}

    async def look() -> Sequence[dict[str, Any]]:
        newest.update(await _look(call, given))
        return list(newest["tasks"])

    def draw(_tasks: Sequence[dict[str, Any]], at_most: int) -> Page:
        return _draw(newest, at_most)

    if as_json or not sys.stdout.isatty():
        given = given | {"per_status": None}  # a line for each change: of as many as the tool gives
    title = f"Board of {given['project']}" if given["project"] else "Every board"
    await keep_showing(services, look, draw, line_of, title=title, as_json=as_json)


def _show_history(context: typer.Context, task: str, as_json: bool) -> None:
    from frasier.interfaces.cli.output import Page, print_json
    from frasier.interfaces.cli.task.task_page import add_events, add_heading, add_problems

    async def work(call: Call) -> tuple[Data, Data]:
        found = await call("task_get", {"task": task})
        return found, await call("task_history", {"task": found["data"]["id"], "limit": _TASKS_MAX})

    whole, past = talk(context, work)
    if as_json:
        print_json({"task": whole, "history": past})
        return
    page = Page()
    add_heading(page, whole["data"])
    page.heading("What happened")
    add_events(page, past["data"]["events"])
    page.line((past["summary"], "red" if past["data"]["problems"] else "dim"))
    add_problems(page, past["data"]["problems"])
    page.show()
