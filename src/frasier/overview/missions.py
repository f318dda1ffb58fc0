"""The newest missions as a list."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from frasier.llm import spend_of_mission
from frasier.org.planning import MissionStatus, list_missions
from frasier.store import Tx


@dataclass(frozen=True, slots=True, kw_only=True)
class MissionSummary:
    """A mission as a line; `folder` is where its deliverable is."""

    mission: UUID
    title: str
    status: MissionStatus
    rehearsal: bool
    cost_usd: float
    calls: int
    created_at: datetime
    delivered_at: datetime | None
    folder: str | None
    failure: str | None


async def read_missions(tx: Tx, *, limit: int) -> tuple[MissionSummary, ...]:
    """Read the newest missions."""
    summaries = []
    for mission in await list_missions(tx, limit=limit):
        spend = await spend_of_mission(tx, mission.id)
        summaries.append(
            MissionSummary(
                mission=mission.id,
                title=mission.title,
                status=mission.status,
                rehearsal=mission.rehearsal,
                cost_usd=spend.spent_usd_micros / 1_000_000,
                calls=spend.calls,
                created_at=mission.created_at,
                delivered_at=mission.delivered_at,
                folder=mission.delivered_path,
                failure=mission.failure,
            )
        )
    return tuple(summaries)
