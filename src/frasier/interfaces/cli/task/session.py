"""`frasier task recover`, `wait`, `watch` and `note`: finding one's place again, and what to do next."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from frasier.interfaces.cli.memory.call_tool import Call, Data
from frasier.interfaces.cli.task.call_tool import ProjectOption, ask, say, show, talk
from frasier.interfaces.cli.with_services import JsonOption, with_services

if TYPE_CHECKING:
    from frasier.interfaces.cli.output import Page
    from frasier.interfaces.services import Services


def recover(context: typer.Context, project: ProjectOption = None, as_json: JsonOption = False) -> None:
    """Find your place again. Who you are, what you hold, where you stood, what waits and what changed."""
    envelope = ask(context, "task_recover", {"project": project})

    def draw(page: Page, data: Data) -> None:
        page.line((envelope["summary"], "bold"))
        _add_recovery(page, data)

    show(envelope, draw, as_json=as_json)


def wait(
    context: typer.Context,
    timeout: Annotated[
        float, typer.Option("--timeout", metavar="SECONDS", help="How long at most, up to 120.")
    ] = 30.0,
    project: ProjectOption = None,
    as_json: JsonOption = False,
) -> None:
    """Wait until there is something for you to do."""
    envelope = ask(context, "task_wait", {"timeout_s": timeout, "project": project})

    def draw(page: Page, data: Data) -> None:
        from frasier.interfaces.cli.task.phrases import add_tasks

        page.line(envelope["summary"])
        add_tasks(page, data["tasks"])

    show(envelope, draw, as_json=as_json)


def watch(context: typer.Context, project: ProjectOption = None, as_json: JsonOption = False) -> None:
    """Watch what waits for you, until Ctrl-C. Without a terminal, a line for each change."""

    async def work(services: Services) -> None:
        from frasier.interfaces.cli.refresh_loop import keep_showing
        from frasier.interfaces.cli.task.call_tool import caller_of_tools
        from frasier.interfaces.cli.task.watch import draw_waiting, line_of

        call = await caller_of_tools(services)

        async def look() -> list[Data]:
            found = await call("task_list", {"mine": True, "project": project})
            return list(found["data"]["tasks"])

        await keep_showing(services, look, draw_waiting, line_of, title="What waits for you", as_json=as_json)

    with_services(context, work, anybody=True)


def note(
    context: typer.Context,
    said: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="STATE",
            help="Where you stand: one JSON object, or NAME=VALUE several times (NAME:=JSON, NAME=@FILE). It takes"
            " the place of what you noted before. Without it, that is shown.",
        ),
    ] = None,
    forget: Annotated[bool, typer.Option("--forget", help="Forget what you noted.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Note where you stand. `recover` tells you after a crash; note often."""
    if said or forget:
        say(ask(context, "task_note", {"state": {} if forget else _state(said or [])}), as_json=as_json)
        return

    async def work(call: Call) -> Data:
        return await call("task_recover", {})

    show(talk(context, work), _draw_stood, as_json=as_json)


def _state(said: list[str]) -> dict[str, Any]:
    from frasier.interfaces.cli.memory.parse_args import json_object
    from frasier.interfaces.cli.task.fields import split_fields, typed_fields
    from frasier.interfaces.cli.text_args import given_text

    option = "NAME=VALUE"
    whole = given_text("@-" if said == ["-"] else said[0], option)
    if len(said) == 1 and whole.lstrip().startswith("{"):
        return json_object(whole, "JSON") or {}
    return typed_fields(split_fields(said, option), {}, option)


def _draw_stood(page: Page, data: Data) -> None:
    if not data["stood"]:
        page.line("Nothing is noted of you. `frasier task note step=… next=…` does it.")
        return
    _add_stood(page, data["stood"])


def _add_stood(page: Page, stood: Data) -> None:
    from frasier.interfaces.cli.memory.memory_line import since

    page.heading(f"Where you stood, {since(stood['written_at'])}")
    page.table(
        ["", ""],
        [
            ((name, "dim"), value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
            for name, value in stood.get("state", {}).items()
        ],
    )


def _add_recovery(page: Page, data: Data) -> None:
    from frasier.interfaces.cli.task.phrases import add_tasks
    from frasier.interfaces.cli.task.task_page import add_events, add_heading

    for held in data["holding"]:
        page.heading("You hold")
        add_heading(page, held)
        add_events(page, held["latest"])
    for held in data["paused"]:
        page.heading("Yours, and paused")
        add_heading(page, held)
        add_events(page, held["latest"])
    if data["stood"]:
        _add_stood(page, data["stood"])
    if data["waiting"]:
        page.heading("What waits for you")
        add_tasks(page, data["waiting"])
    for changed in data["changed"]:
        page.heading(f"Changed since you worked on it: {changed['task']}")
        add_events(page, changed["events"])
    if data["asked_founder"]:
        from frasier.interfaces.cli.task.decision_page import add_decisions

        page.heading("What you asked the founder")
        add_decisions(page, data["asked_founder"], decides=data["you"]["kind"] == "founder")
