"""A task that is about to be changed: found, held, and still what somebody takes it for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from frasier.kernel.errors import LeaseLost, NotFound, Stale
from frasier.store import Statements, Tx
from frasier.workflow.processes.process import BLOCKED, Actor, Transition
from frasier.workflow.processes.task_rules import rules_of
from frasier.workflow.tasks.pause import pause_of, task_blocked
from frasier.workflow.tasks.task import Task, task_of

_sql = Statements("frasier.workflow")


async def get_task(tx: Tx, task_id: UUID) -> Task:
    """The task; raises NotFound."""
    return task_of(_found(await _sql.maybe(tx, "get_task", id=task_id), task_id))


async def take_task(tx: Tx, task_id: UUID) -> Task:
    """The task, about to be changed: its group is shared until the transaction ends. Raises NotFound."""
    return (await take_to_move(tx, task_id)).task


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """A task that is about to be moved. `moment` is that of everything which the transaction stores."""

    task: Task
    moment: datetime


async def take_to_move(tx: Tx, task_id: UUID) -> Taken:
    """As take_task, with the moment of the move."""
    row = _found(await _sql.maybe(tx, "take_task", id=task_id), task_id)
    moment = row.pop("moment")
    return Taken(task=task_of(row), moment=moment)


def _found(row: dict[str, Any] | None, task_id: UUID) -> dict[str, Any]:
    if row is None:
        raise NotFound(
            f"There is no task {task_id}.", hint="It may have been taken away; look at the list again."
        )
    return row


def permit(task: Task, transition: str, *, actor: Actor, fields: Mapping[str, Any]) -> Transition:
    """The declared transition, if this actor may make it from where the task is; else TransitionRefused."""
    return task.definition.permit(
        transition,
        status=task.status,
        role=task.role,
        actor=actor,
        fields=fields,
        task=task.slug,
        held=task.fields,
    )


async def check_attempt(tx: Tx, task: Task, attempt: int | None, *, paused_too: bool = False) -> None:
    """Raises LeaseLost where `attempt` is named and does not hold the task.

    Where a pause keeps the claim, its attempt is told of the pause by TaskBlocked, or let through with `paused_too`;
    the run of a worker of ours is over with the pause.
    """
    if attempt is None or (task.lease_owner is not None and task.attempt == attempt):
        return
    if task.status != BLOCKED or task.attempt != attempt or not rules_of(task.definition).pause_keeps_claim:
        raise not_held(task, attempt)
    pause = await pause_of(tx, task)
    if pause is None:
        raise moved_first(task.slug)
    if pause.lease_owner is None:
        raise lease_lost(task.slug, attempt)
    if not paused_too:
        raise task_blocked(task, pause)


async def check_not_blocked(tx: Tx, task: Task) -> None:
    """Raises TaskBlocked where the task is paused."""
    if task.status != BLOCKED:
        return
    pause = await pause_of(tx, task)
    raise moved_first(task.slug) if pause is None else task_blocked(task, pause)


def not_held(task: Task, attempt: int) -> LeaseLost:
    """The error of an attempt that does not hold the task: it is over, or there never was one."""
    if attempt == task.attempt:
        return lease_lost(task.slug, attempt)
    if task.status == BLOCKED:
        holder = "and the task is paused"
    else:
        holder = f"held by {task.holder}" if task.lease_owner else "which nobody holds"
    newest = f"the newest is {task.attempt}, {holder}" if task.attempt else "nobody has claimed it yet"
    if attempt < task.attempt:
        return LeaseLost(
            f"Attempt {attempt} of {task.slug} is over: {newest}.",
            kept="What the attempt stored before stays; nothing was written now.",
            hint="Look at the task again; if it is free, it can be claimed anew.",
        )
    return LeaseLost(
        f"There is no attempt {attempt} of {task.slug}: {newest}.",
        kept=f"{task.slug} is unchanged.",
        hint="Name the attempt that your claim gave you. Without one, leave the task to whoever holds it, or claim it"
        " when it is free.",
    )


def lease_lost(task: str, attempt: int) -> LeaseLost:
    """The error of an attempt that is over."""
    return LeaseLost(
        f"Attempt {attempt} of {task} does not hold the task any more.",
        kept="What the attempt stored before stays; nothing was written now.",
        hint="Look at the task again; if it is free, it can be claimed anew.",
    )


def moved_first(task: str) -> Stale:
    """The error of whoever acts on a state that is not the task's any more."""
    return Stale(
        f"{task} was changed by somebody else first.",
        kept="What the others wrote is kept; nothing of yours was written.",
        hint="Look at it again and decide anew.",
    )
