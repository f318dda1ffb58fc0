"""One mission with everything that is known of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from frasier.board import blocked_tasks
from frasier.llm import spend_of_mission
from frasier.org.governance import open_questions
from frasier.org.missions import PlanOrigin, PlanState, find_mission, plans_of
from frasier.overview.hires import HireView, read_hires
from frasier.overview.mission_progress import MissionProgress, read_progress
from frasier.overview.questions import WaitingQuestion, waiting_questions
from frasier.overview.waiting import PausedTask, UnsettledEffect, effect_of, pause_of
from frasier.store import Tx, effects_of
from frasier.work import OmittedRule, rules_left_out, sources_of
from frasier.workflow import tasks_of


@dataclass(frozen=True, slots=True, kw_only=True)
class MissionSource:
    """A source of a mission under the number by which its deliverables cite it."""

    number: int
    kind: str
    title: str
    uri: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanVersion:
    """A version of a mission's plan, and what was wrong with one that was refused."""

    version: int
    accepted: bool
    state: PlanState
    origin: PlanOrigin
    issues: list[str]
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class MissionPage:
    """A mission with its progress, and what else is known of it. `rules_left_out` is known while it runs, too.

    `hires` are the colleagues whom it asked for, or whose persona it had to wait for.
    """

    progress: MissionProgress
    directive: str
    destination: str
    web_search: bool
    created_at: datetime
    completed_at: datetime | None
    delivered_at: datetime | None
    budget_usd: float | None
    reserved_usd: float
    tokens: int
    sources: tuple[MissionSource, ...]
    plans: tuple[PlanVersion, ...]
    hires: tuple[HireView, ...]
    questions: tuple[WaitingQuestion, ...]
    blocked: tuple[PausedTask, ...]
    effects: tuple[UnsettledEffect, ...]
    rules_left_out: tuple[OmittedRule, ...]


async def read_mission(tx: Tx, name: str) -> MissionPage:
    """Read the mission that `name` is the id of, a part of it, or "last". Raises NotFound and InvalidInput."""
    mission = await find_mission(tx, name)
    spend = await spend_of_mission(tx, mission.id)
    return MissionPage(
        progress=await read_progress(tx, mission.id),
        directive=mission.directive,
        destination=mission.destination,
        web_search=mission.web_search,
        created_at=mission.created_at,
        completed_at=mission.completed_at,
        delivered_at=mission.delivered_at,
        budget_usd=spend.budget_usd,
        reserved_usd=spend.reserved_usd_micros / 1_000_000,
        tokens=spend.tokens,
        sources=tuple(
            MissionSource(number=source.number, kind=source.kind, title=source.name, uri=source.uri)
            for source in await sources_of(tx, mission.id)
        ),
        plans=tuple(
            PlanVersion(
                version=plan.version,
                accepted=plan.state is PlanState.ACCEPTED,
                state=plan.state,
                origin=plan.origin,
                issues=plan.issues,
                created_at=plan.created_at,
            )
            for plan in await plans_of(tx, mission.id)
        ),
        hires=await read_hires(tx, mission=mission.id),
        questions=waiting_questions(q for q in await open_questions(tx) if q.mission_id == mission.id),
        blocked=tuple(pause_of(blocked) for blocked in await blocked_tasks(tx, mission.id)),
        effects=tuple(effect_of(effect) for effect in await effects_of(tx, mission.id)),
        rules_left_out=tuple(await rules_left_out(tx, await tasks_of(tx, mission.id))),
    )
