"""The transition engine: one guarded update with its event, its marker and its dependants, in one statement.

Locks are taken in one order, so that no two transactions deadlock: first the group (shared by moves, exclusive for
operations on all its tasks), then the task, then its dependants by `num`, which grows along every edge.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from contextlib import nullcontext
from dataclasses import replace
from typing import Any
from uuid import UUID

from frasier.kernel.advice import Advice
from frasier.kernel.errors import TransitionRefused
from frasier.kernel.fault_points import fault_point
from frasier.store import Statements, Tx, notify
from frasier.workflow.cascade import cascade
from frasier.workflow.processes.process import BLOCKED, Actor, ActorKind, Outcome, Transition
from frasier.workflow.processes.task_rules import MoveRequest, rules_of
from frasier.workflow.tasks.fields import fields_after, move_fields
from frasier.workflow.tasks.history import record_summary, record_transition
from frasier.workflow.tasks.judgements import add_move_judgement, lapsed_judgements, update_judgements
from frasier.workflow.tasks.loading import (
    check_attempt,
    check_lease,
    check_version,
    load_to_move,
    permit,
)
from frasier.workflow.tasks.task import READY_CHANNEL, Task
from frasier.workflow.transitions.judgement_checks import check_judgements, check_open, renew_judgements
from frasier.workflow.transitions.next_state import Change, change_of, task_after

_sql = Statements("frasier.workflow")


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
    founder_answer: str = "",
    gates_checked: bool = False,
    version: int | None = None,
) -> Task:
    """Make one declared transition, or raise and change nothing.

    The holder of the task names the `attempt`: raises LeaseLost if it does not hold it any more, TaskBlocked if a
    pause keeps it. `fields` fill what the transition requires and stay with the task. The requirements of the task's
    group must be met, and the judgements that the move relies on must be about what the task holds. `founder_answer`
    is the founder's reply, for rules that need no more for a decision. Raises Stale if the task is not at `version`.

    `gates_checked` skips the gates: for the trial of a move that is made under the lock afterwards. `delay_s` is how
    long a task that becomes claimable again must wait; `failed_run` counts a failed run. Completing a task frees its
    dependants; reopening it makes them wait again. Tasks that cannot go on without one that failed or was cancelled
    fail with it, or are blocked (see cascade).
    """
    taken = await load_to_move(tx, task_id)
    task, rules = taken.task, rules_of(taken.task.definition)
    check_version(task, version)
    await check_attempt(tx, task, attempt)
    check_lease(taken, attempt)
    request = request_move(
        task, transition, actor=actor, fields=fields or {}, attempt=attempt, answer=founder_answer
    )
    rule = request.rule
    change, decided = await _permitted(tx, task, request, gates_checked=gates_checked)
    moved = task_after(task, rule, change, moment=taken.moment, delay_s=delay_s, failed_run=failed_run)
    fault_point("move.allowed")
    _write(tx, task, moved, attempt, delay_s)
    await record_transition(
        tx, task, moved, rule, actor, change.filled, note, cleared=change.cleared, decided=decided
    )
    if task.status == BLOCKED:
        await _sql.run(tx, "delete_block", ids=[task.id])
    if rule.reopens:
        await _sql.run(tx, "unsatisfy_dependants", id=moved.id)
    if moved.outcome is Outcome.COMPLETED:
        _sql.defer(tx, "satisfy_dependants", id=moved.id, channel=READY_CHANNEL)
    elif rules.wakes_on_change:
        await notify(tx, READY_CHANNEL)
    if moved.outcome is Outcome.COMPLETED and rules.summarises:
        await record_summary(tx, moved, actor)
    if moved.outcome in {Outcome.FAILED, Outcome.CANCELLED}:
        await cascade(tx, moved)
    return moved


async def _permitted(
    tx: Tx, task: Task, request: MoveRequest, *, gates_checked: bool
) -> tuple[Change, dict[str, Any]]:
    """Return the change that the move makes, and what its event records of judgements and of the founder's decision.
    Raises as move does.
    """
    rules, rule, fields = rules_of(task.definition), request.rule, request.fields
    update = update_judgements(
        task, _without(request.after, rule.clears), fields.keys() - rule.clears, request.actor
    )
    check_judgements(task, rule, update)
    request = replace(request, after=_without(request.after, update.emptied))
    if not gates_checked:
        await rules.check_gates(tx, request)
    await rules.check_requirements(tx, request)
    lapsed = lapsed_judgements(task, rule, update)
    # Undone where the decision is not there yet: then nothing is used up.
    async with tx.transaction() if rule.decision or lapsed else nullcontext():
        await rules.spend(tx, request)
        touched = fields.keys() | rule.clears | update.cleared.keys()
        await rules.reserve_unique(tx, task, update.fields, touched)
        renewed = await renew_judgements(tx, task, request, update, lapsed)
        decided = await rules.decide(tx, request)
    by = str(decided.get("decided_by") or request.actor)
    update = add_move_judgement(task.definition, rule, update, by=by, renewed=renewed)
    change = change_of(task, rule, {**fields, **rules.kept_fields(request)}, update)
    return change, {**decided, **update.recorded()}


def request_move(
    task: Task,
    transition: str,
    *,
    actor: Actor,
    fields: Mapping[str, Any],
    attempt: int | None,
    answer: str = "",
) -> MoveRequest:
    """Build the request for a move, if the process lets this actor make it with these fields. Raises as move does.

    The caller has checked that the attempt holds the task; the rules of its group are not checked here.
    """
    check_open(task, transition)
    rule = permit(task, transition, actor=actor, fields=fields)
    checked = move_fields(task, fields, actor, rule)
    _check_way(task, rule, actor, attempt)
    return MoveRequest(
        task=task, rule=rule, actor=actor, after=fields_after(task, checked), fields=checked, answer=answer
    )


def _without(fields: Mapping[str, Any], cleared: Collection[str]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if name not in cleared}


def _check_way(task: Task, rule: Transition, actor: Actor, attempt: int | None) -> None:
    """Refuse the moves that are more than a change of status and have a use case of their own."""
    if rule.name in {task.definition.claim, "retry"}:
        raise TransitionRefused(
            f"{task.slug} cannot be moved by {rule.name} alone.",
            kept=f"{task.slug} is unchanged.",
            hint=""
            if rule.name == task.definition.claim
            else "Retry it together with the tasks that failed because of it.",
            advice=Advice("task.claim", to="take it", task=task.place)
            if rule.name == task.definition.claim
            else (),
        )
    if actor.kind is ActorKind.MEMBER and task.lease_owner is not None:
        _check_holder(task, rule, actor)
    holds = actor.kind is ActorKind.WORKER or task.lease_owner == actor.name
    if holds and attempt is None:
        raise TransitionRefused(
            f"{actor.person} did not name an attempt, so it cannot {rule.name} {task.slug}.",
            kept=f"{task.slug} is unchanged.",
            hint="Name the attempt under which you hold it.",
            advice=Advice(
                "task.move",
                to="do the same with the attempt",
                task=task.place,
                move=rule.name,
                attempt=task.attempt,
            ),
        )


def _check_holder(task: Task, rule: Transition, actor: Actor) -> None:
    """Refuse a move of a task that somebody else holds, unless the move ends it."""
    if task.lease_owner != actor.name and not task.definition.status(rule.to).terminal:
        raise TransitionRefused(
            f"{task.slug} is held by {task.holder}, so {actor.person} cannot {rule.name} it.",
            kept=f"{task.slug} is unchanged.",
            hint="Wait until it is released or its lease expires.",
        )


def _write(tx: Tx, before: Task, after: Task, attempt: int | None, delay_s: float) -> None:
    """Send the guarded move. A concurrent change is reported when the statement is flushed, and nothing is stored
    then.
    """
    _sql.defer(
        tx,
        "move_task",
        id=before.id,
        version=before.version,
        attempt=attempt,
        channel=READY_CHANNEL,
        status=after.status,
        role=after.role,
        claimable=after.claimable,
        delay_s=delay_s,
        strikes=after.strikes,
        failures=after.failures,
        result_digest=after.result_digest,
        result_size=after.result_size,
        fields=json.dumps(after.fields),
        judgements=json.dumps(after.judgements),
        failure=after.failure,
        outcome=after.outcome,
    )
