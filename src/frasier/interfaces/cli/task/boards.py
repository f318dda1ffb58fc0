"""`frasier task board`: boards, and how far the team of each may go without the founder."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from frasier.interfaces.cli.acting_as import actor_here
from frasier.interfaces.cli.output import Page, ago, print_json
from frasier.interfaces.cli.with_services import JsonOption, command_group, with_services
from frasier.kernel.errors import InvalidInput
from frasier.kernel.humanize import person

if TYPE_CHECKING:
    from frasier.board import Board
    from frasier.interfaces.services import Services

board = command_group("Boards: make them, and set how far teams may go alone.")

NameArgument = Annotated[
    str, typer.Argument(metavar="NAME", help="Lower-case letters, digits, dots, dashes and underscores.")
]


@board.command()
def make(context: typer.Context, name: NameArgument, as_json: JsonOption = False) -> None:
    """Make a board. It is empty, and the founder decides every move that its process marks."""

    async def act(services: Services) -> Board:
        from frasier.board import make_board

        return await services.in_transaction(
            make_board, name, actor=await services.in_transaction(actor_here)
        )

    made = with_services(context, act, any_actor=True)
    if as_json:
        print_json(_as_dict(made))
    else:
        typer.echo(
            f"The board {made.name} was made. `frasier task member add NAME --role ROLE --board {made.name}` adds a"
            " member."
        )


@board.command("list")
def list_(context: typer.Context, as_json: JsonOption = False) -> None:
    """List boards. Those that you may see."""

    async def look(services: Services) -> list[Board]:
        from frasier.board import list_boards

        actor = await services.in_transaction(actor_here)
        boards = await services.in_transaction(list_boards)
        return [board for board in boards if not actor.boards or board.name in actor.boards]

    listed = with_services(context, look, any_actor=True)
    if as_json:
        print_json({"boards": [_as_dict(board) for board in listed]})
        return
    page = Page()
    if not listed:
        page.line("There is no board. `frasier task board make NAME` makes one.")
    page.table(
        ["board", "mode", "set by", "made"],
        [
            (board.name, board.approval_mode, person(board.mode_by), (ago(board.created_at), "dim"))
            for board in listed
        ],
    )
    page.show()


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

    async def act(services: Services) -> Board:
        from frasier.board import ApprovalMode, set_mode

        modes = [mode.value for mode in ApprovalMode]
        if how_far not in modes:
            raise InvalidInput(
                f"There is no mode {how_far[:40]!r}.",
                kept="It is unchanged.",
                hint=f"There are {', '.join(modes)}.",
            )
        return await services.in_transaction(
            set_mode, name, ApprovalMode(how_far), seen=seen, actor=await services.in_transaction(actor_here)
        )

    changed = with_services(context, act, any_actor=True)
    if as_json:
        print_json(_as_dict(changed))
    else:
        typer.echo(f"{changed.name} is in mode {changed.approval_mode}.")


def _as_dict(board: Board) -> dict[str, object]:
    return {
        "board": board.name,
        "mode": board.approval_mode,
        "mode_version": board.mode_version,
        "mode_by": board.mode_by,
        "mode_at": board.mode_at,
        "created_at": board.created_at,
    }
