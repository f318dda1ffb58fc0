"""Paused tasks of boards and missions: where each was, and who must act."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from frasier.store import Statements, Tx

_sql = Statements("frasier.board.overview")


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockedTask:
    """A paused task: where it was, why it stopped, and who must do what since when. `board` is None in a mission."""

    id: UUID
    slug: str
    title: str
    process: str
    group_id: UUID
    assignee: UUID | None
    board: str | None
    was: str
    was_role: str
    reasons: list[dict[str, Any]]
    blocked_at: datetime


async def blocked_tasks(tx: Tx, group_id: UUID | None = None) -> list[BlockedTask]:
    """List the paused tasks, longest first; of one group, or of all."""
    return [BlockedTask(**row) for row in await _sql.all(tx, "blocked_tasks", group_id=group_id)]
