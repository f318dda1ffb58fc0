"""Block and restore: a pause that keeps the exact place, names who must act, and works whatever else is down."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from frasier.kernel.errors import LeaseLost, Stale, TransitionRefused
from frasier.store import Statements, Tx, notify
from frasier.workflow.create import READY_CHANNEL
from frasier.workflow.history import marker_text, record_move
from frasier.workflow.process import BLOCKED, Actor, ActorKind
from frasier.workflow.task import Task, task_of
from frasier.workflow.transition import get_task

_sql = Statements("frasier.workflow")


@dataclass(frozen=True, slots=True, kw_only=True)
class Blocked:
    """A paused task: where it was, why it stopped, and who must do what."""

    id: UUID
    slug: str
    title: str
    process: str
    group_id: UUID
    assignee: UUID | None
    was: str
    reasons: list[dict[str, Any]]
    blocked_at: datetime


async def block(
    tx: Tx,
    task_id: UUID,
    *,
    reason: str,
    owner: str,
    action: str,
    actor: Actor,
    attempt: int | None = None,
) -> Task:
    """Pauses a task at its exact place. `owner` must act, and `action` says what they must do.

    A second block adds its reason to the same pause. A task that is over cannot be blocked.
    """
    if not (reason and owner and action):
        raise TransitionRefused(
            "A block needs a reason, an owner and an action.", kept="Nothing was changed."
        )
    task = await get_task(tx, task_id)
    entry = Jsonb({"reason": reason, "owner": owner, "action": action, "by": str(actor)})
    if task.status == BLOCKED:
        await _sql.run(tx, "add_block_reason", id=task_id, reason=entry)
        blocked = task
    else:
        if task.terminal:
            raise TransitionRefused(f"{task.slug} is {task.status}: it cannot be blocked any more.")
        await _sql.run(tx, "insert_block", id=task_id, reason=entry)
        row = await _sql.maybe(
            tx, "enter_block", id=task_id, expected=task.status, owner=owner, attempt=attempt
        )
        if row is None:
            if attempt is not None:
                raise LeaseLost(f"Attempt {attempt} of {task.slug} does not hold the task any more.")
            raise Stale(f"{task.slug} was moved by somebody else first.")
        blocked = task_of(row)
    await record_move(
        tx,
        blocked,
        kind="task.block",
        marker=marker_text(blocked, "BLOCKED", task.role, f"{reason} — {owner} must {action}"),
        actor=actor,
        payload={"from": task.status, "reason": reason, "owner": owner, "action": action},
    )
    return blocked


async def restore(tx: Tx, task_id: UUID, *, actor: Actor, note: str = "") -> Task:
    """Puts a blocked task back to exactly where it was. Only the founder and the system may.

    `note` is what the founder adds; it goes with the task from then on.
    """
    task = await get_task(tx, task_id)
    if actor.kind not in {ActorKind.FOUNDER, ActorKind.SYSTEM}:
        raise TransitionRefused(
            f"{actor} may not restore {task.slug}.", hint="It can be done by: founder, system."
        )
    place = await _sql.maybe(tx, "get_block", id=task_id)
    if task.status != BLOCKED or place is None:
        raise TransitionRefused(f"{task.slug} is {task.status}, not blocked.", kept="Nothing was changed.")
    row = await _sql.maybe(
        tx,
        "leave_block",
        id=task_id,
        status=place["status"],
        role=place["role"],
        assignee=place["assignee"],
        claimable=task.definition.status(place["status"]).claimable,
        lease_owner=place["lease_owner"],
        note=note,
    )
    if row is None:
        raise Stale(f"{task.slug} was moved by somebody else first.")
    await _sql.run(tx, "delete_block", id=task_id)
    restored = task_of(row)
    await record_move(
        tx,
        restored,
        kind="task.restore",
        marker=marker_text(restored, "RESTORED", restored.role, note or f"back to {restored.status}"),
        actor=actor,
        payload={"to": restored.status, "note": note},
    )
    await notify(tx, READY_CHANNEL)
    return restored


async def blocked_tasks(tx: Tx, group_id: UUID | None = None) -> list[Blocked]:
    """What is paused, longest first; of one group, or of all."""
    return [Blocked(**row) for row in await _sql.all(tx, "blocked_tasks", group_id=group_id)]
