"""Tasks whose worker does not work on them any more, although their lease still names it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from frasier.board import busy_workers
from frasier.store import Statements, Tx, process_has_ended
from frasier.workflow import Task

_sql = Statements("frasier.overview")


@dataclass(frozen=True, slots=True, kw_only=True)
class LostLease:
    """A lease that nobody renews: its process `has_ended`, or the lease has. Another worker may take the task over in
    `seconds_left`.
    """

    has_ended: bool
    seconds_left: float

    def text(self, *, attended: bool) -> str:
        """Say what became of the worker, and when the task is taken over where somebody works."""
        cause = "its worker has ended" if self.has_ended else "its worker fell silent"
        if not attended:
            return cause
        return f"{cause}; taken over in {self.seconds_left:.0f} s" if self.seconds_left >= 1 else cause


async def ended_workers(tx: Tx) -> list[str]:
    """List the holders of unexpired leases whose processes are known to have ended."""
    return [worker.name for worker in await busy_workers(tx) if worker.has_ended]


def as_waiting(task: Task) -> Task:
    """Return a task that has its place back after a pause as one that waits for a worker: its last run has ended."""
    return replace(task, status="pending") if task.restored else task


async def read_lost_leases(tx: Tx, tasks: Sequence[Task]) -> dict[UUID, LostLease]:
    """Read which of the tasks are lost. That a process of another machine has ended is known when its lease has."""
    held = [task.id for task in tasks if task.lease_owner is not None and not task.restored]
    rows = await _sql.all(tx, "lease_seconds_left", ids=held) if held else []
    leases = {
        row["id"]: LostLease(
            has_ended=process_has_ended(row["holder"]), seconds_left=max(row["seconds_left"], 0.0)
        )
        for row in rows
    }
    return {task_id: lease for task_id, lease in leases.items() if lease.has_ended or not lease.seconds_left}
