"""Lookups without a query: the markers of a task, the latest memories of an agent."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from frasier.memory.types import Memory, MemoryKind
from frasier.store import Statements, Tx, from_row

_sql = Statements("frasier.memory")


async def markers_of(tx: Tx, task_id: UUID, *, limit: int) -> list[Memory]:
    """Return the markers of a task, newest first, visible as soon as they are saved."""
    rows = await _sql.all(tx, "markers_of_task", task_id=task_id, limit=limit)
    return [from_row(Memory, row) for row in rows]


async def recent_of_agent(tx: Tx, agent_id: UUID, kinds: Iterable[MemoryKind], limit: int) -> list[Memory]:
    """Return the latest memories of these kinds that the agent saved, newest first."""
    rows = await _sql.all(tx, "recent_of_agent", agent_id=agent_id, kinds=sorted(set(kinds)), limit=limit)
    return [from_row(Memory, row) for row in rows]
