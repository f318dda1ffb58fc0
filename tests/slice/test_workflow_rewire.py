"""New dependencies for open tasks: readiness is counted anew, and numbers still grow along every edge."""

from __future__ import annotations

import pytest

from frasier.kernel.errors import InvalidInput
from frasier.kernel.ids import new_id
from frasier.store import Database
from frasier.workflow import FOUNDER, NewTask, cancel_group, create_tasks, dependencies_of, rewire, tasks_of
from support.board import complete_next, create_steps, statuses


async def test_a_new_task_comes_before_one_that_waits_for_it(board: Database):
    steps = await create_steps(board, {"c": "a b", "a": "", "b": ""})
    ids = {slug: task.id for slug, task in steps.items()}
    group = steps["a"].group_id
    added = NewTask(id=new_id(), process="mission_step", slug="d", title="d", group_id=group)
    async with board.transaction() as tx:
        await create_tasks(tx, [added], actor=FOUNDER)
        await rewire(tx, group, {ids["c"]: [ids["a"], added.id]})
        order = {task.slug: task.num for task in await tasks_of(tx, group)}
        edges = await dependencies_of(tx, group)
        waiting = {task.slug: task.pending_deps for task in await tasks_of(tx, group)}
    assert order["c"] > max(order["a"], order["d"])
    assert {edge.depends_on for edge in edges[ids["c"]]} == {ids["a"], added.id}
    assert waiting == {"a": 0, "b": 0, "d": 0, "c": 2}
    async with board.transaction() as tx:
        await cancel_group(tx, group, actor=FOUNDER, reason="no longer wanted")
    assert set((await statuses(board, steps)).values()) == {"cancelled"}, "none failed because of another"


async def test_what_is_done_counts_as_done(board: Database):
    steps = await create_steps(board, {"b": "", "a": ""})
    done = steps[await complete_next(board)]
    open_one = next(task for task in steps.values() if task.id != done.id)
    async with board.transaction() as tx:
        await rewire(tx, done.group_id, {open_one.id: [done.id]})
        after = {task.id: task for task in await tasks_of(tx, done.group_id)}
    assert after[open_one.id].ready


async def test_a_circle_is_refused(board: Database):
    steps = await create_steps(board, {"b": "a", "a": ""})
    with pytest.raises(InvalidInput, match="would wait for each other"):
        async with board.transaction() as tx:
            await rewire(tx, steps["a"].group_id, {steps["a"].id: [steps["b"].id]})
