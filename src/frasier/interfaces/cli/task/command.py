"""`frasier task command`: the programs that the engine may run for a task, and the moves that require them.

Only the founder may change them.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from frasier.board import (
    DeclaredCommand,
    StoredCommand,
    declare_command,
    get_board,
    list_boards,
    require_command,
    switch_command,
    waive_command,
)
from frasier.interfaces.cli.output import show_done
from frasier.interfaces.cli.task.check import commands
from frasier.interfaces.cli.with_services import BoardOption, JsonOption, as_actor, command_group
from frasier.kernel.errors import InvalidInput

if TYPE_CHECKING:
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
    board: BoardOption = None,
    as_json: JsonOption = False,
) -> None:
    """Declare a command. It is off until you `enable` it, even if it replaces another."""
    declared = DeclaredCommand(
        name=name,
        arguments=tuple(arguments),
        folder=folder.expanduser().absolute(),
        timeout_s=timeout,
        memory_mb=memory,
        report=report,
    )
    stored = _on_board(context, board, declare_command, declared)
    _tell(
        stored,
        f"{name} is declared, and off. `frasier task command enable {name}{_option(board)}` switches it on.",
        as_json=as_json,
    )


@command.command()
def enable(
    context: typer.Context, name: NameArgument, board: BoardOption = None, as_json: JsonOption = False
) -> None:
    """Switch a command on. From now on members may have it run."""
    stored = _on_board(context, board, switch_command, name, enabled=True)
    _tell(stored, f"{name} may be run.", as_json=as_json)


@command.command()
def disable(
    context: typer.Context, name: NameArgument, board: BoardOption = None, as_json: JsonOption = False
) -> None:
    """Switch a command off."""
    stored = _on_board(context, board, switch_command, name, enabled=False)
    _tell(stored, f"{name} may not be run any more.", as_json=as_json)


MoveOption = Annotated[
    str, typer.Option("--for", metavar="MOVE", help="The move; `frasier task process` shows them.")
]


@command.command()
def require(
    context: typer.Context,
    name: NameArgument,
    move: MoveOption = "complete",
    board: BoardOption = None,
    as_json: JsonOption = False,
) -> None:
    """Require a command for a move. Each attempt at the move runs it: it must end with 0, or the move is refused.

    That includes your own moves. While the command is off, nobody can make the move. `waive` takes it back.
    """
    stored = _on_board(context, board, require_command, name, move)
    off = (
        ""
        if stored.enabled
        else f" It is off: `frasier task command enable {name}{_option(board)}` switches it on."
    )
    _tell(
        stored,
        f"{move} runs {name} from now on, and is refused where it does not end with 0.{off}",
        as_json=as_json,
    )


@command.command()
def waive(
    context: typer.Context,
    name: NameArgument,
    move: MoveOption = "complete",
    board: BoardOption = None,
    as_json: JsonOption = False,
) -> None:
    """Take back that a move requires a command."""
    stored = _on_board(context, board, waive_command, name, move)
    _tell(stored, f"{move} does not run {name} any more.", as_json=as_json)


command.command("list")(commands)


def _option(board: str | None) -> str:
    """Return the option of a board that was named: what is advised needs it, too."""
    return f" --board {board}" if board else ""


def _on_board(
    context: typer.Context,
    named: str | None,
    use_case: Callable[..., Awaitable[StoredCommand]],
    *args: Any,
    **kwargs: Any,
) -> StoredCommand:
    """Run a use case on the named board, or on the only one, as the actor here."""

    async def act(services: Services, actor: Actor) -> StoredCommand:
        if named:
            boards = [await services.in_transaction(get_board, named)]
        else:
            boards = await services.in_transaction(list_boards)
        if len(boards) != 1:
            there = " or ".join(f"--board {board.name}" for board in boards)
            hint = f"Add {there}." if there else "There is none: `frasier task board make NAME` makes one."
            raise InvalidInput("No board is named.", kept="Nothing was changed.", hint=hint)
        return await services.in_transaction(use_case, boards[0].id, *args, actor=actor, **kwargs)

    return as_actor(context, act)


def _tell(stored: StoredCommand, message: str, *, as_json: bool) -> None:
    facts = {
        "command": stored.command.name,
        "arguments": stored.command.arguments,
        "folder": stored.command.folder,
        "timeout_s": stored.command.timeout_s,
        "memory_mb": stored.command.memory_mb,
        "report": stored.command.report,
        "enabled": stored.enabled,
        "declared_at": stored.declared_at,
    }
    show_done(message, facts, as_json=as_json)
