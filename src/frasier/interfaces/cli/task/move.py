"""`frasier task claim`, `deliver`, `move` and the like: claim, renew, hand on, move and pause a task."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import typer

from frasier.interfaces.cli.operation_command import operation_command
from frasier.interfaces.cli.operation_options import Arguments, options_of
from frasier.interfaces.cli.output import Page
from frasier.interfaces.cli.run_operation import Call, ask, show, show_summary, talk
from frasier.interfaces.cli.task.fields import FieldOption, fields_of_task, split_fields
from frasier.interfaces.cli.task.task_page import add_task
from frasier.interfaces.cli.with_services import JsonOption
from frasier.interfaces.operations import Envelope, Operation, Output
from frasier.interfaces.operations.tasks.transitions import BLOCK, CLAIM, DELIVER, MOVE, RENEW, RESTORE

if TYPE_CHECKING:
    from frasier.interfaces.operations.tasks.inputs import TaskInput
    from frasier.interfaces.operations.tasks.outputs import TaskOutput, TaskPlace

    In = TypeVar("In", bound=TaskInput)


@options_of(CLAIM.input)
def claim(context: typer.Context, arguments: Arguments, as_json: JsonOption = False) -> None:
    """Take a task, if it is your role's turn. You hold it for a while; `renew` keeps it."""
    answer = ask(context, CLAIM, arguments, boards=True)

    def draw(page: Page, data: TaskOutput) -> None:
        page.line(("✓ ", "green"), answer.summary)
        page.line()
        add_task(page, data)

    show(answer, draw, as_json=as_json)


@operation_command(RENEW, boards=True, summary=True)
def renew(page: Page, data: Output) -> None:
    """Keep a task that you hold. Call it while you work, before the lease ends."""


@options_of(DELIVER.input, leave_out={"fields"})
def deliver(
    context: typer.Context, arguments: Arguments, field: FieldOption = None, as_json: JsonOption = False
) -> None:
    """Hand a task on. In one step your result is written and the next role's turn begins."""
    show_summary(_with_fields(context, DELIVER, arguments, field), as_json=as_json)


@options_of(MOVE.input, leave_out={"fields"})
def move(
    context: typer.Context, arguments: Arguments, field: FieldOption = None, as_json: JsonOption = False
) -> None:
    """Move a task, by a move of its process. A refusal says what is missing, and changes nothing."""
    show_summary(_with_fields(context, MOVE, arguments, field), as_json=as_json)


@operation_command(BLOCK, boards=True, summary=True)
def block(page: Page, data: Output) -> None:
    """Pause a task that cannot go on. It keeps its exact place; say who must do what."""


@operation_command(RESTORE, boards=True, summary=True)
def restore(page: Page, data: Output) -> None:
    """End a pause. The task is back at exactly where it was."""


def _with_fields(
    context: typer.Context,
    operation: Operation[In, TaskPlace],
    arguments: Arguments,
    field: list[str] | None,
) -> Envelope[TaskPlace]:
    """Run an operation that also takes fields of the task, as they were typed."""
    typed = split_fields(field)

    async def work(call: Call) -> Envelope[TaskPlace]:
        return await call(operation, {**arguments, "fields": await fields_of_task(call, arguments, typed)})

    return talk(context, work, boards=True)
