"""`frasier task get`, `list`, `history` and `process`: what there is, and how it goes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from frasier.interfaces.cli.memory.call_tool import Data
from frasier.interfaces.cli.task.call_tool import ProjectOption, TaskArgument, ask, show
from frasier.interfaces.cli.with_services import JsonOption

if TYPE_CHECKING:
    from frasier.interfaces.cli.output import Page


def get(context: typer.Context, task: TaskArgument, as_json: JsonOption = False) -> None:
    """Show a task. What it holds, where it is on its way, and every move that there is from here."""

    def draw(page: Page, data: Data) -> None:
        from frasier.interfaces.cli.task.task_page import add_task

        add_task(page, data)

    show(ask(context, "task_get", {"task": task}), draw, as_json=as_json)


def list_(
    context: typer.Context,
    project: ProjectOption = None,
    status: Annotated[str | None, typer.Option("--status", help="Only those that are so.")] = None,
    role: Annotated[str | None, typer.Option("--role", help="Only those whose turn it is.")] = None,
    process: Annotated[str | None, typer.Option("--process", help="Only those that go by it.")] = None,
    mine: Annotated[bool, typer.Option("--mine", help="Only what you should look at, with why.")] = False,
    over_days: Annotated[
        float | None,
        typer.Option("--over-days", metavar="DAYS", help="Also what was over within so many days."),
    ] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", help="How many to show at most, 1 to 500.")] = 50,
    as_json: JsonOption = False,
) -> None:
    """List tasks. Of every board that you may see, unless --project names one."""
    given = {
        "project": project,
        "status": status,
        "role": role,
        "process": process,
        "mine": mine,
        "over_days": over_days,
        "limit": limit,
    }
    chosen = bool(status or role or process)

    def draw(page: Page, data: Data) -> None:
        _draw_list(page, data, chosen=chosen)

    show(ask(context, "task_list", given), draw, as_json=as_json)


def history(
    context: typer.Context,
    task: TaskArgument,
    limit: Annotated[int, typer.Option("--limit", "-n", help="The newest so many, 1 to 500.")] = 50,
    as_json: JsonOption = False,
) -> None:
    """Show what happened to a task. And whether that leads to where it is."""
    envelope = ask(context, "task_history", {"task": task, "limit": limit})

    def draw(page: Page, data: Data) -> None:
        from frasier.interfaces.cli.task.task_page import add_events, add_problems

        add_events(page, data["events"])
        page.line((envelope["summary"], "red" if data["problems"] else "dim"))
        add_problems(page, data["problems"])

    show(envelope, draw, as_json=as_json)


def process(
    context: typer.Context,
    name: Annotated[
        str | None, typer.Argument(metavar="PROCESS", help="Which; without it, the names of all.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Show how a process goes. Its statuses, moves and fields, and what each gate wants."""
    envelope = ask(context, "task_process", {"process": name})
    show(envelope, _draw_names if name is None else _draw_process, as_json=as_json)


def _draw_list(page: Page, data: Data, *, chosen: bool) -> None:
    from frasier.interfaces.cli.task.phrases import add_tasks

    if over := data.get("over"):
        page.line(f"No task is open; {over} {'is' if over == 1 else 'are'} over.")
    elif not data["tasks"] and chosen:
        page.line("No task is like that. `frasier task list` shows every open one.")
    elif not data["tasks"]:
        page.line("No task is there. `frasier task create` puts one on a board.")
    add_tasks(page, data["tasks"])


def _draw_names(page: Page, data: Data) -> None:
    page.table(["process", "roles"], [(one["process"], ", ".join(one["roles"])) for one in data["processes"]])


def _draw_process(page: Page, data: Data) -> None:
    from frasier.interfaces.cli.output import Column
    from frasier.interfaces.cli.task.task_page import add_ways

    page.line((data["process"], "bold"), f", made by {', '.join(data['created_by'])}")
    page.heading("Statuses")
    page.table(
        [Column("status", fixed=True), Column("column", fixed=True), "roles", "meaning"],
        [
            (one["status"], one.get("column", ""), ", ".join(one["roles"]), one["meaning"])
            for one in data["statuses"]
        ],
    )
    for status in data["statuses"]:
        ways = [move for move in data["moves"] if status["status"] in move["before"]]
        if ways:
            page.heading(f"From {status['status']}")
            add_ways(page, ways, titled=False)
    page.heading("Fields")
    page.table(
        [Column("field", fixed=True), Column("kind", fixed=True), "filled by", "meaning"],
        [
            (one["field"], one["kind"], ", ".join(one.get("filled_by", ["the engine"])), one["meaning"])
            for one in data["fields"]
        ],
    )
    page.heading("Gates")
    page.table(
        [Column("gate", fixed=True), "holds when"], [(name, said) for name, said in data["gates"].items()]
    )
