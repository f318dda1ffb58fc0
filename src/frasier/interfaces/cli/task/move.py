"""`frasier task claim`, `deliver`, `move` and the like: a task is taken, kept, handed on, moved and paused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from frasier.interfaces.cli.memory.call_tool import Call, Data
from frasier.interfaces.cli.task.call_tool import (
    AttemptOption,
    FieldOption,
    FounderAnswerOption,
    HeldAttemptOption,
    NoteOption,
    TaskArgument,
    ask,
    say,
    show,
    talk,
)
from frasier.interfaces.cli.with_services import JsonOption

if TYPE_CHECKING:
    from frasier.interfaces.cli.output import Page


def claim(
    context: typer.Context,
    task: TaskArgument,
    session: Annotated[
        str | None,
        typer.Option("--session", help="The session in which you searched the memory for this task."),
    ] = None,
    founder_answer: FounderAnswerOption = "",
    as_json: JsonOption = False,
) -> None:
    """Take a task, if it is your role's turn. You hold it for a while; `renew` keeps it."""
    given = {"task": task, "memory_query_session": session, "founder_answer": founder_answer}
    envelope = ask(context, "task_claim", given)

    def draw(page: Page, data: Data) -> None:
        from frasier.interfaces.cli.task.task_page import add_task

        page.line(("✓ ", "green"), envelope["summary"])
        page.line()
        add_task(page, data)

    show(envelope, draw, as_json=as_json)


def renew(
    context: typer.Context, task: TaskArgument, attempt: HeldAttemptOption, as_json: JsonOption = False
) -> None:
    """Keep a task that you hold. Call it while you work, before the lease ends."""
    say(ask(context, "task_renew", {"task": task, "attempt": attempt}), as_json=as_json)


def deliver(
    context: typer.Context,
    task: TaskArgument,
    attempt: HeldAttemptOption,
    field: FieldOption = None,
    note: NoteOption = "",
    founder_answer: FounderAnswerOption = "",
    as_json: JsonOption = False,
) -> None:
    """Hand a task on. Your result is written, and whoever is next acts, in one."""
    given = {"task": task, "attempt": attempt, "note": note, "founder_answer": founder_answer}
    say(_with_fields(context, "task_deliver", given, field), as_json=as_json)


def move(
    context: typer.Context,
    task: TaskArgument,
    name: Annotated[str, typer.Argument(metavar="MOVE", help="One of those that `get` shows.")],
    field: FieldOption = None,
    attempt: AttemptOption = None,
    note: NoteOption = "",
    founder_answer: FounderAnswerOption = "",
    as_json: JsonOption = False,
) -> None:
    """Move a task, by a move of its process. A refusal says what is missing, and changes nothing."""
    given = {
        "task": task,
        "move": name,
        "attempt": attempt,
        "note": note,
        "founder_answer": founder_answer,
    }
    say(_with_fields(context, "task_move", given, field), as_json=as_json)


def block(
    context: typer.Context,
    task: TaskArgument,
    reason: Annotated[str, typer.Option("--reason", help="What stops it, and what was done so far.")],
    owner: Annotated[str, typer.Option("--owner", help="The role that must act, or `founder`.")],
    action: Annotated[str, typer.Option("--action", help="What they must do.")],
    attempt: AttemptOption = None,
    as_json: JsonOption = False,
) -> None:
    """Pause a task that cannot go on. It keeps its exact place; say who must do what."""
    given = {"task": task, "reason": reason, "owner": owner, "action": action, "attempt": attempt}
    say(ask(context, "task_block", given), as_json=as_json)


def restore(
    context: typer.Context, task: TaskArgument, note: NoteOption = "", as_json: JsonOption = False
) -> None:
    """End a pause. The task is back at exactly where it was."""
    say(ask(context, "task_restore", {"task": task, "note": note}), as_json=as_json)


def _with_fields(
    context: typer.Context, tool: str, given: Mapping[str, Any], field: list[str] | None
) -> Data:
    """The answer of a tool that is also given what was said of the task's fields."""
    from frasier.interfaces.cli.task.fields import fields_of_task, split_fields

    said = split_fields(field)

    async def work(call: Call) -> Data:
        return await call(tool, {**given, "fields": await fields_of_task(call, given["task"], said)})

    return talk(context, work)
