"""Filling the fields of a task without moving it: declared ones, by whom the table names, on the version they saw."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from frasier.kernel.errors import InvalidInput, Stale, TransitionRefused
from frasier.kernel.faults import fault_point
from frasier.store import Statements, Tx
from frasier.workflow.fields import check_fields, fields_after, split_filled
from frasier.workflow.history import record_edit
from frasier.workflow.lookup import check_attempt, take_task
from frasier.workflow.process import Actor, ActorKind
from frasier.workflow.task import Task, task_of
from frasier.workflow.used_once import use_words

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
    at its version, and what was decided about that holds.

    `version` is the one that was looked at: Stale is raised where the task was changed since, and what somebody else
    wrote is kept. While somebody holds the task, only they fill what is their role's to fill. What is over is not
    edited. Raises InvalidInput and TransitionRefused as fields.check_fields does, and UsedElsewhere as
    used_once.use_words does.
    """
    task = await take_task(tx, task_id)
    await check_attempt(tx, task, attempt)
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
    checked = check_fields(task.definition, fields, actor=actor, role=task.role, task=task.slug)
    _check_holder(task, checked, actor)
    await use_words(tx, task, fields_after(task, checked), checked)
    return await _store(tx, task, checked, actor)


async def fill(tx: Tx, task_id: UUID, fields: Mapping[str, Any], *, actor: Actor) -> Task:
    """Fills what the engine itself has found out; an empty value empties a field. What the process does not declare is
    left out, and so is everything where the task is over.
    """
    task = await take_task(tx, task_id)
    known = {name: value for name, value in fields.items() if name in task.definition.fields}
    return task if task.terminal or not known else await _store(tx, task, known, actor)


async def _store(tx: Tx, task: Task, fields: Mapping[str, Any], actor: Actor) -> Task:
    if fields_after(task, fields) == task.fields:
        return task
    filled, emptied = split_filled(fields)
    row = await _sql.maybe(
        tx, "edit_task", id=task.id, version=task.version, fields=Jsonb(filled), emptied=emptied
    )
    if row is None:
        raise _changed(task)
    edited = task_of(row)
    fault_point("edit.stored")
    await record_edit(tx, edited, actor, filled, emptied)
    return edited


def _check_holder(task: Task, fields: Mapping[str, Any], actor: Actor) -> None:
    """What somebody works on is not rewritten under their hands by another of the same role."""
    if actor.kind is not ActorKind.MEMBER or task.lease_owner in {None, actor.name}:
        return
    ours = actor.roles - {task.role}
    for name in fields:
        if not task.definition.fields[name].writers & ours:
            raise TransitionRefused(
                f"{task.slug} is held by {task.holder}, so {actor.person} cannot fill {name}.",
                kept=f"{task.slug} is unchanged.",
                hint="Wait until it is given back or its lease has run out.",
            )


def _changed(task: Task) -> Stale:
    return Stale(
        f"{task.slug} was changed meanwhile: it is at version {task.version}.",
        kept="What the others wrote is kept; nothing of yours was written.",
        hint="Look at it again, and fill what still has to be filled.",
    )
