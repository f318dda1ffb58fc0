"""Claims: a task is taken under a lease with an attempt number, which protects every later write of the run."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import nullcontext
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from frasier.kernel.advice import Advice
from frasier.kernel.errors import LeaseLost, TransitionRefused
from frasier.kernel.fault_points import fault_point
from frasier.kernel.humanize import moment
from frasier.store import Statements, Tx, notify
from frasier.workflow.blocking import block
from frasier.workflow.processes.process import SYSTEM, Actor, ActorKind
from frasier.workflow.processes.process_loader import processes
from frasier.workflow.processes.task_rules import MoveRequest, rules_of
from frasier.workflow.tasks.change import open_dependencies
from frasier.workflow.tasks.fields import fields_after, move_fields, split_filled
from frasier.workflow.tasks.history import START, marker_text, record_move
from frasier.workflow.tasks.judgements import (
    JudgementUpdate,
    add_move_judgement,
    lapsed_judgements,
    update_judgements,
)
from frasier.workflow.tasks.loading import (
    check_attempt,
    check_not_blocked,
    get_task,
    lease_lost,
    load_to_change,
    permit,
    stale_task,
)
from frasier.workflow.tasks.task import READY_CHANNEL, Task, task_of
from frasier.workflow.transitions.judgement_checks import check_judgements, renew_judgements
from frasier.workflow.transitions.move import move

_sql = Statements("frasier.workflow")

_CLOCK_MARGIN_S = 5.0
FAILED_RUNS_MAX = 5
"""Number of failed runs of one task after which a person must look at it."""


async def claim(
    tx: Tx,
    *,
    worker: str,
    names: Sequence[str],
    lease_s: float,
    limit: int = 1,
    group_id: UUID | None = None,
    except_groups: Collection[UUID] = (),
) -> list[Task]:
    """Claim up to `limit` ready tasks of the processes `names` for `worker`; with `group_id` of that group only, and
    none of `except_groups`.

    The most urgent go first, then those of the oldest group, and of these the ones on its critical path.
    """
    definitions = [processes()[name] for name in names]
    rows = await _sql.all(
        tx,
        "claim_ready",
        worker=worker,
        lease_s=lease_s,
        limit=limit,
        group_id=group_id,
        except_groups=list(except_groups),
        processes=[process.name for process in definitions],
        statuses=[process.claim_transition.to for process in definitions],
    )
    if not rows:
        return []
    claimed = sorted(map(task_of, rows), key=_claim_order)
    for task in claimed:
        await _record_claim(tx, task, Actor(ActorKind.WORKER, worker), lease_s)
    return claimed


def _claim_order(task: Task) -> tuple[Any, ...]:
    return -task.priority, task.group_id, -task.path_length, task.run_after, task.num


async def next_ready_in_s(
    tx: Tx, *, names: Sequence[str], group_id: UUID | None = None, except_groups: Collection[UUID] = ()
) -> float | None:
    """Return the seconds until the next delayed task that `claim` would take is ready; None if none is delayed."""
    row = await _sql.one(
        tx, "next_ready_in", processes=list(names), group_id=group_id, except_groups=list(except_groups)
    )
    seconds: float | None = row["seconds"]
    return seconds


async def delayed_tasks(
    tx: Tx, *, names: Sequence[str], group_id: UUID | None = None, except_groups: Collection[UUID] = ()
) -> list[UUID]:
    """Return the tasks that `claim` would take but for their delay."""
    rows = await _sql.all(
        tx, "delayed_tasks", processes=list(names), group_id=group_id, except_groups=list(except_groups)
    )
    return [row["id"] for row in rows]


async def claim_task(
    tx: Tx,
    task_id: UUID,
    *,
    actor: Actor,
    lease_s: float,
    fields: Mapping[str, Any] | None = None,
    founder_answer: str = "",
) -> Task:
    """Claim one task for `actor`, who must have the role whose turn it is; `fields` and `founder_answer` are those of
    a move.

    Raises TransitionRefused if somebody holds the task, the process does not allow the claim, a gate is closed, a
    judgement that it relies on was cleared, or the task still waits for others; TaskBlocked if it is paused;
    DecisionNeeded if the founder has to decide; and Stale if somebody else was first.
    """
    task = await load_to_change(tx, task_id)
    await check_not_blocked(tx, task)
    _check_free(task, actor)
    rule = permit(task, task.definition.claim, actor=actor, fields=fields or {})
    checked = move_fields(task, fields or {}, actor, rule)
    if not task.ready:
        raise _not_ready(task, await open_dependencies(tx, task_id))
    update = update_judgements(task, fields_after(task, checked), checked.keys(), actor)
    check_judgements(task, rule, update)
    rules = rules_of(task.definition)
    request = MoveRequest(
        task=task, rule=rule, actor=actor, after=update.fields, fields=checked, answer=founder_answer
    )
    await rules.check_gates(tx, request)
    lapsed = lapsed_judgements(task, rule, update)
    async with tx.transaction() if lapsed else nullcontext():
        await rules.spend(tx, request)
        await rules.reserve_unique(tx, task, update.fields, checked.keys() | update.cleared.keys())
        renewed = await renew_judgements(tx, task, request, update, lapsed)
    update = add_move_judgement(task.definition, rule, update, by=str(actor), renewed=renewed)
    return await _take(tx, task, checked, update, actor=actor, lease_s=lease_s)


async def _take(
    tx: Tx, task: Task, fields: Mapping[str, Any], update: JudgementUpdate, *, actor: Actor, lease_s: float
) -> Task:
    filled, emptied = split_filled(fields)
    emptied += update.emptied
    row = await _sql.maybe(
        tx,
        "claim_task",
        id=task.id,
        version=task.version,
        to=task.definition.claim_transition.to,
        worker=actor.name,
        lease_s=lease_s,
        fields=Jsonb(filled),
        emptied=emptied,
        judgements=Jsonb(update.judgements),
    )
    if row is None:
        raise stale_task(task.slug)
    claimed = task_of(row)
    fault_point("claim.taken")
    await _record_claim(
        tx,
        claimed,
        actor,
        lease_s,
        before=task.status,
        fields=filled,
        emptied=emptied,
        judged=update.recorded(),
    )
    return claimed


def is_repeated_claim(task: Task, fields: Mapping[str, Any], actor: Actor) -> bool:
    """Return whether `actor` holds the task by this very claim, and repeats it because the response was lost.

    Another copy of the same agent has searched the memory in its own session, so it claims with other fields.
    """
    rule = task.definition.claim_transition
    return (
        task.lease_owner == actor.name
        and rule.needs | rule.requires <= fields.keys()
        and all(task.fields.get(name) == value for name, value in fields.items())
    )


def _check_free(task: Task, actor: Actor) -> None:
    if task.lease_owner is None or task.lease_until is None:
        return
    unchanged = f"{task.slug} is unchanged."
    under = f"under attempt {task.attempt}, until {moment(task.lease_until)}"
    if task.lease_owner == actor.name:
        raise TransitionRefused(
            f"{actor.person} holds {task.slug} already, {under}.",
            kept=unchanged,
            hint="Go on under that attempt. If another copy of you claimed it, leave it to that one.",
            advice=Advice("task.renew", to="keep it", task=task.place, attempt=task.attempt),
        )
    raise TransitionRefused(
        f"{task.slug} is {task.status} and is held by {task.holder} {under}.",
        kept=unchanged,
        hint="Claim another task, or wait until this one is released.",
    )


def _not_ready(task: Task, waits_for: Collection[str]) -> TransitionRefused:
    why = "is paused" if task.held or not waits_for else f"waits for {', '.join(waits_for)}"
    return TransitionRefused(
        f"{task.slug} {why}.",
        kept=f"{task.slug} is unchanged.",
        hint="Try again when that is over, or claim another task.",
    )


async def renew(tx: Tx, task_id: UUID, *, actor: Actor, attempt: int, lease_s: float) -> Task:
    """Extend the lease of a claimed task to `lease_s` seconds from now. Raises LeaseLost if the attempt is over, and
    TaskBlocked if a pause keeps it.
    """
    row = await _sql.maybe(tx, "renew_lease", id=task_id, attempt=attempt, worker=actor.name, lease_s=lease_s)
    if row is None:
        task = await get_task(tx, task_id)
        await check_attempt(tx, task, attempt)
        if task.lease_owner == actor.name:
            raise lease_lost(task.slug, attempt)
        raise LeaseLost(
            f"{task.slug} is held by {task.holder}, not by {actor.person}.",
            kept=f"{task.slug} is unchanged.",
            hint="Claim another task, or wait until this one is released.",
        )
    return task_of(row)


async def _record_claim(
    tx: Tx,
    task: Task,
    actor: Actor,
    lease_s: float,
    *,
    before: str | None = None,
    fields: Mapping[str, Any] | None = None,
    emptied: Sequence[str] = (),
    judged: Mapping[str, Any] | None = None,
) -> None:
    origin = {} if before is None else {"from": before}
    await record_move(
        tx,
        task,
        kind=f"task.{task.definition.claim}",
        marker=marker_text(task, START, actor.acting_as(task.role), f"attempt {task.attempt}: {task.title}"),
        actor=actor,
        payload={**(fields or {}), **(judged or {}), **origin, "lease_s": lease_s, "to": task.status},
        wrote=fields,
        cleared=emptied,
    )


async def end_delay(tx: Tx, task_id: UUID) -> None:
    """Let a task that is put off be claimed at once; change nothing of any other."""
    if await _sql.run(tx, "end_delay", id=task_id):
        await notify(tx, READY_CHANNEL)


async def bring_delays_forward(tx: Tx) -> None:
    """Let ready tasks that were put off before the clock went back wait for no longer than they were put off."""
    if await _sql.run(tx, "bring_delays_forward", margin_s=_CLOCK_MARGIN_S):
        await notify(tx, READY_CHANNEL)


async def lock_attempt(tx: Tx, task_id: UUID, attempt: int) -> bool:
    """Lock the task until the transaction ends. Raises LeaseLost if `attempt` does not hold it any more.

    Returns whether the task's group is paused: a run then stops at its next checkpoint.
    """
    row = await _sql.maybe(tx, "lock_attempt", id=task_id, attempt=attempt)
    if row is None:
        raise lease_lost(f"task {task_id}", attempt)
    return bool(row["held"])


async def expire_leases_of(tx: Tx, owners: Sequence[str]) -> int:
    """Expire the leases of workers that are known to be gone; return the number of tasks that they held."""
    return await _sql.run(tx, "expire_leases_of", owners=list(owners))


async def recover_expired(tx: Tx, names: Sequence[str], *, task_id: UUID | None = None) -> list[Task]:
    """Release the tasks of the processes `names` whose lease has expired, or only that task; block a task whose runs
    keep failing. One that somebody is moving just now is left as it is.
    """
    recovered = []
    rows = await _sql.all(tx, "expired_leases", processes=list(names), id=task_id)
    for task in map(task_of, rows):
        reason = f"attempt {task.attempt} of {task.holder} stopped renewing its lease"
        if task.failures + 1 < FAILED_RUNS_MAX:
            fields = {"reason": reason}
            recovered.append(await move(tx, task.id, "release", actor=SYSTEM, fields=fields, failed_run=True))
            continue
        recovered.append(
            await block(
                tx,
                task.id,
                reason=f"{task.failures + 1} runs failed; the last: {reason}",
                owner=min(task.definition.restorers, default="founder"),
                action=rules_of(task.definition).failing_action,
                actor=SYSTEM,
            )
        )
    return recovered
