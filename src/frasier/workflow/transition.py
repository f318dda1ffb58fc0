"""The transition engine: one guarded update with its event, its marker and its dependants, in one transaction.

Locks are taken in one order, so that no two transactions wait for each other: first the group (shared by moves,
alone for what concerns all its tasks), then the task, then its dependants by `num`, which grows along every edge.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from frasier.kernel.errors import LeaseLost, NotFound, Stale, TransitionRefused
from frasier.store import Statements, Tx, notify
from frasier.workflow.create import READY_CHANNEL
from frasier.workflow.history import marker_text, record_move
from frasier.workflow.process import BLOCKED, SYSTEM, Actor, ActorKind, Transition
from frasier.workflow.task import Task, task_of

_sql = Statements("frasier.workflow")


async def get_task(tx: Tx, task_id: UUID) -> Task:
    """The task; raises NotFound."""
    return _found(await _sql.maybe(tx, "get_task", id=task_id), task_id)


async def take_task(tx: Tx, task_id: UUID) -> Task:
    """The task, about to be moved: its group is shared until the transaction ends. Raises NotFound."""
    return _found(await _sql.maybe(tx, "take_task", id=task_id), task_id)


def _found(row: dict[str, Any] | None, task_id: UUID) -> Task:
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

    A worker must name its `attempt`; LeaseLost is raised where that attempt does not hold the task any more.
    `fields` fill what the transition requires and are kept with the task. `delay_s` is how long a task that becomes
    claimable again must wait; `failed_run` counts a run that came to nothing. Completing a task frees its
    dependants; failing or cancelling it fails those that cannot go on without it.
    """
    task = await take_task(tx, task_id)
    check_attempt(task, attempt)
    filled = dict(fields or {})
    rule = task.definition.permit(transition, status=task.status, actor=actor, fields=filled, task=task.slug)
    _check_way(task, rule, actor, attempt)
    moved = await _guarded(tx, task, rule, filled, attempt=attempt, delay_s=delay_s, failed_run=failed_run)
    async with tx.pipeline():
        await _record(tx, task, moved, rule, actor, filled, note)
        if task.status == BLOCKED:
            await _sql.run(tx, "delete_block", ids=[task.id])
        if moved.status == "completed":
            await _sql.run(tx, "satisfy_dependants", id=moved.id, channel=READY_CHANNEL)
        elif moved.ready:
            await notify(tx, READY_CHANNEL)
    if moved.status in {"failed", "cancelled"}:
        await _cascade(tx, moved)
    return moved


def check_attempt(task: Task, attempt: int | None) -> None:
    """Raises LeaseLost where `attempt` is named and does not hold the task."""
    if attempt is not None and (task.lease_owner is None or task.attempt != attempt):
        raise lease_lost(task.slug, attempt)


def lease_lost(task: str, attempt: int) -> LeaseLost:
    """The error of an attempt that is over."""
    return LeaseLost(
        f"Attempt {attempt} of {task} does not hold the task any more.",
        kept="What the attempt stored before stays; nothing was written now.",
    )


def _check_way(task: Task, rule: Transition, actor: Actor, attempt: int | None) -> None:
    """Some moves are more than a change of status, and have a use case of their own."""
    if rule.name in {task.definition.claim, "retry"}:
        raise TransitionRefused(
            f"{task.slug} cannot be moved by {rule.name} alone.",
            kept=f"{task.slug} is unchanged.",
            hint="Claim it."
            if rule.name == task.definition.claim
            else "Retry it with what failed because of it.",
        )
    if actor.kind is ActorKind.WORKER and attempt is None:
        raise TransitionRefused(
            f"{actor} names no attempt, so it cannot {rule.name} {task.slug}.",
            kept=f"{task.slug} is unchanged.",
            hint="A worker moves what it holds a lease on, and names the attempt.",
        )


async def _guarded(
    tx: Tx,
    task: Task,
    rule: Transition,
    fields: Mapping[str, Any],
    *,
    attempt: int | None,
    delay_s: float,
    failed_run: bool,
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
        delay_s=delay_s,
        strike=int(rule.strike),
        failure_count=int(failed_run),
        result_digest=fields.get("result_digest"),
        result_size=fields.get("result_size"),
        fields=Jsonb(dict(fields)),
        failure=fields["reason"] if rule.to == "failed" else None,
    )
    if row is None:
        raise lease_lost(task.slug, attempt) if attempt is not None else moved_first(task)
    return task_of(row)


def moved_first(task: Task) -> Stale:
    """The error of whoever acts on a state that is not the task's any more."""
    return Stale(f"{task.slug} was moved by somebody else first.", hint="Look at it again and decide anew.")


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
        payload={**fields, "from": before.status, "to": after.status, "note": sentence},
    )


async def _cascade(tx: Tx, origin: Task) -> None:
    """Fails what cannot go on without `origin`. Follows edges: independent branches are not touched."""
    reason = f"needs {origin.slug}, which {'failed' if origin.status == 'failed' else 'was cancelled'}"
    # Looks again until none is left: a task may have been added while the locks were waited for.
    while rows := await _sql.all(tx, "lock_open_dependants", id=origin.id):
        doomed = {row["id"]: task_of(row) for row in rows}
        rules = {task.id: _fail_rule(task, reason) for task in doomed.values()}
        roles = [task.definition.status(rules[task.id].to).role for task in doomed.values()]
        failed = await _sql.all(tx, "fail_dependants", ids=list(doomed), roles=roles, reason=reason)
        async with tx.pipeline():
            await _sql.run(tx, "delete_block", ids=list(doomed))
            for after in map(task_of, failed):
                before = doomed[after.id]
                await _record(tx, before, after, rules[after.id], SYSTEM, {"reason": reason}, "")


def _fail_rule(task: Task, reason: str) -> Transition:
    return task.definition.permit(
        "fail", status=task.status, actor=SYSTEM, fields={"reason": reason}, task=task.slug
    )
