"""The time in which a mission rested: paused, or ended until it was taken up again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from frasier.store import Statements, Tx

_sql = Statements("frasier.overview")


@dataclass(frozen=True, slots=True, kw_only=True)
class MissionRest:
    """A time in which a mission rested."""

    at: datetime
    next_at: datetime


async def rests_of(tx: Tx, mission_id: UUID) -> tuple[MissionRest, ...]:
    """Return the times in which a mission had ended or was paused before it went on."""
    return tuple(MissionRest(**row) for row in await _sql.all(tx, "rests_of", mission_id=mission_id))


def seconds_of_rest(rests: Iterable[MissionRest], since: datetime, until: datetime) -> float:
    """Return how many seconds between two moments were of rest."""
    return sum(max((min(rest.next_at, until) - max(rest.at, since)).total_seconds(), 0.0) for rest in rests)
