"""`frasier task command`: which programs the engine may run for a task, and for which moves it must. Only the founder
says so.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from frasier.interfaces.cli.task.call_tool import ProjectOption, acting
from frasier.interfaces.cli.task.check import commands
from frasier.interfaces.cli.with_services import JsonOption, command_group, with_services

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from frasier.board import KeptCommand, Project
    from frasier.interfaces.services import Services
    from frasier.workflow import Actor

command = command_group("Commands: what may be run for tasks, and what must.")

NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="The command's name.")]


@command.command()
def declare(
    context: typer.Context,
    name: NameArgument,
    arguments: Annotated[
        list[str],
        typer.Argument(
            metavar="-- PROGRAM [ARGUMENT]...", help="The program and its arguments, each by itself."
        ),
    ],
    folder: Annotated[Path, typer.Option("--folder", help="Where it runs.")],
    report: Annotated[
        str,
        typer.Option(
            "--report",
            metavar="FILE",
            help="The JUnit XML file that it writes, relative to the folder; else its tests are counted from what it"
            " prints.",
        ),
    ] = "",
    timeout: Annotated[int, typer.Option("--timeout", metavar="SECONDS", help="How long it may take.")] = 600,
    memory: Annotated[
        int, typer.Option("--memory", metavar="MB", help="How much memory each of its processes may use.")
    ] = 2_048,
    project: ProjectOption = None,
    as_json: JsonOption = False,
) -> None:
    """Declare a command. It is off until you `enable` it, also where it takes the place of another."""

    async def act(services: Services, found: Project, actor: Actor) -> KeptCommand:
        from frasier.board import DeclaredCommand, declare_command

        declared = DeclaredCommand(
            name=name,
            arguments=tuple(arguments),
            folder=folder.expanduser().absolute(),
            timeout_s=timeout,
            memory_mb=memory,
            report=report,
        )
        return await services.in_transaction(declare_command, found.id, declared, actor=actor)

    kept = _in_project(context, project, act)
    _tell(
        kept,
        f"{name} is declared, and off. `frasier task command enable {name}` switches it on.",
        as_json=as_json,
    )


@command.command()
def enable(
    context: typer.Context, name: NameArgument, project: ProjectOption = None, as_json: JsonOption = False
) -> None:
    """Switch a command on. From now on members may have it run."""
    _tell(_switch(context, name, project, enabled=True), f"{name} may be run.", as_json=as_json)


@command.command()
def disable(
    context: typer.Context, name: NameArgument, project: ProjectOption = None, as_json: JsonOption = False
) -> None:
    """Switch a command off."""
    _tell(_switch(context, name, project, enabled=False), f"{name} may not be run any more.", as_json=as_json)


MoveOption = Annotated[
    str, typer.Option("--for", metavar="MOVE", help="The move; `frasier task process` shows them.")
]


@command.command()
def require(
    context: typer.Context,
    name: NameArgument,
    move: MoveOption = "complete",
    project: ProjectOption = None,
    as_json: JsonOption = False,
) -> None:
    """Require a command for a move. Whoever makes the move has it run: it must end with 0, or the move is refused.

    Also yours. While the command is off, nobody makes the move. `waive` takes it back.
    """

    async def act(services: Services, found: Project, actor: Actor) -> KeptCommand:
        from frasier.board import require_command

        return await services.in_transaction(require_command, found.id, name, move, actor=actor)

    kept = _in_project(context, project, act)
    off = "" if kept.enabled else f" It is off: `frasier task command enable {name}` switches it on."
    _tell(
        kept,
        f"{move} runs {name} from now on, and is refused where it does not end with 0.{off}",
        as_json=as_json,
    )


@command.command()
def waive(
    context: typer.Context,
    name: NameArgument,
    move: MoveOption = "complete",
    project: ProjectOption = None,
    as_json: JsonOption = False,
) -> None:
    """Take back that a move requires a command."""

    async def act(services: Services, found: Project, actor: Actor) -> KeptCommand:
        from frasier.board import waive_command

        return await services.in_transaction(waive_command, found.id, name, move, actor=actor)

    _tell(_in_project(context, project, act), f"{move} does not run {name} any more.", as_json=as_json)


command.command("list")(commands)


def _switch(context: typer.Context, name: str, project: str | None, *, enabled: bool) -> KeptCommand:
    async def act(services: Services, found: Project, actor: Actor) -> KeptCommand:
        from frasier.board import switch_command

        return await services.in_transaction(switch_command, found.id, name, enabled=enabled, actor=actor)

    return _in_project(context, project, act)


def _in_project(
    context: typer.Context,
    named: str | None,
    use: Callable[[Services, Project, Actor], Awaitable[KeptCommand]],
) -> KeptCommand:
    """Does something in the project that is named, or in the only one, as whoever acts here."""

    async def act(services: Services) -> KeptCommand:
        from frasier.board import get_project, list_projects
        from frasier.kernel.errors import InvalidInput

        actor = await acting(services)
        if named:
            found = [await services.in_transaction(get_project, named)]
        else:
            found = await services.in_transaction(list_projects)
        if len(found) != 1:
            there = ", ".join(one.name for one in found) or "none: `frasier task project make NAME` makes one"
            raise InvalidInput(
                "No project is named.", kept="Nothing was changed.", hint=f"There are {there}."
            )
        return await use(services, found[0], actor)

    return with_services(context, act, anybody=True)


def _tell(kept: KeptCommand, said: str, *, as_json: bool) -> None:
    from frasier.interfaces.cli.output import print_json

    if not as_json:
        typer.echo(said)
        return
    facts: dict[str, Any] = {
        "command": kept.command.name,
        "arguments": kept.command.arguments,
        "folder": kept.command.folder,
        "timeout_s": kept.command.timeout_s,
        "memory_mb": kept.command.memory_mb,
        "report": kept.command.report,
        "enabled": kept.enabled,
        "declared_at": kept.declared_at,
    }
    print_json(facts)
