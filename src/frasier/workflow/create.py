"""Making tasks and their dependencies, all at once or not at all."""

from __future__ import annotations

from collections.abc import Sequence

from psycopg import errors
from psycopg.types.json import Jsonb

from frasier.kernel.errors import InvalidInput, NotFound
from frasier.store import Statements, Tx, notify
from frasier.workflow.graph import find_cycle
from frasier.workflow.history import marker_text, record_move
from frasier.workflow.process import Actor, processes
from frasier.workflow.task import NewTask, Task, task_of

_sql = Statements("frasier.workflow")

READY_CHANNEL = "frasier_ready"
"""The channel on which a hint goes out when tasks became ready."""


async def create_tasks(tx: Tx, tasks: Sequence[NewTask], *, actor: Actor) -> list[Task]:
    """Makes `tasks` with their edges. They may depend on each other and on stored tasks.

    Raises InvalidInput for an unknown process, a cycle, or a slug that the group already has, and NotFound for a
    dependency that does not exist; then nothing is made.
    """
    _check(tasks)
    for new in tasks:
        await _insert(tx, new)
    made = [await _connect(tx, new) for new in tasks]
    for task in made:
        await record_move(
            tx,
            task,
            kind="task.created",
            marker=marker_text(task, "CREATED", actor.kind, task.title),
            actor=actor,
            payload={"process": task.process, "title": task.title},
        )
    if any(task.ready for task in made):
        await notify(tx, READY_CHANNEL)
    return made


def _check(tasks: Sequence[NewTask]) -> None:
    unknown = sorted({new.process for new in tasks} - processes().keys())
    if unknown:
        raise InvalidInput(f"No process is called {', '.join(unknown)}.", kept="No task was made.")
    edges = {new.id: [edge.depends_on for edge in new.depends_on] for new in tasks}
    if cycle := find_cycle(edges):
        slugs = {new.id: new.slug for new in tasks}
        way = " → ".join(slugs.get(node, str(node)) for node in [*cycle, cycle[0]])
        raise InvalidInput(f"The tasks wait for each other: {way}.", kept="No task was made.")


async def _insert(tx: Tx, new: NewTask) -> None:
    process = processes()[new.process]
    status = process.status(process.initial)
    try:
        async with tx.transaction():
            await _sql.run(
                tx,
                "insert_task",
                id=new.id,
                process=new.process,
                slug=new.slug,
                title=new.title,
                group_id=new.group_id,
                status=status.name,
                role=status.role,
                assignee=new.assignee,
                priority=new.priority,
                fields=Jsonb(new.fields),
                pending_deps=0,
                claimable=status.claimable,
            )
    except errors.UniqueViolation as error:
        raise InvalidInput(f"The group already has a task {new.slug!r}.", kept="No task was made.") from error


async def _connect(tx: Tx, new: NewTask) -> Task:
    for edge in new.depends_on:
        stored = await _sql.maybe(
            tx, "insert_dependency", task_id=new.id, depends_on=edge.depends_on, kind=edge.kind
        )
        if stored is None:
            raise NotFound(f"{new.slug} depends on {edge.depends_on}, which does not exist.")
    return task_of(await _sql.one(tx, "recount_dependencies", id=new.id))
