"""`frasier task create` and `edit`: a new task, and the fields of one that is there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from frasier.interfaces.cli.memory.call_tool import Call, Data
from frasier.interfaces.cli.task.call_tool import (
    AttemptOption,
    FieldOption,
    ProjectOption,
    TaskArgument,
    say,
    show,
    talk,
)
from frasier.interfaces.cli.with_services import JsonOption

if TYPE_CHECKING:
    from frasier.interfaces.cli.output import Page

NameArgument = Annotated[
    str, typer.Argument(metavar="NAME", help="Short, and unique on its board: fix-login.")
]
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
NeedsOption = Annotated[
    list[str] | None,
    typer.Option("--needs", metavar="NAME", help="A task that must be completed first; repeatable."),
]
AboutOption = Annotated[
    list[str] | None,
    typer.Option(
        "--about", metavar="NAME", help="A task that it comes from; of a bug at least one; repeatable."
    ),
]


def create(
    context: typer.Context,
    name: NameArgument,
    title: Annotated[str, typer.Option("--title", "-t", help="What it is called.")],
    description: DescriptionOption = None,
    criterion: CriterionOption = None,
    process: Annotated[
        str, typer.Option("--process", help="What it goes by; `process` shows them.")
    ] = "pdsa_task",
    project: ProjectOption = None,
    role: Annotated[str | None, typer.Option("--role", help="Who acts first, if not the usual one.")] = None,
    priority: Annotated[
        int, typer.Option("--priority", help="From -100 to 100; the highest comes first.")
    ] = 0,
    needs: NeedsOption = None,
    about: AboutOption = None,
    field: FieldOption = None,
    as_json: JsonOption = False,
) -> None:
    """Create a task. Say what is wanted and why, and how one sees that it is done."""
    from frasier.interfaces.cli.task.fields import Said, kinds_of, split_fields, typed_fields
    from frasier.interfaces.cli.text_args import given_text

    said = split_fields(field)
    if description is not None:
        said.append(Said("description", given_text(description, "--description"), literal=False))
    said += [Said("acceptance_criteria", one, literal=False) for one in criterion or ()]

    async def work(call: Call) -> Data:
        given = {
            "process": process,
            "name": name,
            "title": title,
            "fields": typed_fields(said, await kinds_of(call, process)),
            "project": project,
            "role": role,
            "priority": priority,
            "needs": needs,
            "about": about,
        }
        return await call("task_create", given)

    envelope = talk(context, work)

    def draw(page: Page, data: Data) -> None:
        from frasier.interfaces.cli.task.task_page import add_ways

        page.line(("✓ ", "green"), envelope["summary"])
        add_ways(page, data.get("ways", ()))

    show(envelope, draw, as_json=as_json)


def edit(
    context: typer.Context,
    task: TaskArgument,
    field: FieldOption = None,
    version: Annotated[
        int | None,
        typer.Option(
            "--version",
            help="The version you looked at: refused if it is another by now. The newest if not said.",
        ),
    ] = None,
    attempt: AttemptOption = None,
    as_json: JsonOption = False,
) -> None:
    """Fill fields of a task without moving it. What others wrote since --version is never overwritten."""
    from frasier.interfaces.cli.task.fields import kinds_of, split_fields, typed_fields

    said = split_fields(field)
    if not said:
        raise typer.BadParameter("name at least one", param_hint="--field")

    async def work(call: Call) -> Data:
        found = (await call("task_get", {"task": task}))["data"]
        given: dict[str, Any] = {
            "task": found["id"],
            "fields": typed_fields(said, await kinds_of(call, found["process"])),
            "version": found["version"] if version is None else version,
            "attempt": attempt,
        }
        return await call("task_edit", given)

    say(talk(context, work), as_json=as_json)
