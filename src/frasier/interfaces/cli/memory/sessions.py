"""`frasier memory session`: where work stands, and going on with it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from frasier.interfaces.cli.memory.call_tool import AlsoScopes, Call, Data, HomeScope, ask, show, talk
from frasier.interfaces.cli.memory.parse_args import absolute, json_object
from frasier.interfaces.cli.with_services import JsonOption, command_group

if TYPE_CHECKING:
    from frasier.interfaces.cli.output import Cell, Page

session = command_group("Sessions: where work stands, and going on with it.")

SessionArgument = Annotated[str, typer.Argument(metavar="SESSION", help="A session's id.")]

_FACTS = {
    "task": "task",
    "last_action": "last done",
    "summary": "summary",
    "pending_work": "still to do",
    "continue_file": "written to",
}
_STATUS_STYLES = {"active": "bold cyan", "completed": "green", "interrupted": "yellow"}


@session.command("list")
def list_(
    context: typer.Context,
    status: Annotated[
        str | None, typer.Option("--status", help="Only these: active, completed or interrupted.")
    ] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", help="How many to show at most, 1 to 100.")] = 20,
    scope: AlsoScopes = None,
    as_json: JsonOption = False,
) -> None:
    """List sessions. Those used last come first."""
    given = {"status": status, "limit": limit}
    show(ask(context, "session_list", given, scopes=scope), _draw_list, as_json=as_json)


@session.command("show")
def show_(
    context: typer.Context, name: SessionArgument, scope: AlsoScopes = None, as_json: JsonOption = False
) -> None:
    """Show where the work of a session stands. Nothing is taken up by that."""
    show(ask(context, "session_get", {"session": name}, scopes=scope), _draw_session, as_json=as_json)


@session.command()
def save(
    context: typer.Context,
    name: Annotated[
        str | None, typer.Argument(metavar="SESSION", help="A session's id; a new one if not said.")
    ] = None,
    task: Annotated[str | None, typer.Option("--task", help="What is being done.")] = None,
    last_action: Annotated[str | None, typer.Option("--last-action", help="What was done last.")] = None,
    summary: Annotated[str | None, typer.Option("--summary", help="What is known by now.")] = None,
    pending_work: Annotated[
        str | None, typer.Option("--pending-work", help="What is still to be done.")
    ] = None,
    state: Annotated[str | None, typer.Option("--state", help="Anything else, as a JSON object.")] = None,
    continue_folder: Annotated[
        str | None,
        typer.Option(
            "--continue-folder", help="A folder in a memory folder that gets a CONTINUE_SESSION.md."
        ),
    ] = None,
    scope: HomeScope = None,
    as_json: JsonOption = False,
) -> None:
    """Save where work stands, so that it can go on after a crash. Only what is given changes."""
    given = {
        "session": name,
        "task": task,
        "last_action": last_action,
        "summary": summary,
        "pending_work": pending_work,
        "state": json_object(state, "--state"),
        "continue_folder": absolute(continue_folder),
    }
    envelope = ask(context, "session_save", given, scopes=[scope] if scope else None)
    show(envelope, _draw_session, as_json=as_json)


@session.command()
def resume(
    context: typer.Context,
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="SESSION", help="A session's id; the latest that is not completed if not said."
        ),
    ] = None,
    take_over: Annotated[
        bool, typer.Option("--take-over", help="Even if another process serves it.")
    ] = False,
    keep_sent: Annotated[
        bool, typer.Option("--keep-sent", help="What was given in it counts as still known.")
    ] = False,
    scope: AlsoScopes = None,
    as_json: JsonOption = False,
) -> None:
    """Go on with a session. What was given in it counts as forgotten, and can be given again."""
    given = {"session": name, "take_over": take_over, "forget_sent": not keep_sent}
    envelope = ask(context, "session_recover", given, scopes=scope)

    def draw(page: Page, data: Data) -> None:
        if "session" in data:
            _draw_session(page, data)
        else:
            page.line(envelope["summary"])

    show(envelope, draw, as_json=as_json)


@session.command()
def complete(
    context: typer.Context, name: SessionArgument, scope: AlsoScopes = None, as_json: JsonOption = False
) -> None:
    """Complete a session. Its work is finished, and nobody is asked to go on with it."""

    async def work(call: Call) -> Data:
        await call("session_get", {"session": name})  # saving would begin one of that name
        return await call("session_save", {"session": name, "done": True})

    show(talk(context, work, scopes=scope), _draw_session, as_json=as_json)


def session_facts(data: Data) -> list[tuple[Cell, Cell]]:
    """Where the work of a session stands."""
    facts: list[tuple[Cell, Cell]] = [
        ((words, "dim"), data[name]) for name, words in _FACTS.items() if name in data
    ]
    if "state" in data:
        facts.append((("state", "dim"), json.dumps(data["state"], ensure_ascii=False)))
    return facts


def _draw_list(page: Page, data: Data) -> None:
    from frasier.interfaces.cli.memory.memory_line import since
    from frasier.interfaces.cli.output import Column

    if not data["sessions"]:
        page.line("There is no session.")
    page.table(
        [
            Column("session", fixed=True),
            Column("status", fixed=True),
            "task",
            Column("scope", fixed=True),
            Column("used", fixed=True),
        ],
        [
            (
                one["session"],
                (one["status"], _STATUS_STYLES.get(one["status"], "")),
                one.get("task", ""),
                one["scope"],
                (since(one["active_at"]), "dim"),
            )
            for one in data["sessions"]
        ],
    )


def _draw_session(page: Page, data: Data) -> None:
    from frasier.interfaces.cli.memory.memory_line import since

    page.line(
        (data["session"], "bold"),
        "  ",
        (data["status"], _STATUS_STYLES.get(data["status"], "")),
        (f"  in {data['scope']}, used {since(data['active_at'])}", "dim"),
    )
    page.table(["", ""], session_facts(data))
    if data.get("recovered"):
        page.line(("It had been interrupted, and goes on.", "yellow"))
