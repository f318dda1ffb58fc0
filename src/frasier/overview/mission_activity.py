"""The activity of a mission: a line for each thing that was read, found or written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from frasier.store import Tx
from frasier.work import ActivityLine, activity_of, latest_activity, newest_activity_of
from frasier.workflow import tasks_of


@dataclass(frozen=True, slots=True, kw_only=True)
class MissionActivity:
    """A line of a mission's activity, and the step or review that it is about. Ids grow."""

    id: int
    key: str
    phase: str
    text: str
    at: datetime


async def read_activity(tx: Tx, mission_id: UUID, *, after: int = 0) -> tuple[MissionActivity, ...]:
    """Read the lines with an id above `after`, oldest first. One with a smaller id may still be committed later."""
    names = {task.id: task.slug for task in await tasks_of(tx, mission_id)}
    return tuple(_line(line, names) for line in await activity_of(tx, list(names), after=after))


async def newest_lines(tx: Tx, mission_id: UUID, *, limit: int) -> tuple[MissionActivity, ...]:
    """Read the newest lines, the newest first."""
    names = {task.id: task.slug for task in await tasks_of(tx, mission_id)}
    return tuple(_line(line, names) for line in await newest_activity_of(tx, list(names), limit=limit))


def _line(line: ActivityLine, names: Mapping[UUID, str]) -> MissionActivity:
    return MissionActivity(id=line.id, key=names[line.task_id], phase=line.phase, text=line.text, at=line.at)


async def newest_activity(tx: Tx, mission_id: UUID) -> int:
    """Return the id of the newest line, 0 where there is none."""
    lines = await latest_activity(tx, [task.id for task in await tasks_of(tx, mission_id)])
    return max((line.id for line in lines.values()), default=0)
