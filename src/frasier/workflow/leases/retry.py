"""Reopening of an ended task: retry of a failed one, together with the tasks that failed only because of it."""

from __future__ import annotations

from uuid import UUID

from frasier.kernel.errors import TransitionRefused
from frasier.store import Statements, Tx, notify
from frasier.workflow.processes.process import Actor
from frasier.workflow.tasks.history import marker_text, record_move
from frasier.workflow.tasks.loading import get_task, permit, stale_task
from frasier.workflow.tasks.task import READY_CHANNEL, Task, task_of

_sql = Statements("frasier.workflow")


async def retry(tx: Tx, task_id: UUID, *, actor: Actor, note: str = "") -> list[Task]:
    """Reopen an ended task, and with it the tasks that had failed only because of it.

    Each begins a new round, with its counts reset. A dependant that also depends on another failure stays failed
    until that one is retried too. A task whose own dependency has failed is refused, because it would wait for ever.
    """
    await _sql.run(tx, "lock_group", group_id=(await get_task(tx, task_id)).group_id)
    task = await get_task(tx, task_id)
    if dead := await _sql.all(tx, "dead_dependencies", id=task.id):
        dead_names = ", ".join(f"{row['slug']}, which is {row['status']}" for row in dead)
        raise TransitionRefused(
            f"{task.slug} needs {dead_names}.",
            kept=f"{task.slug} is unchanged.",
            hint=f"Retry {dead[0]['slug']} first.",
        )
    reopened = await _reopen(tx, task, actor, note or "requested again")
    # One by one, nearest first: each checks the dependencies that were reopened before it.
    followers = [
        await _reopen(tx, task_of(row), actor, f"{task.slug} is retried")
        for row in await _sql.all(tx, "cascaded_dependants", id=task_id)
        if not await _sql.all(tx, "dead_dependencies", id=row["id"])
    ]
    await notify(tx, READY_CHANNEL)
    return [reopened, *followers]


async def reopen(tx: Tx, task_id: UUID, transition: str, *, actor: Actor, note: str) -> Task:
    """Reopen an ended task by a transition of its process that does so; its dependants wait for it again."""
    await _sql.run(tx, "lock_group", group_id=(await get_task(tx, task_id)).group_id)
    reopened = await _reopen(tx, await get_task(tx, task_id), actor, note, transition)
    await _sql.run(tx, "unsatisfy_dependants", id=task_id)
    await notify(tx, READY_CHANNEL)
    return reopened


async def _reopen(tx: Tx, task: Task, actor: Actor, note: str, transition: str = "retry") -> Task:
    rule = permit(task, transition, actor=actor, fields={})
    target = task.definition.status(rule.to)
    row = await _sql.maybe(
        tx,
        "reopen_task",
        id=task.id,
        to=rule.to,
        role=task.definition.next_role(rule, role=task.role, fields={}, task=task.slug),
        claimable=target.claimable,
        expected=task.status,
    )
    if row is None:
        raise stale_task(task.slug)
    reopened = task_of(row)
    await record_move(
        tx,
        reopened,
        kind=f"task.{rule.name}",
        marker=marker_text(reopened, f"{task.status}→{reopened.status}", actor.acting_as(task.role), note),
        actor=actor,
        payload={"from": task.status, "to": reopened.status, "note": note, "round": reopened.round},
    )
    return reopened
