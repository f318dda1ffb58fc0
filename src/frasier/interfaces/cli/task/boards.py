"""`frasier task board`: boards, and how far the team of each may go without the founder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from frasier.board import ApprovalMode, Board, list_boards, make_board, set_mode
from frasier.interfaces.cli.output import Page, ago, show_done, show_view
from frasier.interfaces.cli.with_services import JsonOption, as_actor, command_group
from frasier.kernel.errors import InvalidInput
from frasier.kernel.humanize import person

if TYPE_CHECKING:
    from frasier.interfaces.services import Services
    from frasier.workflow import Actor

board = command_group("Boards: make them, and set how far teams may go alone.")

NameArgument = Annotated[
    str, typer.Argument(metavar="NAME", help="Lower-case letters, digits, dots, dashes and underscores.")
]


@board.command()
def make(context: typer.Context, name: NameArgument, as_json: JsonOption = False) -> None:
    """Make a board. It is empty, and the founder decides every move that its process marks."""
    made = as_actor(context, lambda services, actor: services.in_transaction(make_board, name, actor=actor))
    show_done(
        f"The board {made.name} was made. `frasier task member add NAME --role ROLE --board {made.name}` adds a"
        " member.",
        _as_dict(made),
        as_json=as_json,
    )


@board.command("list")
def list_(context: typer.Context, as_json: JsonOption = False) -> None:
    """List boards. Those that you may see."""

    async def look(services: Services, actor: Actor) -> list[Board]:
        boards = await services.in_transaction(list_boards)
        return [board for board in boards if not actor.boards or board.name in actor.boards]

    listed = as_actor(context, look)
    show_view(listed, _draw_boards, lambda boards: {"boards": list(map(_as_dict, boards))}, as_json=as_json)


def _draw_boards(page: Page, boards: Sequence[Board]) -> None:
    if not boards:
        page.line("There is no board. `frasier task board make NAME` makes one.")
    page.table(
        ["board", "mode", "set by", "made"],
        [
            (board.name, board.approval_mode, person(board.mode_by), (ago(board.created_at), "dim"))
            for board in boards
        ],
    )


@board.command()
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
    changed = as_actor(
        context,
        lambda services, actor: services.in_transaction(
            set_mode, name, _mode_of(how_far), seen=seen, actor=actor
        ),
    )
    show_done(f"{changed.name} is in mode {changed.approval_mode}.", _as_dict(changed), as_json=as_json)


def _mode_of(name: str) -> ApprovalMode:
    modes = [mode.value for mode in ApprovalMode]
    if name not in modes:
        raise InvalidInput(
            f"There is no mode {name[:40]!r}.",
            kept="It is unchanged.",
            hint=f"There are {', '.join(modes)}.",
        )
    return ApprovalMode(name)


def _as_dict(board: Board) -> dict[str, object]:
    return {
        "board": board.name,
        "mode": board.approval_mode,
        "mode_version": board.mode_version,
        "mode_by": board.mode_by,
        "mode_at": board.mode_at,
        "created_at": board.created_at,
    }
