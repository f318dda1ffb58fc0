"""Claims: a task is taken under a lease with an attempt number, which fences every later write of the run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from frasier.kernel.advice import Advice
from frasier.kernel.errors import LeaseLost, TransitionRefused
from frasier.kernel.fault_points import fault_point
from frasier.kernel.humanize import moment
from frasier.store import Statements, Tx
from frasier.workflow.blocking import block
from frasier.workflow.processes.process import SYSTEM, Actor, ActorKind
from frasier.workflow.processes.process_loader import processes
from frasier.workflow.processes.task_rules import MoveRequest, rules_of
from frasier.workflow.tasks.fields import fields_after, said_fields, split_filled
from frasier.workflow.tasks.history import START, marker_text, record_move
from frasier.workflow.tasks.judgements import Settled, made, relied_on, settle
from frasier.workflow.tasks.loading import (
    check_attempt,
    check_not_blocked,
    get_task,
    lease_lost,
    moved_first,
    permit,
    take_task,
)
from frasier.workflow.tasks.task import Task, task_of
from frasier.workflow.transitions.judgement_checks import check_said, renew_relied
from frasier.workflow.transitions.move import move

_sql = Statements("frasier.workflow")

FAILED_RUNS_MAX = 5
"""Runs of one task that may come to nothing before a person must look at it."""


async def claim(
    tx: Tx,
    *,
    worker: str,
    names: Sequence[str],
    lease_s: float,
    limit: int = 1,
    group_id: UUID | None = None,
) -> list[Task]:
    """Takes up to `limit` ready tasks of the processes `names` for `worker`, most urgent and oldest first; of one
    group only, where `group_id` names it.
    """
    wanted = [processes()[name] for name in names]
    rows = await _sql.all(
        tx,
        "claim_ready",
        worker=worker,
        lease_s=lease_s,
        limit=limit,
        group_id=group_id,
        processes=[process.name for process in wanted],
        statuses=[process.claim_transition.to for process in wanted],
    )
    if not rows:
        return []
    claimed = sorted(map(task_of, rows), key=lambda task: (-task.priority, task.run_after, task.num))
    for task in claimed:
        await _record_claim(tx, task, Actor(ActorKind.WORKER, worker), lease_s)
    return claimed


async def claim_task(
    tx: Tx,
    task_id: UUID,
    *,
    actor: Actor,
    lease_s: float,
    fields: Mapping[str, Any] | None = None,
    founder_answer: str = "",
) -> Task:
    """Takes one task for `actor`, who must have the role whose turn it is; `fields` and `founder_answer` are as a
    move's.

    Raises TransitionRefused where somebody holds it, the table does not allow it, a gate is closed, a judgement that it
    relies on was cleared or the task still waits for something, TaskBlocked where it is paused, DecisionNeeded where
    the founder has to decide, and Stale where somebody else was first.
    """
    task = await take_task(tx, task_id)
    await check_not_blocked(tx, task)
    _check_free(task, actor)
    rule = permit(task, task.definition.claim, actor=actor, fields=fields or {})
    said = said_fields(task, fields or {}, actor, rule)
    if not task.ready:
        raise _not_ready(task)
    settled = settle(task, fields_after(task, said), said.keys(), actor)
    check_said(task, rule, settled)
    rules = rules_of(task.definition)
    request = MoveRequest(
        task=task, rule=rule, actor=actor, after=settled.fields, said=said, answer=founder_answer
    )
    await rules.check_gates(tx, request)
    relied = relied_on(task, rule, settled)
    async with tx.transaction() if relied else nullcontext():
        await rules.spend(tx, request)
        await rules.reserve_unique(tx, task, settled.fields, said.keys() | settled.cleared.keys())
        again = await renew_relied(tx, task, request, settled, relied)
    settled = made(task.definition, rule, settled, by=str(actor), again=again)
    return await _take(tx, task, said, settled, actor=actor, lease_s=lease_s)


async def _take(
    tx: Tx, task: Task, said: Mapping[str, Any], settled: Settled, *, actor: Actor, lease_s: float
) -> Task:
    filled, emptied = split_filled(said)
    emptied += settled.emptied
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
        judgements=Jsonb(settled.judgements),
    )
    if row is None:
        raise moved_first(task.slug)
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
        judged=settled.recorded(),
    )
    return claimed


def is_said_again(task: Task, fields: Mapping[str, Any], actor: Actor) -> bool:
    """Whether `actor` holds the task by this very claim, and asks again because the answer was lost.

    Another copy of the same agent has searched the memory in a session of its own, so that it claims with other fields.
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
    kept = f"{task.slug} is unchanged."
    under = f"under attempt {task.attempt}, until {moment(task.lease_until)}"
    if task.lease_owner == actor.name:
        raise TransitionRefused(
            f"{actor.person} holds {task.slug} already, {under}.",
            kept=kept,
            hint="Go on under that attempt. If another copy of you claimed it, leave it to that one.",
            advice=Advice("task.renew", to="keep it", task=task.slug, attempt=task.attempt),
        )
    raise TransitionRefused(
        f"{task.slug} is {task.status} and is held by {task.holder} {under}.",
        kept=kept,
        hint="Take another, or wait until it is given back.",
    )


def _not_ready(task: Task) -> TransitionRefused:
    why = "is paused" if task.held else f"waits for {task.pending_deps} other tasks"
    return TransitionRefused(
        f"{task.slug} {why}.",
        kept=f"{task.slug} is unchanged.",
        hint="Look again when that is over, or take another.",
    )


async def renew(tx: Tx, task_id: UUID, *, actor: Actor, attempt: int, lease_s: float) -> Task:
    """Keeps a claimed task for `lease_s` seconds from now; raises LeaseLost where that attempt is over, and TaskBlocked
    where a pause keeps it.
    """
    row = await _sql.maybe(tx, "renew_lease", id=task_id, attempt=attempt, worker=actor.name, lease_s=lease_s)
    if row is None:
        task = await get_task(tx, task_id)
        await check_attempt(tx, task, attempt)
        raise LeaseLost(
            f"{task.slug} is held by {task.holder}, not by {actor.person}.",
            kept=f"{task.slug} is unchanged.",
            hint="Take another, or wait until it is given back.",
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


async def fence(tx: Tx, task_id: UUID, attempt: int) -> bool:
    """Holds the task for the rest of the transaction; raises LeaseLost where `attempt` does not own it any more.

    Returns whether the task is held (paused): a run then stops at its next checkpoint.
    """
    row = await _sql.maybe(tx, "fence", id=task_id, attempt=attempt)
    if row is None:
        raise lease_lost(f"task {task_id}", attempt)
    return bool(row["held"])


async def end_leases_of(tx: Tx, owners: Sequence[str]) -> int:
    """Lets the leases of workers that are known to be gone run out at once; returns how many tasks they held."""
    return await _sql.run(tx, "end_leases_of", owners=list(owners))


async def recover_expired(tx: Tx, names: Sequence[str]) -> list[Task]:
    """Gives back the tasks, of the processes `names`, whose holders stopped beating; a task whose runs keep coming to
    nothing is blocked.
    """
    recovered = []
    for task in [task_of(row) for row in await _sql.all(tx, "expired_leases", processes=list(names))]:
        reason = f"attempt {task.attempt} of {task.holder} stopped beating"
        if task.failures + 1 < FAILED_RUNS_MAX:
            fields = {"reason": reason}
            recovered.append(await move(tx, task.id, "release", actor=SYSTEM, fields=fields, failed_run=True))
            continue
        recovered.append(
            await block(
                tx,
                task.id,
                reason=f"{task.failures + 1} runs came to nothing; the last: {reason}",
                owner=min(task.definition.restorers, default="founder"),
                action=rules_of(task.definition).failing_action,
                actor=SYSTEM,
            )
        )
    return recovered


async def seconds_until_due(tx: Tx) -> float | None:
    """How long until some task may need a worker: 0 or less means now, None that nothing waits."""
    seconds = (await _sql.one(tx, "next_ready_in"))["seconds"]
    return None if seconds is None else float(seconds)
