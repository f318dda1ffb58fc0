"""`frasier task recover`, `wait`, `watch` and `note`: resume work, and see what to do next."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from frasier.interfaces.cli.memory.memory_text import since
from frasier.interfaces.cli.operation_command import operation_command
from frasier.interfaces.cli.operation_options import Arguments, options_of
from frasier.interfaces.cli.output import Page
from frasier.interfaces.cli.parse_args import json_object
from frasier.interfaces.cli.run_operation import ask, call_for, show, show_summary
from frasier.interfaces.cli.task.decision_page import add_decisions
from frasier.interfaces.cli.task.fields import split_fields, typed_fields
from frasier.interfaces.cli.task.phrases import add_tasks
from frasier.interfaces.cli.task.task_page import add_events, add_heading
from frasier.interfaces.cli.task.watch import draw_waiting, line_of
from frasier.interfaces.cli.text_args import given_text
from frasier.interfaces.cli.with_services import BoardOption, JsonOption, with_services
from frasier.interfaces.operations.tasks.read import LIST
from frasier.interfaces.operations.tasks.session import (
    NOTE,
    RECOVER,
    WAIT,
    TaskRecoverOutput,
    WaitOutput,
    WorkingMemoryOutput,
)
from frasier.workflow import ActorKind

if TYPE_CHECKING:
    from frasier.interfaces.operations.tasks.outputs import TaskSummary
    from frasier.interfaces.services import Services


@options_of(RECOVER.input)
def recover(context: typer.Context, arguments: Arguments, as_json: JsonOption = False) -> None:
    """Find your place again. Who you are, what you hold, where you stood, what waits and what changed."""
    answer = ask(context, RECOVER, arguments, boards=True)

    def draw(page: Page, data: TaskRecoverOutput) -> None:
        page.line((answer.summary, "bold"))
        _add_recovery(page, data)

    show(answer, draw, as_json=as_json)


@operation_command(WAIT, boards=True, summary=True)
def wait(page: Page, data: WaitOutput) -> None:
    """Wait until there is something for you to do."""
    add_tasks(page, data.tasks)


def watch(context: typer.Context, board: BoardOption = None, as_json: JsonOption = False) -> None:
    """Watch what waits for you, until Ctrl-C. Without a terminal, a line for each change."""

    async def work(services: Services) -> None:
        from frasier.interfaces.cli.refresh_loop import keep_showing

        call = await call_for(services, boards=True, counts_tokens=False)

        async def look() -> Sequence[TaskSummary]:
            return (await call(LIST, {"mine": True, "board": board})).data.tasks

        await keep_showing(services, look, draw_waiting, line_of, title="What waits for you", as_json=as_json)

    with_services(context, work, any_actor=True)


def note(
    context: typer.Context,
    state: Annotated[
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
    if state or forget:
        noted = {} if forget else _state(state or [])
        show_summary(ask(context, NOTE, {"state": noted}, boards=True), as_json=as_json)
    else:
        show(ask(context, RECOVER, {}, boards=True), _draw_stood, as_json=as_json)


def _state(texts: list[str]) -> dict[str, Any]:
    option = "NAME=VALUE"
    whole = given_text("@-" if texts == ["-"] else texts[0], option)
    if len(texts) == 1 and whole.lstrip().startswith("{"):
        return json_object(whole, "JSON") or {}
    return typed_fields(split_fields(texts, option), {}, option)


def _draw_stood(page: Page, data: TaskRecoverOutput) -> None:
    if data.stood is None:
        page.line("Nothing is noted of you. `frasier task note step=… next=…` does it.")
        return
    _add_stood(page, data.stood)


def _add_stood(page: Page, stood: WorkingMemoryOutput) -> None:
    page.heading(f"Where you stood, {since(stood.written_at)}")
    page.table(
        ["", ""],
        [
            ((name, "dim"), value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
            for name, value in stood.state.items()
        ],
    )


def _add_recovery(page: Page, data: TaskRecoverOutput) -> None:
    for title, tasks in (("You hold", data.holding), ("Yours, and paused", data.paused)):
        for held in tasks:
            page.heading(title)
            add_heading(page, held)
            add_events(page, held.latest)
    if data.stood:
        _add_stood(page, data.stood)
    if data.waiting:
        page.heading("What waits for you")
        add_tasks(page, data.waiting)
    for changed in data.changed:
        page.heading(f"Changed since you worked on it: {changed.task}")
        add_events(page, changed.events)
    if data.asked_founder:
        page.heading("What you asked the founder")
        add_decisions(page, data.asked_founder, decides=data.you.kind is ActorKind.FOUNDER)
