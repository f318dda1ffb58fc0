"""New dependencies for open tasks of a group, such as those of a plan that is changed while it is carried out."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from uuid import UUID

from frasier.kernel.errors import InvalidInput
from frasier.store import Statements, Tx, notify
from frasier.workflow.dependency_graph import find_cycle, levels, path_lengths
from frasier.workflow.processes.process import Outcome
from frasier.workflow.tasks.group_tasks import dependencies_of, tasks_of
from frasier.workflow.tasks.task import READY_CHANNEL, DependencyKind, Task

_sql = Statements("frasier.workflow")


async def lock_group(tx: Tx, group_id: UUID) -> None:
    """Lock a group until the transaction ends, so that no task of it moves meanwhile."""
    await _sql.run(tx, "lock_group", group_id=group_id)


async def rewire(
    tx: Tx,
    group_id: UUID,
    needs: Mapping[UUID, Collection[UUID]],
    *,
    lengths: Mapping[UUID, int] | None = None,
) -> None:
    """Let each of some open tasks wait for exactly the tasks named for it, all of one group, which is locked.

    `lengths` has the length of every task of the group whose path is measured anew; the others keep theirs.
    Raises InvalidInput for a task that has ended, one that would wait for a task without a result, and a circle.
    """
    await lock_group(tx, group_id)
    tasks = {task.id: task for task in await tasks_of(tx, group_id)}
    edges = {
        task_id: [edge.depends_on for edge in existing if edge.kind is DependencyKind.BLOCKS]
        for task_id, existing in (await dependencies_of(tx, group_id)).items()
    }
    edges = {task_id: list(needs.get(task_id, edges.get(task_id, []))) for task_id in tasks}
    ended = [tasks[task_id].slug for task_id in needs if tasks[task_id].terminal]
    dead = [
        tasks[needed].slug
        for needed in {one for of_task in needs.values() for one in of_task}
        if tasks[needed].outcome in {Outcome.FAILED, Outcome.CANCELLED}
    ]
    circle = find_cycle(edges)
    if ended or dead or circle:
        raise InvalidInput(
            f"The dependencies cannot be changed: {', '.join(ended + dead) or _circle(circle, tasks)} "
            f"{'ended' if ended or dead else 'would wait for each other'}.",
            kept="Nothing was changed.",
            hint="Name only tasks that can still be completed, and that do not need this one.",
        )
    pairs = [(task_id, needed) for task_id, of_task in needs.items() for needed in of_task]
    await _sql.run(
        tx,
        "replace_dependencies",
        changed=list(needs),
        task_ids=[task_id for task_id, _ in pairs],
        depend_on=[needed for _, needed in pairs],
        satisfied=[tasks[needed].outcome is Outcome.COMPLETED for _, needed in pairs],
    )
    await _sql.run(tx, "recount_dependencies", ids=list(needs))
    await _renumber(tx, {task_id: task.num for task_id, task in tasks.items()}, edges)
    measured = lengths or {}
    paths = path_lengths(measured, {one: edges[one] for one in measured}, dict.fromkeys(measured, 0))
    await _sql.run(tx, "set_path_lengths", ids=list(paths), path_lengths=list(paths.values()))
    await notify(tx, READY_CHANNEL)


def _circle(circle: Sequence[UUID], tasks: Mapping[UUID, Task]) -> str:
    return ", ".join(sorted({tasks[task_id].slug for task_id in circle}))


async def _renumber(tx: Tx, numbers: Mapping[UUID, int], edges: Mapping[UUID, Collection[UUID]]) -> None:
    """Give new numbers to tasks that do not come behind all that they need, and to what depends on those.

    Numbers grow along every edge: that is the order in which tasks are locked and cancelled.
    """
    level, renumbered = levels(edges), set[UUID]()
    for task_id in sorted(level, key=lambda one: (level[one], numbers[one])):
        if any(needed in renumbered or numbers[needed] > numbers[task_id] for needed in edges[task_id]):
            await _sql.run(tx, "renumber_task", id=task_id)
            renumbered.add(task_id)


async def drop_ended_dependants(tx: Tx, task_id: UUID) -> None:
    """Let no task that has ended wait for this one, should it be reopened; the group is locked by the caller."""
    rows = await _sql.all(tx, "drop_ended_dependants", id=task_id)
    await _sql.run(tx, "recount_dependencies", ids=[row["task_id"] for row in rows])
