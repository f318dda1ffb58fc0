"""The work on the tasks of a mission: how long it took, what it cost, which model is asked, and what was found last."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from frasier.llm import spend_by_task
from frasier.overview.rest_time import MissionRest, seconds_of_rest
from frasier.store import Tx
from frasier.work import began_at, latest_activity, open_phases
from frasier.workflow import Task


@dataclass(frozen=True, slots=True, kw_only=True)
class StepWork:
    """The work on a step so far: `seconds` since its first run, until it ended, without those in which its mission
    rested. `asking` is the model that has been
    asked for `asking_s` and has not answered. `activity` is what it read, found or wrote last; `phase` the one that it
    is in.
    """

    seconds: float | None = None
    cost_usd: float = 0.0
    calls: int = 0
    asking: str | None = None
    asking_s: float | None = None
    activity: str = ""
    phase: str = ""


NO_WORK = StepWork()
"""The work on what nobody has begun."""


async def read_work(
    tx: Tx,
    mission_id: UUID,
    tasks: Sequence[Task],
    *,
    lost: Collection[UUID],
    rests: Sequence[MissionRest],
    now: datetime,
) -> dict[UUID, StepWork]:
    """Read the work on each of the tasks of a mission; for those that are `lost` no model is asked."""
    ids = [task.id for task in tasks]
    begun = await began_at(tx, ids)
    spends = await spend_by_task(tx, mission_id)
    lines = await latest_activity(tx, ids)
    phases = await open_phases(tx, {task.id: task.attempt for task in tasks if task.status == "active"})
    works = {}
    for task in tasks:
        start, spend, line = begun.get(task.id), spends.get(task.id), lines.get(task.id)
        asks = spend if task.id not in lost else None
        since = asks.asking_since if asks else None
        works[task.id] = StepWork(
            seconds=None if start is None else _seconds(start, task.ended_at or now, rests),
            cost_usd=spend.spent_usd_micros / 1_000_000 if spend else 0.0,
            calls=spend.calls if spend else 0,
            asking=asks.asking if asks else None,
            asking_s=None if since is None else max((now - since).total_seconds(), 0.0),
            activity=line.text if line else "",
            phase=phases.get(task.id, ""),
        )
    return works


def _seconds(since: datetime, until: datetime, rests: Sequence[MissionRest]) -> float:
    return max((until - since).total_seconds() - seconds_of_rest(rests, since, until), 0.0)
