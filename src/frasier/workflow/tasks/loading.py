"""Loading of a task that is about to be changed, and the check that it is still what the caller takes it for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from frasier.kernel.advice import Advice
from frasier.kernel.errors import LeaseLost, NotFound, Stale
from frasier.kernel.humanize import moment as utc_moment
from frasier.kernel.humanize import person
from frasier.store import Event, Statements, Tx, events_of
from frasier.workflow.processes.process import BLOCKED, Actor, ActorKind, Transition
from frasier.workflow.processes.task_rules import rules_of
from frasier.workflow.tasks.pause import pause_of, task_blocked
from frasier.workflow.tasks.task import Task, task_of

_sql = Statements("frasier.workflow")

_EVENTS_OF_MOVES = "task."


async def get_task(tx: Tx, task_id: UUID) -> Task:
    """Fetch a task. Raises NotFound."""
    return task_of(_require(await _sql.maybe(tx, "get_task", id=task_id), task_id))


async def load_to_change(tx: Tx, task_id: UUID) -> Task:
    """Fetch a task that is about to be changed, sharing its group until the transaction ends. Raises NotFound."""
    return (await load_to_move(tx, task_id)).task


async def lock_task(tx: Tx, task_id: UUID) -> None:
    """Lock a task against changes until the transaction ends, sharing its group as every change does."""
    await load_to_change(tx, task_id)
    await _sql.one(tx, "lock_task", id=task_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedTask:
    """A task that is about to be moved, with the time that the transaction gives to all it stores."""

    task: Task
    moment: datetime


async def load_to_move(tx: Tx, task_id: UUID) -> LoadedTask:
    """Fetch a task as load_to_change does, with the time of the move."""
    row = _require(await _sql.maybe(tx, "get_task_to_change", id=task_id), task_id)
    moment = row.pop("moment")
    return LoadedTask(task=task_of(row), moment=moment)


def _require(row: dict[str, Any] | None, task_id: UUID) -> dict[str, Any]:
    if row is None:
        raise NotFound(f"There is no task {task_id}.", hint="It may have been removed; list the tasks again.")
    return row


def permit(task: Task, transition: str, *, actor: Actor, fields: Mapping[str, Any]) -> Transition:
    """Return the declared transition, if this actor may make it from the position of the task. Raises
    TransitionRefused.
    """
    return task.definition.permit(
        transition,
        status=task.status,
        role=task.role,
        actor=actor,
        fields=fields,
        task=task.slug,
        held=task.fields,
    )


def check_version(task: Task, version: int | None) -> None:
    """Raise Stale if the task is not at `version`; None is any."""
    if version is not None and task.version != version:
        raise changed_meanwhile(task)


def changed_meanwhile(task: Task) -> Stale:
    """Return the error for a change of a task that is at another version by now."""
    return Stale(
        f"{task.slug} was changed meanwhile: it is at version {task.version}.",
        kept="What the others wrote is kept; nothing of yours was written.",
        hint="Read it again, and fill what is still missing.",
    )


async def check_attempt(tx: Tx, task: Task, attempt: int | None, *, paused_too: bool = False) -> None:
    """Check that `attempt`, if it is named, holds the task. Raises LeaseLost.

    If a pause keeps the claim, raises TaskBlocked for its attempt, unless `paused_too` lets it through. The run of
    one of the product's own workers ends with the pause.
    """
    if attempt is None or (task.lease_owner is not None and task.attempt == attempt):
        return
    if task.status != BLOCKED or task.attempt != attempt or not rules_of(task.definition).pause_keeps_claim:
        raise await _not_held(tx, task, attempt)
    pause = await pause_of(tx, task)
    if pause is None:
        raise stale_task(task.slug)
    if pause.lease_owner is None:
        raise lease_lost(task.slug, attempt)
    if not paused_too:
        raise task_blocked(task, pause)


async def check_not_blocked(tx: Tx, task: Task) -> None:
    """Check that the task is not paused. Raises TaskBlocked."""
    if task.status != BLOCKED:
        return
    pause = await pause_of(tx, task)
    raise stale_task(task.slug) if pause is None else task_blocked(task, pause)


def check_lease(loaded: LoadedTask, attempt: int | None) -> None:
    """Check that the lease of `attempt`, if it is named, is not over by the clock of the database. Raises LeaseLost.

    A run of the product's own workers may end its work as long as nobody else has begun it.
    """
    task = loaded.task
    if attempt is None or task.lease_until is None or not rules_of(task.definition).lease_ends_writes:
        return
    if task.lease_until < loaded.moment:
        raise lease_lost(task.slug, attempt)


async def _not_held(tx: Tx, task: Task, attempt: int) -> LeaseLost:
    """Return the error for an attempt that does not hold the task: it is over, or it never existed."""
    if (ending := await _move_that_ended(tx, task, attempt)) is not None:
        name = ending.kind.removeprefix(_EVENTS_OF_MOVES)
        return LeaseLost(
            f"Attempt {attempt} of {task.slug} is over: {person(ending.actor)} ended it with {name} at"
            f" {utc_moment(ending.at)}. The task is {task.status} with {task.role} now.",
            kept=f"What {name} stored stays; nothing was written now.",
            hint=f"If {name} was your own call, whose answer you did not get, it succeeded: do not make it again."
            " Otherwise it can be claimed again once it is free.",
            advice=Advice("task.get", to="look at it", task=task.place),
        )
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
            hint="Look at the task again; if it is free, it can be claimed again.",
        )
    return LeaseLost(
        f"There is no attempt {attempt} of {task.slug}: {newest}.",
        kept=f"{task.slug} is unchanged.",
        hint="Name the attempt that your claim gave you. Without one, leave the task to whoever holds it, or claim it"
        " when it is free.",
    )


async def _move_that_ended(tx: Tx, task: Task, attempt: int) -> Event | None:
    """Return the event of the move by which a holder ended an attempt; None if it never ended, or the system took the
    task back.
    """
    process = task.definition
    moves = {f"{_EVENTS_OF_MOVES}{name}" for name in process.transitions if name != process.claim}
    of_attempt = (
        event
        for event in await events_of(tx, task.id)
        if event.kind in moves and event.payload.get("attempt") == attempt
    )
    first = next(of_attempt, None)
    return first if first is not None and not first.actor.startswith(ActorKind.SYSTEM) else None


def lease_lost(task: str, attempt: int) -> LeaseLost:
    """Return the error for an attempt that is over."""
    return LeaseLost(
        f"Attempt {attempt} of {task} does not hold the task any more.",
        kept="What the attempt stored before stays; nothing was written now.",
        hint="Look at the task again; if it is free, it can be claimed again.",
    )


def stale_task(task: str) -> Stale:
    """Return the error for a change that is based on an old state of the task."""
    return Stale(
        f"{task} was changed by somebody else first.",
        kept="What the others wrote is kept; nothing of yours was written.",
        hint="Look at it again and decide again.",
    )
