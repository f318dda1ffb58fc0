"""The transition engine: one guarded update with its event, its marker and its dependants, in one statement.

Locks are taken in one order, so that no two transactions wait for each other: first the group (shared by moves,
alone for what concerns all its tasks), then the task, then its dependants by `num`, which grows along every edge.
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
from frasier.workflow.tasks.create import READY_CHANNEL
from frasier.workflow.tasks.fields import fields_after, said_fields
from frasier.workflow.tasks.history import record_summary, record_transition
from frasier.workflow.tasks.judgements import made, relied_on, settle
from frasier.workflow.tasks.loading import check_attempt, permit, take_to_move
from frasier.workflow.tasks.task import Task
from frasier.workflow.transitions.judgement_checks import check_open, check_said, renew_relied
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
) -> Task:
    """Makes one declared transition, or raises and changes nothing.

    Whoever holds the task names the `attempt`: LeaseLost is raised where it does not hold it any more, TaskBlocked
    where a pause keeps it. `fields` fill what the transition requires and are kept with the task. What the rules of the
    task's group want must be there, and the judgements that the move relies on must be of what the task holds.
    `founder_answer` is what the founder said, where the rules want no more of a decision than that.

    With `gates_checked` the gates are not checked again: for a trial of a move that is made under the lock afterwards.
    `delay_s` is how long a task that becomes claimable again must wait; `failed_run` counts a run that came to nothing.
    Completing a task frees its dependants; reopening it lets them wait for it again. What
    cannot go on without one that failed or was cancelled fails with it, or is blocked (see cascade).
    """
    taken = await take_to_move(tx, task_id)
    task, rules = taken.task, rules_of(taken.task.definition)
    await check_attempt(tx, task, attempt)
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
    """The change that the move makes, and what its event says of judgements and of the founder's part; raises as move
    does where something is missing.
    """
    rules, rule, said = rules_of(task.definition), request.rule, request.said
    settled = settle(task, _without(request.after, rule.clears), said.keys() - rule.clears, request.actor)
    check_said(task, rule, settled)
    request = replace(request, after=_without(request.after, settled.emptied))
    if not gates_checked:
        await rules.check_gates(tx, request)
    await rules.check_requirements(tx, request)
    relied = relied_on(task, rule, settled)
    # What is not decided yet uses nothing up.
    async with tx.transaction() if rule.decision or relied else nullcontext():
        await rules.spend(tx, request)
        touched = said.keys() | rule.clears | settled.cleared.keys()
        await rules.reserve_unique(tx, task, settled.fields, touched)
        again = await renew_relied(tx, task, request, settled, relied)
        decided = await rules.decide(tx, request)
    by = str(decided.get("decided_by") or request.actor)
    settled = made(task.definition, rule, settled, by=by, again=again)
    change = change_of(task, rule, {**said, **rules.kept_fields(request)}, settled)
    return change, {**decided, **settled.recorded()}


def request_move(
    task: Task,
    transition: str,
    *,
    actor: Actor,
    fields: Mapping[str, Any],
    attempt: int | None,
    answer: str = "",
) -> MoveRequest:
    """The request for a move of the task, where the table lets this actor make it with these fields.

    That the attempt holds the task is checked before, and what its group's rules want is not. Raises as move does.
    """
    check_open(task, transition)
    rule = permit(task, transition, actor=actor, fields=fields)
    said = said_fields(task, fields, actor, rule)
    _check_way(task, rule, actor, attempt)
    return MoveRequest(
        task=task, rule=rule, actor=actor, after=fields_after(task, said), said=said, answer=answer
    )


def _without(fields: Mapping[str, Any], cleared: Collection[str]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if name not in cleared}


def _check_way(task: Task, rule: Transition, actor: Actor, attempt: int | None) -> None:
    """Some moves are more than a change of status, and have a use case of their own."""
    if rule.name in {task.definition.claim, "retry"}:
        raise TransitionRefused(
            f"{task.slug} cannot be moved by {rule.name} alone.",
            kept=f"{task.slug} is unchanged.",
            hint="" if rule.name == task.definition.claim else "Retry it with what failed because of it.",
            advice=Advice("task.claim", to="take it", task=task.slug)
            if rule.name == task.definition.claim
            else (),
        )
    if actor.kind is ActorKind.MEMBER and task.lease_owner is not None:
        _check_holder(task, rule, actor)
    holds = actor.kind is ActorKind.WORKER or task.lease_owner == actor.name
    if holds and attempt is None:
        raise TransitionRefused(
            f"{actor.person} names no attempt, so it cannot {rule.name} {task.slug}.",
            kept=f"{task.slug} is unchanged.",
            hint="Name the attempt under which you hold it.",
            advice=Advice(
                "task.move",
                to="do the same with the attempt",
                task=task.slug,
                move=rule.name,
                attempt=task.attempt,
            ),
        )


def _check_holder(task: Task, rule: Transition, actor: Actor) -> None:
    """What somebody works on is moved by nobody else, unless it is ended."""
    if task.lease_owner != actor.name and not task.definition.status(rule.to).terminal:
        raise TransitionRefused(
            f"{task.slug} is held by {task.holder}, so {actor.person} cannot {rule.name} it.",
            kept=f"{task.slug} is unchanged.",
            hint="Wait until it is given back or its lease has run out.",
        )


def _write(tx: Tx, before: Task, after: Task, attempt: int | None, delay_s: float) -> None:
    """The guarded move itself. Whoever comes second is told so where it is sent, and has stored nothing then."""
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
