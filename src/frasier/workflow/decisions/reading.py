"""Decisions as they stand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from frasier.kernel.errors import NotFound
from frasier.store import Statements, Tx

_sql = Statements("frasier.workflow.decisions")


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """One question to the founder about one move. `answer` is approved, rejected or None; a used one is spent.

    `shown` tells from where to where the task would go, and what was said with the move.
    """

    id: UUID
    task_id: UUID
    slug: str
    title: str
    transition: str
    version: int
    digest: str
    shown: Mapping[str, Any]
    asked_by: str
    asked_at: datetime
    answer: str | None
    comment: str
    answered_by: str | None
    answered_at: datetime | None
    used_at: datetime | None
    reminded_at: datetime | None


async def find_decision(tx: Tx, decision_id: UUID) -> Decision:
    """The decision; raises NotFound."""
    row = await _sql.maybe(tx, "get", id=decision_id)
    if row is None:
        raise NotFound(
            f"There is no decision {decision_id}.", hint="`frasier task decisions` shows what is asked for."
        )
    return decision_of(row)


async def open_decisions(tx: Tx, group_id: UUID | None = None) -> list[Decision]:
    """What waits for the founder, longest first: asked for, not answered, and still about the task as it is."""
    return [decision_of(row) for row in await _sql.all(tx, "open", group_id=group_id)]


async def decisions_of(tx: Tx, asked_by: str) -> list[Decision]:
    """What somebody asked for and has not made use of: open, approved or rejected, about tasks as they are."""
    return [decision_of(row) for row in await _sql.all(tx, "asked_by", asked_by=asked_by)]


def decision_of(row: Mapping[str, Any]) -> Decision:
    """The decision that a row holds."""
    return Decision(**row)
