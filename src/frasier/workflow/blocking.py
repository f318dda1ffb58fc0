"""Block and restore: a pause that keeps the exact position, names who must act, and depends on no other service."""

from __future__ import annotations

from uuid import UUID

from psycopg.types.json import Jsonb

from frasier.kernel.advice import Advice
from frasier.kernel.errors import TransitionRefused
from frasier.kernel.fault_points import fault_point
from frasier.store import Statements, Tx, notify
from frasier.workflow.processes.process import BLOCKED, Actor, ActorKind
from frasier.workflow.processes.task_rules import rules_of
from frasier.workflow.tasks.history import marker_text, record_move
from frasier.workflow.tasks.loading import check_attempt, lease_lost, load_to_change, stale_task
from frasier.workflow.tasks.task import READY_CHANNEL, Task, task_of

_sql = Statements("frasier.workflow")

_ALWAYS = frozenset({ActorKind.FOUNDER.value, ActorKind.SYSTEM.value})


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
    """Pause a task at its exact position. `owner` must act, and `action` says what they must do.

    A second block adds its reason to the same pause, also under the attempt whose claim the pause keeps. An ended
    task cannot be blocked. A worker must name its `attempt`; raises LeaseLost if that attempt does not hold the task
    any more.
    """
    task = await load_to_change(tx, task_id)
    return await pause(tx, task, reason=reason, owner=owner, action=action, actor=actor, attempt=attempt)


async def pause(
    tx: Tx,
    task: Task,
    *,
    reason: str,
    owner: str,
    action: str,
    actor: Actor,
    attempt: int | None = None,
) -> Task:
    """Pause a task that is loaded already; otherwise like block."""
    await check_attempt(tx, task, attempt, paused_too=True)
    _check_block(task, reason=reason, owner=owner, action=action, actor=actor, attempt=attempt)
    entry = Jsonb({"reason": reason, "owner": owner, "action": action, "by": str(actor)})
    blocked = await _enter(tx, task, entry, owner=owner, attempt=attempt)
    fault_point("block.entered")
    await record_move(
        tx,
        blocked,
        kind="task.block",
        marker=marker_text(
            blocked, "BLOCKED", actor.acting_as(task.role), f"{reason} — {owner} must {action}"
        ),
        actor=actor,
        payload={"from": task.status, "reason": reason, "owner": owner, "action": action},
    )
    if rules_of(blocked.definition).wakes_on_change:
        await notify(tx, READY_CHANNEL)
    return blocked


def _check_block(
    task: Task, *, reason: str, owner: str, action: str, actor: Actor, attempt: int | None
) -> None:
    unchanged = f"{task.slug} is unchanged."
    if not (reason.strip() and owner.strip() and action.strip()):
        raise TransitionRefused(
            "A block needs a reason, an owner and an action.",
            kept=unchanged,
            hint="Name what stops the task, which role must act, and what they must do.",
        )
    if task.terminal:
        raise TransitionRefused(
            f"{task.slug} is {task.status}: it cannot be blocked any more.",
            kept=unchanged,
            hint="Reopen it first, if it has to go on.",
        )
    if actor.kind is ActorKind.MEMBER:
        _check_member(task, actor=actor)
    known = task.definition.roles | {ActorKind.FOUNDER.value}
    if rules_of(task.definition).pause_owner_must_act and owner not in known:
        # Without somebody who is asked to end it, the pause would never end.
        raise TransitionRefused(
            f"{owner[:60]!r} cannot act for {task.slug}.",
            kept=unchanged,
            hint=f"The owner must be one of {', '.join(sorted(known))}.",
        )
    holds = actor.kind is ActorKind.WORKER or (
        task.lease_owner is not None and task.lease_owner == actor.name
    )
    if holds and attempt is None:
        raise TransitionRefused(
            f"{actor.person} did not name an attempt, so it cannot block {task.slug}.",
            kept=unchanged,
            hint="Name the attempt under which you hold it.",
            advice=Advice(
                "task.block", to="do the same with the attempt", task=task.place, attempt=task.attempt
            ),
        )


def _check_member(task: Task, *, actor: Actor) -> None:
    """Check that a member may pause the task: any member may pause a free task, but only those who can restore it may
    pause one that another member holds.
    """
    unchanged = f"{task.slug} is unchanged."
    process = task.definition
    if not actor.roles & process.blockers:
        raise TransitionRefused(
            f"{actor.person} may not block {task.slug}.",
            kept=unchanged,
            hint=f"It can be done by: {', '.join(sorted(process.blockers | _ALWAYS))}.",
        )
    if task.lease_owner not in {None, actor.name} and not actor.roles & process.restorers:
        raise TransitionRefused(
            f"{task.slug} is held by {task.holder}, so {actor.person} cannot block it.",
            kept=unchanged,
            hint=f"{' or '.join(sorted(process.restorers | _ALWAYS))} can.",
        )


async def _enter(tx: Tx, task: Task, entry: Jsonb, *, owner: str, attempt: int | None) -> Task:
    if task.status == BLOCKED:
        if not await _sql.run(tx, "add_block_reason", id=task.id, reason=entry):
            raise stale_task(task.slug)
        return task
    row = await _sql.maybe(
        tx, "enter_block", id=task.id, expected=task.status, owner=owner, attempt=attempt, reason=entry
    )
    if row is None:
        raise lease_lost(task.slug, attempt) if attempt is not None else stale_task(task.slug)
    return task_of(row)


async def restore(tx: Tx, task_id: UUID, *, actor: Actor, note: str = "", lease_s: float = 0.0) -> Task:
    """Put a blocked task back to exactly where it was. The founder, the system and the roles that the process names
    may.

    `note` is the founder's or member's remark; the rules of the group decide whether it stays with the task or stands
    only in the event. Whoever held the task has `lease_s` seconds from now to go on with it, under the same attempt;
    a lease that had expired before the pause comes back as expired.
    """
    task = await load_to_change(tx, task_id)
    allowed = task.definition.restorers | _ALWAYS
    if actor.kind not in _ALWAYS and not (actor.kind is ActorKind.MEMBER and actor.roles & allowed):
        raise TransitionRefused(
            f"{actor.person} may not restore {task.slug}.",
            kept=f"{task.slug} is unchanged.",
            hint=f"It can be done by: {', '.join(sorted(allowed))}.",
        )
    if task.status != BLOCKED:
        raise TransitionRefused(
            f"{task.slug} is {task.status}, not blocked.",
            kept=f"{task.slug} is unchanged.",
            hint="Somebody has ended the pause already, or there was none.",
        )
    claimable = [status.name for status in task.definition.statuses.values() if status.claimable]
    stored_note = note if rules_of(task.definition).note_stays else ""
    row = await _sql.maybe(
        tx,
        "leave_block",
        id=task_id,
        version=task.version,
        claimable=claimable,
        note=stored_note,
        lease_s=lease_s,
    )
    if row is None:
        raise stale_task(task.slug)
    restored = task_of(row)
    await _check_dependencies(tx, restored)
    fault_point("block.left")
    role = actor.acting_as(restored.role, restored.definition.restorers)
    await record_move(
        tx,
        restored,
        kind="task.restore",
        marker=marker_text(restored, "RESTORED", role, note or f"back to {restored.status}"),
        actor=actor,
        payload={"to": restored.status, "note": note},
    )
    await notify(tx, READY_CHANNEL)
    return restored


async def _check_dependencies(tx: Tx, restored: Task) -> None:
    """Refuse to restore a task that could never begin, because it needs one that has ended without a result."""
    if not (restored.claimable or restored.status == restored.definition.initial):
        return
    if dead := await _sql.all(tx, "dead_dependencies", id=restored.id):
        named = ", ".join(f"{row['slug']}, which is {row['status']}" for row in dead)
        raise TransitionRefused(
            f"{restored.slug} needs {named}, so it could not go on.",
            kept=f"{restored.slug} is unchanged: it stays paused.",
            hint="Change what it needs first, by an edit that names its dependencies, or cancel it.",
        )
