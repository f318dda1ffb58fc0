"""Consequences of a task that ended without a result, for the tasks that depend on it. Independent branches go on."""

from __future__ import annotations

from frasier.store import Statements, Tx
from frasier.workflow.blocking import pause
from frasier.workflow.processes.process import SYSTEM, Outcome
from frasier.workflow.tasks.history import record_transition
from frasier.workflow.tasks.loading import permit
from frasier.workflow.tasks.task import Task, task_of

_sql = Statements("frasier.workflow")

_FAIL = "fail"


async def cascade(tx: Tx, origin: Task) -> None:
    """Fail every task that cannot go on without `origin`, all the way down the edges.

    In a process where nothing fails, people decide: the direct dependants of `origin` are blocked for whoever may
    cancel them, and everything below waits for those.
    """
    ending = "failed" if origin.outcome is Outcome.FAILED else "was cancelled"
    reason = f"needs {origin.slug}, which {ending}"
    # Repeats until none is left: a task may have been added while this waited for the locks.
    while tasks := await _lock_doomed(tx, origin):
        await _fail(tx, tasks, reason)
    for row in await _sql.all(tx, "lock_next_dependants", id=origin.id):
        task = task_of(row)
        if _FAIL not in task.definition.transitions:
            await pause(tx, task, reason=reason, owner=_decider(task), action=_ACTION, actor=SYSTEM)


_ACTION = "change what it needs and restore it, or cancel it"


def _decider(task: Task) -> str:
    """Return the role that may cancel the task: the first of its own roles that may, else the founder."""
    allowed = task.definition.transitions["cancel"].actors
    return next((role for role in sorted(task.definition.roles) if role in allowed), "founder")


async def _lock_doomed(tx: Tx, origin: Task) -> list[Task]:
    below = [task_of(row) for row in await _sql.all(tx, "lock_open_dependants", id=origin.id)]
    return [task for task in below if _FAIL in task.definition.transitions]


async def _fail(tx: Tx, tasks: list[Task], reason: str) -> None:
    fields = {"reason": reason}
    doomed = {task.id: task for task in tasks}
    rules = {task.id: permit(task, _FAIL, actor=SYSTEM, fields=fields) for task in tasks}
    ends = [task.definition.status(rules[task.id].to) for task in tasks]
    failed = await _sql.all(
        tx,
        "fail_dependants",
        ids=list(doomed),
        statuses=[end.name for end in ends],
        roles=[end.roles[0] for end in ends],
        reason=reason,
    )
    await _sql.run(tx, "delete_block", ids=list(doomed))
    for after in map(task_of, failed):
        await record_transition(tx, doomed[after.id], after, rules[after.id], SYSTEM, fields, "")
