"""The tasks of a group (a mission) and their dependencies."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from frasier.store import Statements, Tx
from frasier.workflow.tasks.task import Dependency, DependencyKind, Task, task_of

_sql = Statements("frasier.workflow")


async def tasks_of(tx: Tx, group_id: UUID) -> list[Task]:
    """Fetch every task of a group, oldest first; none comes before one that it depends on."""
    return [task_of(row) for row in await _sql.all(tx, "tasks_of_group", group_id=group_id)]


async def first_tasks(tx: Tx, groups: Collection[UUID]) -> dict[UUID, Task]:
    """Fetch the oldest task of each of these groups that has one."""
    rows = await _sql.all(tx, "first_tasks_of_groups", groups=list(groups))
    return {row["group_id"]: task_of(row) for row in rows}


async def groups_of(tx: Tx, ids: Collection[UUID]) -> dict[UUID, UUID]:
    """Return the group of each of these tasks; ids of other things are left out."""
    rows = await _sql.all(tx, "groups_of_tasks", ids=list(ids))
    return {row["id"]: row["group_id"] for row in rows}


async def dependencies_of(tx: Tx, group_id: UUID) -> dict[UUID, tuple[Dependency, ...]]:
    """Fetch the dependencies of each task of a group; tasks without any are left out."""
    edges: dict[UUID, tuple[Dependency, ...]] = {}
    for row in await _sql.all(tx, "edges_of_group", group_id=group_id):
        edge = Dependency(depends_on=row["depends_on"], kind=DependencyKind(row["kind"]))
        edges[row["task_id"]] = (*edges.get(row["task_id"], ()), edge)
    return edges
