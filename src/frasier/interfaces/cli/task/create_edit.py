"""`frasier task create` and `edit`: create a task, and fill its fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from frasier.interfaces.cli.operation_options import Arguments, options_of
from frasier.interfaces.cli.run_operation import Call, show, show_summary, talk
from frasier.interfaces.cli.task.fields import FieldOption, TypedField, kinds_of, split_fields, typed_fields
from frasier.interfaces.cli.task.task_page import add_ways
from frasier.interfaces.cli.text_args import given_text
from frasier.interfaces.cli.with_services import JsonOption
from frasier.interfaces.operations.tasks.read import GET
from frasier.interfaces.operations.tasks.write import CREATE, EDIT, EditOutput

if TYPE_CHECKING:
    from frasier.interfaces.cli.output import Page
    from frasier.interfaces.operations import Envelope
    from frasier.interfaces.operations.tasks.outputs import TaskOutput

DescriptionOption = Annotated[
    str | None,
    typer.Option(
        "--description",
        "-d",
        help="What is wanted and why, understandable by itself. @FILE reads it from a file (@- from standard input);"
        " a text that begins with @ is written with @@.",
    ),
]
CriterionOption = Annotated[
    list[str] | None, typer.Option("--criterion", "-c", help="How one sees that it is done; repeatable.")
]
VersionOption = Annotated[
    int | None,
    typer.Option(
        "--version",
        help="The version you looked at: refused if it is another by now. By default the newest.",
    ),
]


@options_of(CREATE.input, leave_out={"fields"})
def create(
    context: typer.Context,
    arguments: Arguments,
    description: DescriptionOption = None,
    criterion: CriterionOption = None,
    field: FieldOption = None,
    as_json: JsonOption = False,
) -> None:
    """Create a task. Say what is wanted and why, and how to see that it is done."""
    typed = split_fields(field)
    if description is not None:
        typed.append(TypedField("description", given_text(description, "--description"), literal=False))
    typed += [TypedField("acceptance_criteria", text, literal=False) for text in criterion or ()]

    async def work(call: Call) -> Envelope[TaskOutput]:
        kinds = await kinds_of(call, arguments["process"])
        return await call(CREATE, {**arguments, "fields": typed_fields(typed, kinds)})

    answer = talk(context, work, boards=True)

    def draw(page: Page, data: TaskOutput) -> None:
        page.line(("✓ ", "green"), answer.summary)
        add_ways(page, data.ways)

    show(answer, draw, as_json=as_json)


@options_of(EDIT.input, leave_out={"fields", "version"})
def edit(
    context: typer.Context,
    arguments: Arguments,
    field: FieldOption = None,
    version: VersionOption = None,
    as_json: JsonOption = False,
) -> None:
    """Edit a task without moving it: its fields, its title, its priority, and what it needs. What others wrote since
    --version is never overwritten.
    """
    typed = split_fields(field)
    if not typed and not {"title", "priority", "needs"} & arguments.keys():
        raise typer.BadParameter("name at least one, or --title, --priority or --needs", param_hint="--field")

    async def work(call: Call) -> Envelope[EditOutput]:
        named = {name: arguments[name] for name in GET.input.model_fields if name in arguments}
        task = (await call(GET, named)).data
        changes = {
            "task": str(task.id),
            "fields": typed_fields(typed, await kinds_of(call, task.process)),
            "version": task.version if version is None else version,
        }
        return await call(EDIT, arguments | changes)

    show_summary(talk(context, work, boards=True), as_json=as_json)
