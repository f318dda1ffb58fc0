"""The newest missions as a list."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from frasier.kernel.copy_fields import copy_fields
from frasier.kernel.deliverable_kind import DeliverableKind
from frasier.llm import spends_of_missions
from frasier.org.missions import MissionStatus, degraded_missions, list_missions
from frasier.overview.lost_work import ended_workers
from frasier.store import Statements, Tx

_sql = Statements("frasier.overview")


@dataclass(frozen=True, slots=True, kw_only=True)
class MissionSummary:
    """A mission as a line; `folder` is where its deliverable is.

    `steps_done` of its `steps` are completed, and `steps_active` worked on or reviewed; `questions` wait for the
    founder, so that it `waits_for_founder` unless it was delivered or cancelled. `kind` is that of the planned result,
    before there is a plan the one that the founder asked for; an accepted step of a `degraded` one was made with less
    than was asked for.
    """

    mission: UUID
    title: str
    status: MissionStatus
    rehearsal: bool
    cost_usd: float
    calls: int
    created_at: datetime
    delivered_at: datetime | None
    ended_at: datetime | None
    folder: str | None
    failure: str | None
    kind: DeliverableKind | None
    budget_usd: float | None
    steps: int
    steps_done: int
    steps_active: int
    questions: int
    waits_for_founder: bool
    degraded: bool


async def read_missions(
    tx: Tx,
    *,
    limit: int,
    statuses: Collection[MissionStatus] | None = None,
    is_open: bool | None = None,
    before: UUID | None = None,
) -> tuple[MissionSummary, ...]:
    """Read the newest missions: of those `statuses`, and older than the mission `before`, if these are given.

    One that failed is open as long as a question about it waits for the founder.
    """
    missions = await list_missions(tx, limit=limit, statuses=statuses, is_open=is_open, before=before)
    ids = [mission.id for mission in missions]
    spends = await spends_of_missions(tx, ids)
    degraded = await degraded_missions(tx, ids)
    counts = {
        row["mission_id"]: row
        for row in await _sql.all(tx, "mission_counts", mission_ids=ids, ended=await ended_workers(tx))
    }
    return tuple(
        copy_fields(
            MissionSummary,
            mission,
            mission=mission.id,
            kind=_kind_of(counts[mission.id]["kind"]) or mission.kind,
            cost_usd=spends[mission.id].spent_usd_micros / 1_000_000,
            calls=spends[mission.id].calls,
            folder=mission.delivered_path,
            budget_usd=spends[mission.id].budget_usd,
            steps=counts[mission.id]["steps"],
            steps_done=counts[mission.id]["done"],
            steps_active=counts[mission.id]["active"],
            questions=counts[mission.id]["questions"],
            waits_for_founder=bool(counts[mission.id]["questions"]) and mission.status.depends_on_answers,
            degraded=mission.id in degraded,
        )
        for mission in missions
    )


def _kind_of(planned: str | None) -> DeliverableKind | None:
    return DeliverableKind(planned) if planned else None
