"""The progress of runs, and the rules omitted from their prompts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from frasier.store import Statements, Tx
from frasier.workflow import Task

_sql = Statements("frasier.work")


async def phases_of(tx: Tx, task_ids: Sequence[UUID]) -> dict[UUID, list[str]]:
    """Return the finished phases of each task, in order, each once."""
    phases: dict[UUID, list[str]] = {}
    for row in await _sql.all(tx, "phases_of", task_ids=list(task_ids)):
        reached = phases.setdefault(row["task_id"], [])
        if row["phase"] not in reached:
            reached.append(row["phase"])
    return phases


async def rules_left_out(tx: Tx, tasks: Sequence[Task]) -> list[dict[str, Any]]:
    """Return the standing rules omitted from prompts of these tasks: directive, text, and the tasks' names."""
    names = {task.id: task.slug for task in tasks}
    left_out: dict[UUID, dict[str, Any]] = {}
    for row in await _sql.all(tx, "rules_left_out", task_ids=list(names)):
        rule = left_out.setdefault(
            row["directive"], {"directive": str(row["directive"]), "text": row["text"], "tasks": []}
        )
        rule["tasks"].append(names[row["task_id"]])
    return list(left_out.values())
