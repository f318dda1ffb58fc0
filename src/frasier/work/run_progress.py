"""The progress of runs, and the rules omitted from their prompts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from frasier.store import Statements, Tx
from frasier.workflow import Task

_sql = Statements("frasier.work")


@dataclass(frozen=True, slots=True, kw_only=True)
class OmittedRule:
    """A standing rule that was omitted from prompts for want of room, and the names of the tasks that did without."""

    directive: UUID
    text: str
    tasks: tuple[str, ...] = ()


async def phases_of(tx: Tx, task_ids: Sequence[UUID]) -> dict[UUID, list[str]]:
    """Return the finished phases of each task, in order, each once."""
    phases: dict[UUID, list[str]] = {}
    for row in await _sql.all(tx, "phases_of", task_ids=list(task_ids)):
        reached = phases.setdefault(row["task_id"], [])
        if row["phase"] not in reached:
            reached.append(row["phase"])
    return phases


async def rules_left_out(tx: Tx, tasks: Sequence[Task]) -> list[OmittedRule]:
    """List the standing rules that found no room in prompts of these tasks."""
    names = {task.id: task.slug for task in tasks}
    left_out: dict[UUID, OmittedRule] = {}
    for row in await _sql.all(tx, "rules_left_out", task_ids=list(names)):
        rule = left_out.get(row["directive"]) or OmittedRule(directive=row["directive"], text=row["text"])
        left_out[rule.directive] = replace(rule, tasks=(*rule.tasks, names[row["task_id"]]))
    return list(left_out.values())
