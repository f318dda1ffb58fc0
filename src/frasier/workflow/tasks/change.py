"""Changes of what a task is planned as: its title, its priority, and the tasks that it waits for."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from uuid import UUID

from frasier.store import Statements, Tx
from frasier.workflow.processes.process import Actor
from frasier.workflow.tasks.group_tasks import dependencies_of
from frasier.workflow.tasks.history import record_change
from frasier.workflow.tasks.loading import changed_meanwhile, check_version, get_task, load_to_change
from frasier.workflow.tasks.rewire import lock_group, rewire
from frasier.workflow.tasks.task import DependencyKind, Task, task_of

_sql = Statements("frasier.workflow")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanChange:
    """The changes of the plan of a task; None leaves a part as it is. `needs` are all tasks that it waits for from now
    on, by name and id.
    """

    title: str | None = None
    priority: int | None = None
    needs: dict[str, UUID] | None = None

    @property
    def parts(self) -> dict[str, object]:
        """The parts that change, by name, as the history tells them."""
        needs = None if self.needs is None else ", ".join(self.needs) or "nothing"
        named = {"title": self.title, "priority": self.priority, "needs": needs}
        return {name: value for name, value in named.items() if value is not None}


async def change_plan(
    tx: Tx, task_id: UUID, change: PlanChange, *, actor: Actor, version: int | None = None
) -> Task:
    """Change a task that has not ended; a part that it has already is no change, and without any it is returned as it
    is. Raises Stale if it is not at `version`, and InvalidInput as rewire does.
    """
    group_id = (await get_task(tx, task_id)).group_id
    if change.needs is not None:
        await lock_group(tx, group_id)  # before the task, which shares the group
    task = await load_to_change(tx, task_id)
    check_version(task, version)
    change = await _without_equal_parts(tx, task, change)
    if not change.parts:
        return task
    if change.needs is not None:
        await rewire(tx, group_id, {task_id: list(change.needs.values())})
    row = await _sql.maybe(
        tx, "change_task", id=task_id, version=task.version, title=change.title, priority=change.priority
    )
    if row is None:
        raise changed_meanwhile(task)
    changed = task_of(row)
    await record_change(tx, changed, actor, change.parts)
    return changed


async def _without_equal_parts(tx: Tx, task: Task, change: PlanChange) -> PlanChange:
    edges = (await dependencies_of(tx, task.group_id)).get(task.id, ()) if change.needs is not None else ()
    needed = {edge.depends_on for edge in edges if edge.kind is DependencyKind.BLOCKS}
    return PlanChange(
        title=None if change.title == task.title else change.title,
        priority=None if change.priority == task.priority else change.priority,
        needs=None if change.needs is None or set(change.needs.values()) == needed else change.needs,
    )


async def open_dependencies(tx: Tx, task_id: UUID) -> Collection[str]:
    """Return the names of the tasks that a task waits for, with the status of those that have ended."""
    return [row["name"] for row in await _sql.all(tx, "open_dependencies", id=task_id)]
