"""`frasier task project`: boards, and how far the team of each may go without the founder."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from frasier.interfaces.cli.task.call_tool import acting
from frasier.interfaces.cli.with_services import JsonOption, command_group, with_services

if TYPE_CHECKING:
    from frasier.board import Project
    from frasier.interfaces.services import Services

project = command_group("Projects: boards, and how far teams may go alone.")

NameArgument = Annotated[
    str, typer.Argument(metavar="NAME", help="Lower-case letters, digits, dots, dashes and underscores.")
]


@project.command()
def make(context: typer.Context, name: NameArgument, as_json: JsonOption = False) -> None:
    """Make a project. Its board is empty, and the founder decides what its table marks."""
    from frasier.interfaces.cli.output import print_json

    async def act(services: Services) -> Project:
        from frasier.board import make_project

        return await services.in_transaction(make_project, name, actor=await acting(services))

    made = with_services(context, act, anybody=True)
    if as_json:
        print_json(_as_dict(made))
    else:
        typer.echo(
            f"{made.name} has a board. `frasier task member add NAME --role ROLE --project {made.name}` lets somebody"
            " work on it."
        )


@project.command("list")
def list_(context: typer.Context, as_json: JsonOption = False) -> None:
    """List projects. Those that you may see."""
    from frasier.interfaces.cli.output import Page, ago, print_json
    from frasier.kernel.humanize import person

    async def look(services: Services) -> list[Project]:
        from frasier.board import list_projects

        actor = await acting(services)
        projects = await services.in_transaction(list_projects)
        return [one for one in projects if not actor.projects or one.name in actor.projects]

    found = with_services(context, look, anybody=True)
    if as_json:
        print_json({"projects": [_as_dict(one) for one in found]})
        return
    page = Page()
    if not found:
        page.line("There is no project. `frasier task project make NAME` makes one.")
    page.table(
        ["project", "mode", "set by", "made"],
        [(one.name, one.approval_mode, person(one.mode_by), (ago(one.created_at), "dim")) for one in found],
    )
    page.show()


@project.command()
def mode(
    context: typer.Context,
    name: NameArgument,
    how_far: Annotated[
        str, typer.Argument(metavar="MODE", help="autonomous, auto-approval, semi or manual.")
    ],
    seen: Annotated[
        int | None,
        typer.Option(
            "--seen",
            metavar="VERSION",
            help="The mode_version you looked at: refused if it is another by now.",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Set how far a team may go without the founder.

    autonomous: as far as its process lets it. auto-approval: only what completes a task is decided by the founder.
    semi: who moves says what the founder answered. manual: the founder decides every move that the process marks.
    """
    from frasier.interfaces.cli.output import print_json

    async def act(services: Services) -> Project:
        from frasier.board import ApprovalMode, set_mode
        from frasier.kernel.errors import InvalidInput

        modes = [one.value for one in ApprovalMode]
        if how_far not in modes:
            raise InvalidInput(
                f"There is no mode {how_far[:40]!r}.",
                kept="It is unchanged.",
                hint=f"There are {', '.join(modes)}.",
            )
        return await services.in_transaction(
            set_mode, name, ApprovalMode(how_far), seen=seen, actor=await acting(services)
        )

    changed = with_services(context, act, anybody=True)
    if as_json:
        print_json(_as_dict(changed))
    else:
        typer.echo(f"{changed.name} is in mode {changed.approval_mode}.")


def _as_dict(one: Project) -> dict[str, object]:
    return {
        "project": one.name,
        "mode": one.approval_mode,
        "mode_version": one.mode_version,
        "mode_by": one.mode_by,
        "mode_at": one.mode_at,
        "created_at": one.created_at,
    }
