"""Boards as a page shows them: what matches a filter, the first tasks of each status, and how many there are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime

from frasier.board.agent_inbox.inbox import Card, Notice, cards, column_of, notices
from frasier.board.boards import ApprovalMode, Board, get_board
from frasier.store import Statements, Tx
from frasier.workflow import FOUNDER

_sql = Statements("frasier.board")


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardFilter:
    """Conditions that a task meets to be listed.

    `text` is in its name, title or description; a `waiting` one waits for the founder; an ended one ended within
    `over_days`.
    """

    text: str | None = None
    holder: str | None = None
    role: str | None = None
    status: str | None = None
    process: str | None = None
    waiting: bool = False
    over_days: float = 7.0


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardPage:
    """The first tasks of each status with the notices that each gives the founder, and the `counts` by column of all
    that match. `processes` and `holders` are those of the whole board.
    """

    board: Board
    listed: Sequence[tuple[Card, Sequence[Notice]]]
    counts: Mapping[str, int]
    processes: Sequence[str]
    holders: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardCounts:
    """A board with its numbers of open tasks: all, `blocked`, `held` by somebody, and `waiting` for the founder."""

    name: str
    approval_mode: ApprovalMode
    open: int
    blocked: int
    held: int
    waiting: int
    changed_at: datetime | None


async def read_board_page(tx: Tx, name: str, chosen: BoardFilter, *, per_status: int) -> BoardPage:
    """Read what of a board matches a filter, at most so many tasks of each status. Raises NotFound."""
    board = await get_board(tx, name)
    picked = await _sql.all(tx, "pick_tasks", board=board.id, per_status=per_status, **asdict(chosen))
    counts: dict[str, int] = {}
    for process, status, tasks in {(row["process"], row["status"], row["tasks"]) for row in picked}:
        column = column_of(process, status)
        counts[column] = counts.get(column, 0) + tasks
    place = {row["id"]: index for index, row in enumerate(picked)}
    found = await cards(tx, ids=list(place), over_days=chosen.over_days) if place else []
    found.sort(key=lambda card: place[card.task.id])
    facets = await _sql.one(tx, "board_facets", board=board.id)
    return BoardPage(
        board=board,
        listed=[(card, notices(card, FOUNDER)) for card in found],
        counts=counts,
        processes=facets["processes"],
        holders=facets["holders"],
    )


async def read_board_counts(tx: Tx) -> list[BoardCounts]:
    """Read every board with its numbers, by name."""
    return [
        BoardCounts(**row | {"approval_mode": ApprovalMode(row["approval_mode"])})
        for row in await _sql.all(tx, "board_counts")
    ]
