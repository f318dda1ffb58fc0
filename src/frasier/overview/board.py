"""Open tasks in numbers: how many stand where, on teams' boards and of the organisation itself."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from frasier.overview.lost_work import ended_workers
from frasier.store import Statements, Tx
from frasier.workflow import processes

_sql = Statements("frasier.overview")


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenTasks:
    """Tasks that have not ended, each counted in one place.

    `lost` ones are held by a worker that has ended or fell silent; `to_be_moved` ones stand on a board where somebody
    has to make the next move; of those `with_founder` the founder has to decide about a move; `waiting` ones need
    another task first, `retrying` ones wait after a run that came to nothing, `paused` ones belong to a group that is
    held.
    """

    ready: int = 0
    running: int = 0
    lost: int = 0
    in_review: int = 0
    to_be_moved: int = 0
    with_founder: int = 0
    waiting: int = 0
    retrying: int = 0
    paused: int = 0
    blocked: int = 0


def _initial_places() -> list[str]:
    return [f"{name}/{process.initial}" for name, process in processes().items()]


async def count_open_tasks(tx: Tx) -> tuple[OpenTasks, OpenTasks]:
    """Count the open tasks by place: those of the organisation itself, and those on teams' boards."""
    rows = await _sql.all(tx, "count_by_place", ended=await ended_workers(tx), initial=_initial_places())
    own, on_boards = (
        OpenTasks(**{row["place"]: row["tasks"] for row in rows if row["on_board"] is on_board})
        for on_board in (False, True)
    )
    return own, on_boards


async def open_tasks_by_assignee(tx: Tx) -> dict[UUID, int]:
    """Count the open tasks of each agent; those without any are left out."""
    return {row["assignee"]: row["tasks"] for row in await _sql.all(tx, "count_by_assignee")}
