"""A mission with everything that its page shows: also its timeline, its newest lines, and what was said about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from frasier.org.conversation import FounderMessage, messages_about
from frasier.org.missions import mission_state
from frasier.overview.evaluations import MissionEvaluations, read_evaluations
from frasier.overview.mission_activity import MissionActivity, newest_lines
from frasier.overview.mission_page import MissionPage, read_mission
from frasier.overview.mission_progress import StepProgress
from frasier.overview.mission_timeline import MissionTimeline, read_timeline
from frasier.store import Tx


@dataclass(frozen=True, slots=True, kw_only=True)
class MissionView:
    """A mission as its page shows it. `state` is what commands on it are bound to."""

    page: MissionPage
    timeline: MissionTimeline
    lines: tuple[MissionActivity, ...]
    messages: tuple[FounderMessage, ...]
    state: str
    evaluations: MissionEvaluations

    @property
    def steps(self) -> tuple[StepProgress, ...]:
        """The steps of the plan; before it, its planning."""
        steps = self.page.progress.steps
        return tuple(step for step in steps if step.level) or steps

    @property
    def planned(self) -> tuple[StepProgress, ...]:
        """The steps of the plan, without what is done beside them."""
        return tuple(step for step in self.steps if step.planned)

    @property
    def counts(self) -> Mapping[str, int]:
        return Counter(step.status for step in self.steps)

    @property
    def final(self) -> StepProgress | None:
        return next((step for step in self.steps if step.kind), None)

    @property
    def has_result(self) -> bool:
        return self.final is not None and self.final.version > 0

    @property
    def checked(self) -> tuple[int, int]:
        """The statements that are verified, and all: of the result, before there is one of what it builds on."""
        final = self.final
        texts = [final] if final and final.verification else self.steps
        found = [step.verification for step in texts if step.verification]
        return sum(one.verified for one in found), sum(one.total for one in found)


async def read_mission_view(tx: Tx, name: str, *, lines: int, messages: int) -> MissionView:
    """Read the mission `name` with so many of its newest lines and messages."""
    page = await read_mission(tx, name)
    mission_id = page.progress.mission_id
    return MissionView(
        page=page,
        timeline=await read_timeline(tx, mission_id),
        lines=await newest_lines(tx, mission_id, limit=lines),
        messages=tuple(await messages_about(tx, mission_id, limit=messages)),
        state=await mission_state(tx, mission_id),
        evaluations=await read_evaluations(tx, str(mission_id)),
    )
