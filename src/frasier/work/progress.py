"""How far runs have come, for people who watch."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from frasier.store import Statements, Tx

_sql = Statements("frasier.work")


async def phases_of(tx: Tx, task_ids: Sequence[UUID]) -> dict[UUID, list[str]]:
    """The phases that each task has been through, in order; a phase that was done again stands once."""
    phases: dict[UUID, list[str]] = {}
    for row in await _sql.all(tx, "phases_of", task_ids=list(task_ids)):
        reached = phases.setdefault(row["task_id"], [])
        if row["phase"] not in reached:
            reached.append(row["phase"])
    return phases
