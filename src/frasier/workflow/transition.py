"""The transition engine: one guarded update with its event, its marker and its dependants, in one transaction."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from frasier.kernel.errors import LeaseLost, NotFound, Stale
from frasier.store import Statements, Tx, notify
from frasier.workflow.create import READY_CHANNEL
from frasier.workflow.history import marker_text, record_move
from frasier.workflow.process import BLOCKED, SYSTEM, Actor, Transition
from frasier.workflow.task import Task, task_of

_sql = Statements("frasier.workflow")


async def get_task(tx: Tx, task_id: UUID) -> Task:
    """The task; raises NotFound."""
    row = await _sql.maybe(tx, "get_task", id=task_id)
    if row is None:
        raise NotFound(f"There is no task {task_id}.")
    return task_of(row)


async def move(
    tx: Tx,
    task_id: UUID,
    transition: str,
    *,
    actor: Actor,
    fields: Mapping[str, Any] | None = None,
    attempt: int | None = None,
    note: str = "",
    delay_s: float = 0.0,
    failed_run: bool = False,
) -> Task:
    """Makes one declared transition, or raises and changes nothing.

    A worker names its `attempt`; LeaseLost is raised where that attempt does not hold the task any more. `fields`
    fill what the transition requires and are kept with the task. `delay_s` is how long a task that becomes
    claimable again must wait; `failed_run` counts a run that came to nothing. Completing a task frees its
    dependants; failing or cancelling it fails those that cannot go on without it.
    """
    task = await get_task(tx, task_id)
    filled = dict(fields or {})
    rule = task.definition.permit(transition, status=task.status, actor=actor, fields=filled, task=task.slug)
    moved = await _guarded(
        tx, task, rule, filled, attempt=attempt, delay_s=delay_s, failed_run=failed_run, cascaded=False
    )
    await _record(tx, task, moved, rule, actor, filled, note)
    await _follow(tx, moved)
    return moved


async def retry(tx: Tx, task_id: UUID, *, actor: Actor, note: str = "") -> list[Task]:
    """Reopens an ended task, and with it the tasks that had failed only because of it."""
    task = await get_task(tx, task_id)
    rule = task.definition.permit("retry", status=task.status, actor=actor, fields={}, task=task.slug)
    reopened = [await _reopen(tx, task, rule, actor, note or "asked for again")]
    for row in await _sql.all(tx, "cascaded_dependants", id=task_id):
        reopened.append(await _reopen(tx, task_of(row), rule, actor, f"{task.slug} is tried again"))
    await notify(tx, READY_CHANNEL)
    return reopened


async def _reopen(tx: Tx, task: Task, rule: Transition, actor: Actor, note: str) -> Task:
    role = task.definition.status(rule.to).role
    row = await _sql.maybe(tx, "reopen_task", id=task.id, to=rule.to, role=role, expected=task.status)
    if row is None:
        raise Stale(f"{task.slug} was moved by somebody else first.")
    moved = task_of(row)
    await _record(tx, task, moved, rule, actor, {}, note)
    return moved


async def _guarded(
    tx: Tx,
    task: Task,
    rule: Transition,
    fields: Mapping[str, Any],
    *,
    attempt: int | None,
    delay_s: float,
    failed_run: bool,
    cascaded: bool,
) -> Task:
    target = task.definition.status(rule.to)
    row = await _sql.maybe(
        tx,
        "move_task",
        id=task.id,
        expected=task.status,
        attempt=attempt,
        to=rule.to,
        role=target.role,
        claimable=target.claimable,
        terminal=target.terminal,
        assignee=None,
        delay_s=delay_s,
        strike=int(rule.strike),
        failure_count=int(failed_run),
        result_digest=fields.get("result_digest"),
        result_size=fields.get("result_size"),
        fields=Jsonb(dict(fields)),
        failure=fields.get("reason") if rule.to == "failed" else None,
        cascaded=cascaded,
    )
    if row is None:
        if attempt is not None:
            raise LeaseLost(f"Attempt {attempt} of {task.slug} does not hold the task any more.")
        raise Stale(
            f"{task.slug} was moved by somebody else first.", hint="Look at it again and decide anew."
        )
    if task.status == BLOCKED:
        await _sql.run(tx, "delete_block", id=task.id)
    return task_of(row)


async def _record(
    tx: Tx, before: Task, after: Task, rule: Transition, actor: Actor, fields: Mapping[str, Any], note: str
) -> None:
    sentence = note or str(fields.get("reason") or fields.get("feedback") or "")
    await record_move(
        tx,
        after,
        kind=f"task.{rule.name}",
        marker=marker_text(after, f"{before.status}→{after.status}", before.role, sentence),
        actor=actor,
        payload={"from": before.status, "to": after.status, "note": sentence, **fields},
    )


async def _follow(tx: Tx, moved: Task) -> None:
    if moved.status == "completed":
        freed = await _sql.all(tx, "satisfy_dependants", id=moved.id)
        if any(row["ready"] for row in freed):
            await notify(tx, READY_CHANNEL)
    elif moved.status in {"failed", "cancelled"}:
        await _cascade(tx, moved)
    elif moved.ready:
        await notify(tx, READY_CHANNEL)


async def _cascade(tx: Tx, origin: Task) -> None:
    """Fails what cannot go on without `origin`. Follows edges: independent branches are not touched."""
    for row in await _sql.all(tx, "open_dependants", id=origin.id):
        dependant = task_of(row)
        reason = {
            "reason": f"needs {origin.slug}, which {'failed' if origin.status == 'failed' else 'was cancelled'}"
        }
        rule = dependant.definition.permit(
            "fail", status=dependant.status, actor=SYSTEM, fields=reason, task=dependant.slug
        )
        failed = await _guarded(
            tx, dependant, rule, reason, attempt=None, delay_s=0.0, failed_run=False, cascaded=True
        )
        await _record(tx, dependant, failed, rule, SYSTEM, reason, "")
