"""Creation of tasks and their dependencies, all at once or not at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from uuid import UUID

from psycopg import errors
from psycopg.types.json import Jsonb

from frasier.kernel.errors import InvalidInput, NotFound
from frasier.kernel.text import shorten
from frasier.store import Statements, Tx, notify
from frasier.workflow.dependency_graph import find_cycle, levels, path_lengths
from frasier.workflow.processes.process import Actor, Outcome
from frasier.workflow.processes.process_loader import processes
from frasier.workflow.processes.task_rules import rules_of
from frasier.workflow.tasks.history import marker_text, record_move
from frasier.workflow.tasks.task import READY_CHANNEL, DependencyKind, NewTask, Task, task_of

_sql = Statements("frasier.workflow")

_NOTHING_CREATED = "No task was created."
_PATH_LENGTH_MAX = 2**15 - 1


async def create_tasks(tx: Tx, tasks: Sequence[NewTask], *, actor: Actor) -> list[Task]:
    """Create `tasks` with their dependencies, all at once, and return them in the same order.

    They may depend on each other and on stored tasks. Raises InvalidInput for an unknown process, a cycle, a
    dependency that has failed, or a slug that the group already has, and NotFound for a dependency that does not
    exist; nothing is created then.
    """
    if not tasks:
        return []
    _check(tasks)
    for group_id in sorted({new.group_id for new in tasks}):
        await _sql.run(tx, "share_group", group_id=group_id)
    completed = await _lock_dependencies(tx, tasks)
    created = await _insert(tx, tasks, completed)
    await _connect(tx, tasks, completed)
    for task in created:
        await record_move(
            tx,
            task,
            kind="task.created",
            marker=marker_text(
                task, "CREATED", actor.acting_as(task.role, task.definition.creation.actors), task.title
            ),
            actor=actor,
            payload={"process": task.process, "title": task.title, "to": task.status},
            wrote=task.fields if rules_of(task.definition).records_fields else None,
        )
    if any(task.ready for task in created):
        await notify(tx, READY_CHANNEL)
    return created


def _check(tasks: Sequence[NewTask]) -> None:
    if unknown := sorted({new.process for new in tasks} - processes().keys()):
        raise InvalidInput(
            f"Unknown process: {', '.join(unknown)}.",
            kept=_NOTHING_CREATED,
            hint=f"The processes are {', '.join(sorted(processes()))}.",
        )
    if len({new.id for new in tasks}) < len(tasks):
        raise InvalidInput("Two of the tasks have the same id.", kept=_NOTHING_CREATED)
    for new in tasks:
        if len({edge.depends_on for edge in new.depends_on}) < len(new.depends_on):
            raise InvalidInput(
                f"{new.slug} names a dependency twice.",
                kept=_NOTHING_CREATED,
                hint="Name each task that it needs once.",
            )
    if cycle := find_cycle(_edges(tasks)):
        slugs = {new.id: new.slug for new in tasks}
        cycle_text = " → ".join(slugs.get(node, str(node)) for node in [*cycle, cycle[0]])
        raise InvalidInput(
            f"The tasks depend on each other in a cycle: {cycle_text}.",
            kept=_NOTHING_CREATED,
            hint="Leave one of these dependencies out.",
        )


def _edges(tasks: Sequence[NewTask]) -> dict[UUID, list[UUID]]:
    return {new.id: [edge.depends_on for edge in new.depends_on] for new in tasks}


def _blocking(tasks: Sequence[NewTask]) -> dict[UUID, list[UUID]]:
    return {
        new.id: [edge.depends_on for edge in new.depends_on if edge.kind is DependencyKind.BLOCKS]
        for new in tasks
    }


async def _lock_dependencies(tx: Tx, tasks: Sequence[NewTask]) -> set[UUID]:
    """Lock the stored tasks that `tasks` depend on, so that none ends now; return those that are completed."""
    within = {new.id for new in tasks}
    stored_ids = {edge.depends_on for new in tasks for edge in new.depends_on} - within
    if not stored_ids:
        return set()
    stored = {row["id"]: row for row in await _sql.all(tx, "lock_dependencies", ids=list(stored_ids))}
    for new in tasks:
        for edge in new.depends_on:
            if edge.depends_on in within:
                continue
            if (row := stored.get(edge.depends_on)) is None:
                raise NotFound(
                    f"{new.slug} depends on {edge.depends_on}, which does not exist.",
                    kept=_NOTHING_CREATED,
                    hint="Name tasks that exist.",
                )
            if edge.kind is DependencyKind.BLOCKS and row["outcome"] in {Outcome.FAILED, Outcome.CANCELLED}:
                raise InvalidInput(
                    f"{new.slug} would wait for {row['slug']}, which is {row['status']}.",
                    kept=_NOTHING_CREATED,
                    hint="Leave that dependency out, or name a task that can still be completed.",
                )
    return {needed for needed, row in stored.items() if row["outcome"] == Outcome.COMPLETED}


async def _insert(tx: Tx, tasks: Sequence[NewTask], completed: set[UUID]) -> list[Task]:
    level = levels(_edges(tasks))
    lengths = path_lengths(
        {new.id: new.length for new in tasks}, _blocking(tasks), {new.id: new.length_behind for new in tasks}
    )
    rows = [_task_row(new, level[new.id], lengths[new.id], completed) for new in tasks]
    try:
        async with tx.transaction():
            created = [task_of(row) for row in await _sql.all(tx, "insert_tasks", tasks=Jsonb(rows))]
    except errors.UniqueViolation as error:
        names = shorten(", ".join(new.slug for new in tasks), 200)
        raise InvalidInput(
            f"There is already a task of that name: {names}.",
            kept=_NOTHING_CREATED,
            hint="Give it another name, or work on the existing one.",
        ) from error
    by_id = {task.id: task for task in created}
    return [by_id[new.id] for new in tasks]


def _task_row(new: NewTask, level: int, path_length: int, completed: set[UUID]) -> Mapping[str, object]:
    process = processes()[new.process]
    status = process.status(process.initial)
    waits_for = [edge for edge in new.depends_on if edge.kind is DependencyKind.BLOCKS]
    return {
        "nth": level,
        "id": str(new.id),
        "process": new.process,
        "slug": new.slug,
        "title": new.title,
        "group_id": str(new.group_id),
        "status": status.name,
        "role": new.role or status.roles[0],
        "assignee": new.assignee and str(new.assignee),
        "priority": new.priority,
        "path_length": min(path_length, _PATH_LENGTH_MAX),
        "fields": new.fields,
        "pending_deps": sum(edge.depends_on not in completed for edge in waits_for),
        "claimable": status.claimable,
    }


async def _connect(tx: Tx, tasks: Sequence[NewTask], completed: set[UUID]) -> None:
    edges = [(new.id, edge) for new in tasks for edge in new.depends_on]
    if edges:
        await _sql.run(
            tx,
            "insert_dependencies",
            task_ids=[task_id for task_id, _ in edges],
            depend_on=[edge.depends_on for _, edge in edges],
            kinds=[edge.kind for _, edge in edges],
            satisfied=[edge.depends_on in completed for _, edge in edges],
        )
