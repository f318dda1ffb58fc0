"""`frasier task project`: boards, and how far the team of each may go without the founder."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from frasier.interfaces.cli.opening import JsonOption, command_group, in_transaction

if TYPE_CHECKING:
    from frasier.board import Project
    from frasier.interfaces.services import Services
    from frasier.store import Tx

project = command_group("Projects: boards, and how far teams may go alone.")

NameArgument = Annotated[
    str, typer.Argument(metavar="NAME", help="Lower-case letters, digits, dots, dashes and underscores.")
]


@project.command()
def make(context: typer.Context, name: NameArgument, as_json: JsonOption = False) -> None:
    """Make a project. Its board is empty, and the founder decides what its table marks."""
    from frasier.interfaces.cli.present import print_json

    async def act(_services: Services, tx: Tx) -> Project:
        from frasier.board import actor_of, make_project
        from frasier.interfaces.cli.identity import who_acts

        return await make_project(tx, name, actor=await actor_of(tx, await who_acts(tx)))

    made = in_transaction(context, act, anybody=True)
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
    from frasier.interfaces.cli.present import Page, ago, print_json
    from frasier.kernel.wording import person

    async def look(_services: Services, tx: Tx) -> list[Project]:
        from frasier.board import actor_of, list_projects
        from frasier.interfaces.cli.identity import who_acts

        actor = await actor_of(tx, await who_acts(tx))
        return [one for one in await list_projects(tx) if not actor.projects or one.name in actor.projects]

    found = in_transaction(context, look, anybody=True)
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
    from frasier.interfaces.cli.present import print_json

    async def act(_services: Services, tx: Tx) -> Project:
        from frasier.board import ApprovalMode, actor_of, set_mode
        from frasier.interfaces.cli.identity import who_acts
        from frasier.kernel.errors import InvalidInput

        modes = [one.value for one in ApprovalMode]
        if how_far not in modes:
            raise InvalidInput(
                f"There is no mode {how_far[:40]!r}.",
                kept="It is unchanged.",
                hint=f"There are {', '.join(modes)}.",
            )
        actor = await actor_of(tx, await who_acts(tx))
        return await set_mode(tx, name, ApprovalMode(how_far), seen=seen, actor=actor)

    changed = in_transaction(context, act, anybody=True)
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
