"""The critical path of a mission, computed from the model calls that it really made."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import datetime
from graphlib import TopologicalSorter
from uuid import UUID

from frasier.store import Tx

_CALLS = """
select task_id, started_at, ended_at from llm_calls
where mission_id = %s and state = 'settled' order by started_at
"""
_STEPS = "select id, process from workflow_tasks where group_id = %s and process <> 'review'"
_NEEDS = """
select d.task_id, d.depends_on from workflow_dependencies d join workflow_tasks t on t.id = d.task_id
where t.group_id = %s and d.kind = 'blocks'
"""
_REVIEWS = """
select r.step_id, r.deliverable_id, r.review_task from org_reviews r join org_steps s on s.task_id = r.step_id
where s.mission_id = %s and r.review_task is not null
"""


@dataclass(slots=True)
class _Work:
    """The calls of a step, and those of its reviews by version."""

    calls: int = 0
    reviews: dict[UUID, int] = field(default_factory=lambda: defaultdict(int))

    @property
    def length(self) -> int:
        """Reviews of one version are given at the same time, those of the next one after it."""
        return self.calls + sum(self.reviews.values())


async def critical_path_calls(tx: Tx, mission_id: UUID) -> int:
    """Return the number of calls on the longest path of the mission, which had to be made one after the other.

    Of one task these are the most calls of which none began before the previous one had ended; a step waits for the
    plan and for what it needs, its reviews for the step.
    """
    calls: dict[UUID, list[tuple[datetime, datetime]]] = defaultdict(list)
    for row in await _rows(tx, _CALLS, mission_id):
        calls[row["task_id"]].append((row["started_at"], row["ended_at"]))
    tasks = {row["id"]: row["process"] for row in await _rows(tx, _STEPS, mission_id)}
    work = {task_id: _Work(calls=_chain(calls[task_id])) for task_id in tasks}
    for row in await _rows(tx, _REVIEWS, mission_id):
        reviews = work[row["step_id"]].reviews
        chain = _chain(calls[row["review_task"]])
        reviews[row["deliverable_id"]] = max(reviews[row["deliverable_id"]], chain)
    plans = {task_id for task_id, process in tasks.items() if process == "planning"}
    needs = {task_id: set() if task_id in plans else set(plans) for task_id in tasks}
    for row in await _rows(tx, _NEEDS, mission_id):
        needs[row["task_id"]].add(row["depends_on"])
    ends: dict[UUID, int] = {}
    for task_id in TopologicalSorter(needs).static_order():
        ends[task_id] = max((ends[needed] for needed in needs[task_id]), default=0) + work[task_id].length
    return max(ends.values())


async def _rows(tx: Tx, query: str, mission_id: UUID) -> list[dict]:
    return await (await tx.execute(query, (mission_id,))).fetchall()


def _chain(calls: list[tuple[datetime, datetime]]) -> int:
    """Return the most calls of which each began after the previous one had ended."""
    count, free_from = 0, None
    for started, ended in sorted(calls, key=lambda call: call[1]):
        if free_from is None or started >= free_from:
            count, free_from = count + 1, ended
    return count
