"""What concerns all tasks of a group (a mission) at once: reading, pausing, cancelling."""

from __future__ import annotations

from uuid import UUID

from frasier.store import Statements, Tx, append_event, notify
from frasier.workflow.create import READY_CHANNEL
from frasier.workflow.process import Actor
from frasier.workflow.task import Dependency, DependencyKind, Task, task_of
from frasier.workflow.transition import move

_sql = Statements("frasier.workflow")


async def tasks_of(tx: Tx, group_id: UUID) -> list[Task]:
    """Every task of a group, oldest first."""
    return [task_of(row) for row in await _sql.all(tx, "tasks_of_group", group_id=group_id)]


async def dependencies_of(tx: Tx, group_id: UUID) -> dict[UUID, tuple[Dependency, ...]]:
    """What each task of a group depends on; tasks without dependencies are left out."""
    edges: dict[UUID, tuple[Dependency, ...]] = {}
    for row in await _sql.all(tx, "edges_of_group", group_id=group_id):
        edge = Dependency(depends_on=row["depends_on"], kind=DependencyKind(row["kind"]))
        edges[row["task_id"]] = (*edges.get(row["task_id"], ()), edge)
    return edges


async def hold(tx: Tx, group_id: UUID, *, held: bool, actor: Actor) -> int:
    """Pauses (`held`) or continues every open task of a group; returns how many changed.

    A task that a worker holds stops at its next checkpoint; nothing that it stored is lost.
    """
    changed = await _sql.all(tx, "hold_group", group_id=group_id, held=held)
    kind = "group.paused" if held else "group.resumed"
    await append_event(tx, stream=group_id, kind=kind, actor=str(actor), payload={"tasks": len(changed)})
    if not held:
        await notify(tx, READY_CHANNEL)
    return len(changed)


async def cancel_group(tx: Tx, group_id: UUID, *, actor: Actor, reason: str) -> list[Task]:
    """Cancels every open task of a group."""
    cancelled = []
    for task in await tasks_of(tx, group_id):
        current = await _sql.one(tx, "get_task", id=task.id)
        if current["ended_at"] is None:
            cancelled.append(await move(tx, task.id, "cancel", actor=actor, fields={"reason": reason}))
    return cancelled
