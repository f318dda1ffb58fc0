"""`frasier memory session`: the state of work, and resuming it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from frasier.interfaces.cli.memory.memory_text import since
from frasier.interfaces.cli.operation_command import operation_command
from frasier.interfaces.cli.operation_options import Arguments, options_of
from frasier.interfaces.cli.output import Cell, Page, fixed
from frasier.interfaces.cli.run_operation import AlsoScopes, Call, HomeScope, ask, show, talk
from frasier.interfaces.cli.with_services import JsonOption, command_group
from frasier.interfaces.operations.memory.sessions import (
    SESSION_GET,
    SESSION_LIST,
    SESSION_RECOVER,
    SESSION_SAVE,
    SessionListOutput,
    SessionOutput,
    SessionRecoverOutput,
    SessionSaveOutput,
)

if TYPE_CHECKING:
    from frasier.interfaces.operations import Envelope
    from frasier.interfaces.operations.memory.outputs import WorkState

session = command_group("Sessions: where work stands, and going on with it.")

_STATUS_STYLES = {"active": "bold cyan", "completed": "green", "interrupted": "yellow"}


@session.command("list")
@operation_command(SESSION_LIST)
def list_(page: Page, data: SessionListOutput) -> None:
    """List sessions. Those used last come first."""
    if not data.sessions:
        page.line("There is no session.")
    page.table(
        [fixed("session"), fixed("status"), "task", fixed("scope"), fixed("used")],
        [
            (
                listed.session,
                (listed.status, _STATUS_STYLES.get(listed.status, "")),
                listed.task,
                listed.scope,
                (since(listed.active_at), "dim"),
            )
            for listed in data.sessions
        ],
    )


@session.command("show")
@operation_command(SESSION_GET)
def show_(page: Page, data: SessionOutput | SessionRecoverOutput) -> None:
    """Show where the work of a session stands. Nothing is taken up by that."""
    _draw_session(page, data)


@session.command()
@options_of(SESSION_SAVE.input, leave_out=["done"])
def save(
    context: typer.Context, arguments: Arguments, scope: HomeScope = None, as_json: JsonOption = False
) -> None:
    """Save where work stands, so that it can go on after a crash. Only the fields that you give change."""
    answer = ask(context, SESSION_SAVE, arguments, scopes=[scope] if scope else None)
    show(answer, _draw_saved, as_json=as_json)


@session.command()
@options_of(SESSION_RECOVER.input, leave_out=["forget_sent"])
def resume(
    context: typer.Context,
    arguments: Arguments,
    keep_sent: Annotated[
        bool, typer.Option("--keep-sent", help="What was given in it counts as still known.")
    ] = False,
    scope: AlsoScopes = None,
    as_json: JsonOption = False,
) -> None:
    """Go on with a session. What was given in it counts as forgotten, and can be given again."""
    answer = ask(context, SESSION_RECOVER, arguments | {"forget_sent": not keep_sent}, scopes=scope)

    def draw(page: Page, data: SessionRecoverOutput) -> None:
        if not data.session:
            page.line(answer.summary)
            return
        _draw_session(page, data)
        if data.recovered:
            page.line(("It had been interrupted, and goes on.", "yellow"))

    show(answer, draw, as_json=as_json)


@session.command()
@options_of(SESSION_GET.input)
def complete(
    context: typer.Context, arguments: Arguments, scope: AlsoScopes = None, as_json: JsonOption = False
) -> None:
    """Complete a session. Its work is finished, and no agent is asked to go on with it."""

    async def work(call: Call) -> Envelope[SessionSaveOutput]:
        await call(SESSION_GET, arguments)  # saving would start a session of that name
        return await call(SESSION_SAVE, {**arguments, "done": True})

    show(talk(context, work, scopes=scope), _draw_saved, as_json=as_json)


def session_facts(work: WorkState, *, continue_file: str | None = None) -> list[tuple[Cell, Cell]]:
    """Return the state of a session's work, a row for each fact."""
    facts = (
        ("task", work.task),
        ("last done", work.last_action),
        ("summary", work.summary),
        ("still to do", work.pending_work),
        ("written to", continue_file),
        ("state", json.dumps(work.state, ensure_ascii=False) if work.state else ""),
    )
    return [((name, "dim"), text) for name, text in facts if text]


def _draw_saved(page: Page, data: SessionSaveOutput) -> None:
    _draw_session(page, data, continue_file=data.continue_file)


def _draw_session(
    page: Page, data: SessionOutput | SessionRecoverOutput, *, continue_file: str | None = None
) -> None:
    status = data.status or ""
    page.line(
        (data.session, "bold"),
        "  ",
        (status, _STATUS_STYLES.get(status, "")),
        (f"  in {data.scope}, used {since(data.active_at)}", "dim"),
    )
    page.table(["", ""], session_facts(data, continue_file=continue_file))
