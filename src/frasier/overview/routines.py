"""Team routines: who said what, what it cost, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from frasier.kernel.copy_fields import copy_fields
from frasier.llm import spend_of_tasks
from frasier.org.governance import Routine, find_routine, list_routines, turns_of
from frasier.org.missions import find_mission, titles_of
from frasier.org.people import roster
from frasier.store import Tx
from frasier.workflow import get_task


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutineSummary:
    """A routine. `state` is that of its task; `outcome` is empty until it has ended, and "none" where it came to
    nothing, for the reason in `result`. `effect` is what became of the outcome.
    """

    routine: UUID
    kind: str
    subject: str
    state: str
    mission: UUID | None
    mission_title: str | None
    team: str
    created_at: datetime
    ended_at: datetime | None
    cost_usd: float
    cap_usd: float | None
    outcome: str
    result: str
    effect: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SpokenLine:
    """The words of a colleague in a routine."""

    key: str
    name: str
    title: str
    said: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutinePage:
    """A routine with its transcript."""

    routine: RoutineSummary
    transcript: tuple[SpokenLine, ...]


async def read_routines(tx: Tx, *, mission: str = "", limit: int = 50) -> tuple[RoutineSummary, ...]:
    """Read the newest routines, of one mission if it is named."""
    mission_id = (await find_mission(tx, mission)).id if mission else None
    return await _summaries(tx, await list_routines(tx, mission_id=mission_id, limit=limit))


async def read_routine(tx: Tx, name: str) -> RoutinePage:
    """Read one routine with its transcript; raise NotFound."""
    routine = await find_routine(tx, name)
    (summary,) = await _summaries(tx, [routine])
    people = {agent.id: agent for agent in await roster(tx, active_only=False)}
    return RoutinePage(
        routine=summary,
        transcript=tuple(
            SpokenLine(
                key=people[turn.agent_id].key,
                name=people[turn.agent_id].name,
                title=people[turn.agent_id].title,
                said=turn.said,
                at=turn.at,
            )
            for turn in await turns_of(tx, routine.task_id)
        ),
    )


async def _summaries(tx: Tx, routines: list[Routine]) -> tuple[RoutineSummary, ...]:
    spent = await spend_of_tasks(tx, [routine.task_id for routine in routines])
    titles = await titles_of(tx, {routine.mission_id for routine in routines if routine.mission_id})
    return tuple(
        [
            copy_fields(
                RoutineSummary,
                routine,
                routine=routine.task_id,
                state=(await get_task(tx, routine.task_id)).status,
                mission=routine.mission_id,
                mission_title=titles.get(routine.mission_id) if routine.mission_id else None,
                cost_usd=spent.get(routine.task_id, 0) / 1_000_000,
                cap_usd=None if routine.cap_usd_micros is None else routine.cap_usd_micros / 1_000_000,
                outcome=str(routine.outcome or ""),
            )
            for routine in routines
        ]
    )
