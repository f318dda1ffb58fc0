"""Busy workers, and look-up of tasks by id or name."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from frasier.kernel.errors import NotFound
from frasier.kernel.ids import id_part, parse_id
from frasier.store import Statements, Tx, find_row, lease_holders, process_has_ended
from frasier.workflow import Task, get_task, task_of

_sql = Statements("frasier.board.overview")


@dataclass(frozen=True, slots=True, kw_only=True)
class BusyWorker:
    """A holder of `tasks` tasks, which it loses at `lease_until` if it stops renewing. A member of a team holds them
    `on_boards`, and carries on nothing else. `has_ended` says that its process is known to live no more.
    """

    name: str
    tasks: int
    lease_until: datetime
    on_boards: bool
    has_ended: bool


async def busy_workers(tx: Tx) -> list[BusyWorker]:
    """List the workers and members that hold tasks now; one that waits for work holds none and is not listed."""
    rows = await _sql.all(tx, "busy_workers")
    return [BusyWorker(**row, has_ended=process_has_ended(row["name"])) for row in rows]


_WORKER_LEASE = "worker:"
_MEANS_LEASES = {True: f"{_WORKER_LEASE}rehearsal:", False: f"{_WORKER_LEASE}model:"}
_MISSION_LEASE = "mission-worker:"


def worker_lease(worker: str, mission_id: UUID | None = None, *, rehearsal: bool) -> str:
    """Name the lease that a worker holds while it looks for tasks: of any mission that the rehearsal, or models, carry
    out, or of one mission.
    """
    if mission_id is not None:
        return f"{_MISSION_LEASE}{mission_id}:{worker}"
    return f"{_MEANS_LEASES[rehearsal]}{worker}"


async def anybody_works(tx: Tx, mission_id: UUID | None = None) -> bool:
    """Tell whether a process carries work on: it holds tasks of the organisation, or looks for some, of all missions or
    of this one.
    """
    looking = (_WORKER_LEASE, *((f"{_MISSION_LEASE}{mission_id}:",) if mission_id else ()))
    return await _any_worker(tx, looking)


async def is_refused_by_all(tx: Tx, mission_id: UUID, *, rehearsal: bool) -> bool:
    """Tell whether the workers that look for tasks all leave a mission alone, because they have other means."""
    names = await lease_holders(tx)
    looking = [name for name in names if name.startswith(_WORKER_LEASE)]
    others = _MEANS_LEASES[not rehearsal]
    attended = any(name.startswith(f"{_MISSION_LEASE}{mission_id}:") for name in names)
    return bool(looking) and not attended and all(name.startswith(others) for name in looking)


async def any_worker_is_up(tx: Tx) -> bool:
    """Tell whether any process carries work on, be it of a single mission."""
    return await _any_worker(tx, (_WORKER_LEASE, _MISSION_LEASE))


async def _any_worker(tx: Tx, leases: tuple[str, ...]) -> bool:
    if any(name.startswith(leases) for name in await lease_holders(tx)):
        return True
    return any(not (one.on_boards or one.has_ended) for one in await busy_workers(tx))


async def find_task(tx: Tx, text: str) -> Task:
    """Return the task whose id is `text`, or begins or ends with it unambiguously (4 characters or more)."""
    if (exact := parse_id(text)) is not None:
        return await get_task(tx, exact)
    row = await find_row(
        tx, _sql, "tasks_like", text, what="tasks", label=lambda row: f"{row['id']} ({row['slug']})"
    )
    if row is None:
        raise NotFound(
            f"There is no task {text!r}.", hint="Give 4 characters or more of an id that is shown."
        )
    return await get_task(tx, row["id"])


async def task_of_group(tx: Tx, group_id: UUID, slug: str) -> Task | None:
    """Return the task that a group knows by `slug`."""
    row = await _sql.maybe(tx, "task_by_slug", group_id=group_id, slug=slug)
    return await get_task(tx, row["id"]) if row else None


async def find_on_boards(tx: Tx, text: str, *, board: str | None) -> list[Task]:
    """List the tasks of boards whose name or id is `text`, else those whose id begins or ends with it; of one board if
    it is named.
    """
    whole, part = parse_id(text), id_part(text)
    rows = await _sql.all(tx, "tasks_on_boards", id=whole, slug=text.replace("\0", ""), board=board)
    if not rows and part is not None:
        rows = await _sql.all(tx, "tasks_on_boards_like", part=part, board=board)
    return [task_of(row) for row in rows]
