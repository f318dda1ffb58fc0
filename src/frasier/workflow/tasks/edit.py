"""Edits: declared fields are filled without a move, by their writers, on the version that they read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvalidInput, TransitionRefused
from frasier.kernel.fault_points import fault_point
from frasier.store import Statements, Tx, append_event, notify
from frasier.workflow.processes.process import Actor
from frasier.workflow.processes.task_rules import rules_of
from frasier.workflow.tasks.fields import fields_after, split_filled, written_fields
from frasier.workflow.tasks.history import record_edit
from frasier.workflow.tasks.judgements import JudgementUpdate, update_judgements
from frasier.workflow.tasks.loading import (
    changed_meanwhile,
    check_attempt,
    check_lease,
    check_version,
    load_to_change,
    load_to_move,
)
from frasier.workflow.tasks.pause import as_before_pause
from frasier.workflow.tasks.task import READY_CHANNEL, Task, task_of

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
    """Fill `fields`, all or none; an empty value empties one. Judgements of changed fields are cleared.

    Values that the task has already change nothing: it stays at its version, and decisions about that hold. `version`
    is the one that the caller read: raises Stale if the task was changed since, and what somebody else wrote is kept.
    Also raises as check_edit and the rules of the task do.
    """
    loaded = await load_to_move(tx, task_id)
    task = loaded.task
    checked = await check_edit(tx, task, fields, actor=actor, version=version, attempt=attempt)
    check_lease(loaded, attempt)
    placed = await as_before_pause(tx, task)
    update = update_judgements(placed, fields_after(task, checked), checked.keys(), actor)
    touched = checked.keys() | update.cleared.keys()
    await rules_of(task.definition).reserve_unique(tx, task, update.fields, touched)
    return await _store(tx, task, checked, update, actor)


async def check_edit(
    tx: Tx, task: Task, fields: Mapping[str, Any], *, actor: Actor, version: int | None, attempt: int | None
) -> dict[str, Any]:
    """Return the checked values of an edit, if the actor may make it. The holder of the task names the `attempt`.

    A field can be filled when it is the turn of one of its writers; by a creator of tasks also until somebody has
    claimed this one; and by the founder whenever the process lists the founder as a writer. A cleared judgement can
    be given again at any position. A pause does not change whose turn it is. An ended task is not edited. Raises
    TransitionRefused, LeaseLost, TaskBlocked, Stale, and InvalidInput as fields.check_fields does.
    """
    await check_attempt(tx, task, attempt)
    task = await as_before_pause(tx, task)
    if not fields:
        raise InvalidInput(
            "No field is named.",
            kept=f"{task.slug} is unchanged.",
            hint=f"{task.process} has the fields {', '.join(task.definition.fields)}.",
        )
    if task.terminal:
        raise TransitionRefused(
            f"{task.slug} is {task.status}: an ended task cannot be edited.",
            kept=f"{task.slug} is unchanged.",
            hint="Reopen it, if it has to be changed.",
        )
    check_version(task, version)
    checked = written_fields(task, fields, actor)
    if task.lease_owner == actor.name and attempt is None:
        raise TransitionRefused(
            f"{actor.person} did not name an attempt, so it cannot edit {task.slug}.",
            kept=f"{task.slug} is unchanged.",
            hint="Name the attempt under which you hold it.",
            advice=Advice(
                "task.edit", to="do the same with the attempt", task=task.place, attempt=task.attempt
            ),
        )
    return checked


async def fill(tx: Tx, task_id: UUID, fields: Mapping[str, Any], *, actor: Actor) -> Task:
    """Fill fields on behalf of the engine; an empty value empties one. Fields that the process does not declare are
    ignored, and so are all if the task has ended.
    """
    task = await load_to_change(tx, task_id)
    declared = {name: value for name, value in fields.items() if name in task.definition.fields}
    if task.terminal or not declared:
        return task
    update = update_judgements(task, fields_after(task, declared), declared.keys(), actor)
    return await _store(tx, task, declared, update, actor)


async def reassign(tx: Tx, task_id: UUID, assignee: UUID, *, actor: Actor) -> Task:
    """Give a task that has not ended to another agent; whoever is at work on it goes on."""
    task = await load_to_change(tx, task_id)
    if task.terminal or task.assignee == assignee:
        return task
    row = await _sql.maybe(tx, "reassign_task", id=task.id, version=task.version, assignee=assignee)
    if row is None:
        raise changed_meanwhile(task)
    given = task_of(row)
    await append_event(
        tx,
        stream=task.id,
        kind="task.assigned",
        actor=str(actor),
        payload={
            "slug": task.slug,
            "group": str(task.group_id),
            "assignee": str(assignee),
            "version": given.version,
        },
    )
    return given


async def _store(
    tx: Tx, task: Task, fields: Mapping[str, Any], update: JudgementUpdate, actor: Actor
) -> Task:
    if (update.fields, update.judgements) == (task.fields, task.judgements):
        return task
    filled, emptied = split_filled(fields)
    emptied += update.emptied
    row = await _sql.maybe(
        tx,
        "edit_task",
        id=task.id,
        version=task.version,
        fields=Jsonb(filled),
        emptied=emptied,
        judgements=Jsonb(update.judgements),
    )
    if row is None:
        raise changed_meanwhile(task)
    edited = task_of(row)
    fault_point("edit.stored")
    await record_edit(tx, edited, actor, filled, emptied, update.recorded())
    if update.cleared:
        await notify(tx, READY_CHANNEL)
    return edited
