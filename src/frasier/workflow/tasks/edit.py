"""Filling the fields of a task without moving it: declared ones, by whom the table names, on the version they saw."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvalidInput, Stale, TransitionRefused
from frasier.kernel.fault_points import fault_point
from frasier.store import Statements, Tx, notify
from frasier.workflow.processes.process import Actor
from frasier.workflow.processes.task_rules import rules_of
from frasier.workflow.tasks.create import READY_CHANNEL
from frasier.workflow.tasks.fields import fields_after, split_filled, written_fields
from frasier.workflow.tasks.history import record_edit
from frasier.workflow.tasks.judgements import Settled, settle
from frasier.workflow.tasks.loading import check_attempt, take_task
from frasier.workflow.tasks.pause import at_its_place
from frasier.workflow.tasks.task import Task, task_of

_sql = Statements("frasier.workflow")


async def edit(
    tx: Tx,
    task_id: UUID,
    fields: Mapping[str, Any],
    *,
    actor: Actor,
    version: int | None = None,
    attempt: int | None = None,
) -> Task:
    """Fills `fields`; an empty value empties one. All or nothing. What the task holds already changes nothing: it stays
    at its version, and what was decided about that holds. Judgements of what is changed are cleared.

    `version` is the one that was looked at: Stale is raised where the task was changed since, and what somebody else
    wrote is kept. Raises as check_edit does, and as the rules of the task do.
    """
    task = await take_task(tx, task_id)
    checked = await check_edit(tx, task, fields, actor=actor, version=version, attempt=attempt)
    placed = await at_its_place(tx, task)
    settled = settle(placed, fields_after(task, checked), checked.keys(), actor)
    touched = checked.keys() | settled.cleared.keys()
    await rules_of(task.definition).reserve_unique(tx, task, settled.fields, touched)
    return await _store(tx, task, checked, settled, actor)


async def check_edit(
    tx: Tx, task: Task, fields: Mapping[str, Any], *, actor: Actor, version: int | None, attempt: int | None
) -> dict[str, Any]:
    """The values of an edit, where the actor may make it; see edit. Whoever holds the task names the `attempt`.

    A field can be filled where one of the roles that write it acts; by whoever may create tasks also as long as nobody
    has taken this one, and by the founder wherever the process names the founder among its writers. A judgement that
    was cleared can be given again from anywhere. A pause changes nobody's turn.
    What is over is not edited. Raises TransitionRefused, LeaseLost,
    TaskBlocked, Stale, and InvalidInput as fields.check_fields does.
    """
    await check_attempt(tx, task, attempt)
    task = await at_its_place(tx, task)
    if not fields:
        raise InvalidInput(
            "No field is named.",
            kept=f"{task.slug} is unchanged.",
            hint=f"{task.process} has the fields {', '.join(task.definition.fields)}.",
        )
    if task.terminal:
        raise TransitionRefused(
            f"{task.slug} is {task.status}: what is over is not edited.",
            kept=f"{task.slug} is unchanged.",
            hint="Reopen it, if it has to be changed.",
        )
    if version is not None and task.version != version:
        raise _changed(task)
    checked = written_fields(task, fields, actor)
    if task.lease_owner == actor.name and attempt is None:
        raise TransitionRefused(
            f"{actor.person} names no attempt, so it cannot edit {task.slug}.",
            kept=f"{task.slug} is unchanged.",
            hint="Name the attempt under which you hold it.",
            advice=Advice(
                "task.edit", to="do the same with the attempt", task=task.slug, attempt=task.attempt
            ),
        )
    return checked


async def fill(tx: Tx, task_id: UUID, fields: Mapping[str, Any], *, actor: Actor) -> Task:
    """Fills what the engine itself has found out; an empty value empties a field. What the process does not declare is
    left out, and so is everything where the task is over.
    """
    task = await take_task(tx, task_id)
    known = {name: value for name, value in fields.items() if name in task.definition.fields}
    if task.terminal or not known:
        return task
    settled = settle(task, fields_after(task, known), known.keys(), actor)
    return await _store(tx, task, known, settled, actor)


async def _store(tx: Tx, task: Task, fields: Mapping[str, Any], settled: Settled, actor: Actor) -> Task:
    if (settled.fields, settled.judgements) == (task.fields, task.judgements):
        return task
    filled, emptied = split_filled(fields)
    emptied += settled.emptied
    row = await _sql.maybe(
        tx,
        "edit_task",
        id=task.id,
        version=task.version,
        fields=Jsonb(filled),
        emptied=emptied,
        judgements=Jsonb(settled.judgements),
    )
    if row is None:
        raise _changed(task)
    edited = task_of(row)
    fault_point("edit.stored")
    await record_edit(tx, edited, actor, filled, emptied, settled.recorded())
    if settled.cleared:
        await notify(tx, READY_CHANNEL)
    return edited


def _changed(task: Task) -> Stale:
    return Stale(
        f"{task.slug} was changed meanwhile: it is at version {task.version}.",
        kept="What the others wrote is kept; nothing of yours was written.",
        hint="Look at it again, and fill what still has to be filled.",
    )
