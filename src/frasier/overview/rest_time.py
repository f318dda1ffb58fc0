"""The time in which a mission rested: paused, or ended until it was taken up again."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from frasier.store import Statements, Tx

_sql = Statements("frasier.overview")


async def seconds_at_rest(tx: Tx, mission_id: UUID, until: datetime) -> float:
    """Return the seconds until a moment in which a mission had ended or was paused before it went on."""
    seconds: float = (await _sql.one(tx, "seconds_at_rest", mission_id=mission_id, until=until))["seconds"]
    return seconds
