"""Operations on all tasks of a group (a mission) at once: pausing, cancelling."""

from __future__ import annotations

from uuid import UUID

from frasier.store import Statements, Tx, append_event, notify
from frasier.workflow.processes.process import Actor
from frasier.workflow.tasks.task import READY_CHANNEL, Task
from frasier.workflow.transitions.move import move

_sql = Statements("frasier.workflow")


async def hold(tx: Tx, group_id: UUID, *, held: bool, actor: Actor) -> int:
    """Pause (`held`) or continue every open task of a group; return the number of tasks that changed.

    A task that a worker holds stops at its next checkpoint; nothing that it stored is lost.
    """
    await _sql.run(tx, "lock_group", group_id=group_id)
    changed = await _sql.run(tx, "hold_group", group_id=group_id, held=held)
    kind = "group.paused" if held else "group.resumed"
    await append_event(tx, stream=group_id, kind=kind, actor=str(actor), payload={"tasks": changed})
    if not held:
        await notify(tx, READY_CHANNEL)
    return changed


async def cancel_group(tx: Tx, group_id: UUID, *, actor: Actor, reason: str) -> list[Task]:
    """Cancel every open task of a group."""
    await _sql.run(tx, "lock_group", group_id=group_id)
    still_open = await _sql.all(tx, "lock_open_tasks", group_id=group_id)
    return [await move(tx, row["id"], "cancel", actor=actor, fields={"reason": reason}) for row in still_open]
