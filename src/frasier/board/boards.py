"""Boards: the tasks of a team under one name, with the approval mode that the founder set."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvalidInput, NotAllowed, NotFound, Stale
from frasier.kernel.humanize import person
from frasier.kernel.ids import new_id
from frasier.store import Statements, Tx, append_event, from_row
from frasier.workflow import Actor, ActorKind

_sql = Statements("frasier.board")

# The schema holds the same pattern.
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")


class ApprovalMode(StrEnum):
    """The moves that need the founder's decision: none; those that complete a task; none, but the mover states the
    founder's answer; all that a process table marks.
    """

    AUTONOMOUS = "autonomous"
    AUTO_APPROVAL = "auto-approval"
    SEMI = "semi"
    MANUAL = "manual"


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """A team's board. `id` is the group of its tasks. `mode_version` counts the changes of the mode, `mode_by` made the
    last.
    """

    id: UUID
    name: str
    approval_mode: ApprovalMode
    mode_version: int
    mode_by: str
    mode_at: datetime
    created_at: datetime


async def make_board(tx: Tx, name: str, *, actor: Actor) -> Board:
    """Make an empty board in mode manual. Only the founder may; raises InvalidInput for a name in use."""
    founder_only(actor, "make a board")
    if not _NAME.fullmatch(name):
        raise InvalidInput(
            f"{name[:60]!r} cannot be a board's name.",
            kept="No board was made.",
            hint="Use 1 to 64 lower-case letters, digits, dots, dashes and underscores.",
        )
    row = await _sql.maybe(tx, "make_board", id=new_id(), name=name, by=str(actor))
    if row is None:
        raise InvalidInput(
            f"There is a board {name} already.", kept="It is unchanged.", hint="Use it, or another name."
        )
    board = from_row(Board, row)
    await append_event(tx, stream=board.id, kind="board.made", actor=str(actor), payload={"name": name})
    return board


async def get_board(tx: Tx, name: str) -> Board:
    """Return the board of that name; raises NotFound."""
    row = await _sql.maybe(tx, "get_board", name=name)
    if row is None:
        raise NotFound(f"There is no board {name[:60]!r}.", advice=Advice("board.list", to="see the boards"))
    return from_row(Board, row)


async def board_of(tx: Tx, group_id: UUID, *, lock: bool = False) -> Board | None:
    """Return the board whose tasks a group is; None for a mission's. With `lock` the row is locked, so that its mode
    stays as it is until the transaction ends.
    """
    return await _sql.maybe_as(Board, tx, "lock_board_of_group" if lock else "board_of_group", id=group_id)


async def list_boards(tx: Tx) -> list[Board]:
    """List all boards by name."""
    return await _sql.all_as(Board, tx, "list_boards")


async def board_names(tx: Tx, ids: Collection[UUID]) -> dict[UUID, str]:
    """Return the names of those of some groups that are boards."""
    return {row["id"]: row["name"] for row in await _sql.all(tx, "board_names", ids=list(ids))}


async def set_mode(tx: Tx, name: str, mode: ApprovalMode, *, seen: int | None, actor: Actor) -> Board:
    """Change the approval mode. Only the founder may; `seen` is the mode_version that the founder looked at.

    Raises Stale if the mode was changed since, so that an old page undoes nothing.
    """
    founder_only(actor, "change the approval mode")
    board = await get_board(tx, name)
    row = await _sql.maybe(
        tx,
        "set_mode",
        id=board.id,
        mode=mode,
        seen=board.mode_version if seen is None else seen,
        by=str(actor),
    )
    if row is None:
        raise Stale(
            f"The mode of {name} was changed meanwhile: it is {board.approval_mode}, by {person(board.mode_by)}.",
            kept="It is unchanged.",
            hint="Look at it again, then decide.",
        )
    changed = from_row(Board, row)
    await append_event(
        tx,
        stream=board.id,
        kind="board.mode",
        actor=str(actor),
        payload={"from": board.approval_mode, "to": mode, "version": changed.mode_version},
    )
    return changed


def founder_only(actor: Actor, what: str) -> None:
    """Raise NotAllowed unless the founder acts; `what` is the act, as a verb."""
    if actor.kind is not ActorKind.FOUNDER:
        raise NotAllowed(
            f"{actor.person} may not {what}.", kept="Nothing was changed.", hint="Only the founder may."
        )
