"""A mission: how it goes, its graph and timeline, its steps, what the founder said about it, and what can be done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from frasier.interfaces.web.charts import meter
from frasier.interfaces.web.mission_graph import NODES_MAX, draw_graph
from frasier.interfaces.web.page import Action, ActionRequest, Done, Fragment, Page, PageContent, PageRequest
from frasier.interfaces.web.timeline_chart import draw_timeline
from frasier.kernel.humanize import duration
from frasier.org.planning import (
    FounderMessage,
    ask_mission,
    cancel_named,
    check_mission_shown,
    messages_about,
    mission_state,
    revise_mission,
    steer_mission,
)
from frasier.overview import (
    MissionActivity,
    MissionPage,
    MissionTimeline,
    StepProgress,
    newest_lines,
    read_mission,
    read_timeline,
)
from frasier.store import Tx

_REFRESH_S = 5.0
_LINES = 12
_MESSAGES = 10
_WHOLE = "whole"
_SECONDS_EXACT = 120
_ROUNDED_TO_S = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class MissionView:
    """Everything of the page, read in one transaction. `state` is what its commands are bound to."""

    page: MissionPage
    timeline: MissionTimeline
    lines: tuple[MissionActivity, ...]
    messages: tuple[FounderMessage, ...]
    state: str

    @property
    def steps(self) -> tuple[StepProgress, ...]:
        """The steps of the plan; before it, its planning."""
        steps = self.page.progress.steps
        return tuple(step for step in steps if step.level) or steps

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


async def read_view(tx: Tx, name: str) -> MissionView:
    """Read everything of the page of the mission `name`."""
    page = await read_mission(tx, name)
    mission_id = page.progress.mission_id
    return MissionView(
        page=page,
        timeline=await read_timeline(tx, mission_id),
        lines=await newest_lines(tx, mission_id, limit=_LINES),
        messages=tuple(await messages_about(tx, mission_id, limit=_MESSAGES)),
        state=await mission_state(tx, mission_id),
    )


async def _read(request: PageRequest) -> PageContent:
    view = await request.services.in_transaction(read_view, request.params["id"])
    progress = view.page.progress
    whole_graph = request.query.get("graph") == _WHOLE
    whole_timeline = request.query.get("timeline") == _WHOLE
    values: dict[str, Any] = {
        "view": view,
        "mission": view.page,
        "progress": progress,
        "so_far": so_far,
        "meter": meter,
        "graph": draw_graph(progress.steps, whole=whole_graph),
        "whole_graph": whole_graph,
    }
    drawn = {
        **values,
        "chart": draw_timeline(view.timeline, now=_to_now(view, request.now), whole=whole_timeline),
    }
    fragments = [
        Fragment(id=f"mission-{name}", template=f"mission/{name}.html", values=drawn)
        for name in ("head", "waiting", "graph", "talk", "actions", "activity", "timeline", "plan", "sources")
    ]
    rows = [
        Fragment(id=f"step-{step.key}", template="mission/step_row.html", values={**values, "step": step})
        for step in view.steps
    ]
    parts = step_parts(view.steps)
    steps = Fragment(
        id="mission-steps",
        template="mission/steps.html",
        values={"parts": parts, "fragments": {row.id: row for row in rows}},
        signature=parts,
    )
    return PageContent(
        title=progress.title,
        fragments=(*fragments, steps, *rows),
        values=values,
        refresh_s=None if progress.over else _REFRESH_S,
    )


def step_parts(steps: Sequence[StepProgress]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the keys of the steps in the order of the work; of many, those that are done or still wait apart.

    Each part has its name; the first has none.
    """
    if len(steps) <= NODES_MAX:
        return (("", tuple(step.key for step in steps)),)
    names = {"completed": "done", "pending": "to come"}
    parts: dict[str, list[str]] = {"": [], "to come": [], "done": []}
    for step in steps:
        parts[names.get(step.status, "")].append(step.key)
    return tuple((name, tuple(keys)) for name, keys in parts.items() if keys)


def so_far(step: StepProgress) -> str:
    """Return how long a step took; while it goes on in steps of ten seconds, so that the page changes seldom."""
    seconds = step.work.seconds
    if seconds is None:
        return ""
    if step.status in {"active", "in_review", "blocked"} and seconds < _SECONDS_EXACT:
        seconds = seconds // _ROUNDED_TO_S * _ROUNDED_TO_S
        return f"{seconds:.0f} s" if seconds else "just begun"
    return duration(seconds)


def _to_now(view: MissionView, now: datetime) -> datetime:
    """Return the end of the timeline, in steps of ten seconds while something goes on."""
    started = view.timeline.started_at
    if view.timeline.ended_at or started is None:
        return view.timeline.ended_at or now
    return (
        now.replace(second=now.second // _ROUNDED_TO_S * _ROUNDED_TO_S, microsecond=0)
        if ((now - started).total_seconds() > _SECONDS_EXACT)
        else now
    )


async def _steer(request: ActionRequest) -> Done:
    """Have what is not done yet changed."""
    await request.services.in_transaction(
        _steer_shown,
        request.params["id"],
        request.form.text("text"),
        request.form.text("shown"),
        _rehearses(request),
    )
    return Done(text="Heard. The steps that are not done are reviewed; the answer says what was changed.")


async def _steer_shown(tx: Tx, name: str, text: str, shown: str, rehearsal: bool) -> FounderMessage:
    await check_mission_shown(tx, name, shown)
    return await steer_mission(tx, name, text, rehearsal=rehearsal)


async def _revise(request: ActionRequest) -> Done:
    """Have a new version of the result made."""
    await request.services.in_transaction(
        _revise_shown,
        request.params["id"],
        request.form.text("text"),
        request.form.text("shown"),
        _rehearses(request),
    )
    return Done(text="Heard. A new version is made; the one before it is kept.")


async def _revise_shown(tx: Tx, name: str, text: str, shown: str, rehearsal: bool) -> FounderMessage:
    await check_mission_shown(tx, name, shown)
    return await revise_mission(tx, name, text, rehearsal=rehearsal)


async def _ask(request: ActionRequest) -> Done:
    """Ask about the mission."""
    await request.services.in_transaction(
        ask_mission, request.params["id"], request.form.text("text"), rehearsal=_rehearses(request)
    )
    return Done(text="Heard. The evidence of the mission is read; the answer appears here.")


async def _cancel(request: ActionRequest) -> Done:
    await request.services.in_transaction(
        _cancel_shown, request.params["id"], request.form.text("note"), request.form.text("shown")
    )
    return Done(text="The mission is cancelled; what it made is kept.")


async def _cancel_shown(tx: Tx, name: str, note: str, shown: str) -> None:
    await check_mission_shown(tx, name, shown)
    await cancel_named(tx, name, reason=note)


def _rehearses(request: ActionRequest) -> bool:
    return request.services.setup.rehearsal


PAGES = (Page(path="/missions/{id}", section="Missions", template="mission/page.html", read=_read),)
ACTIONS = (
    Action(path="/missions/{id}/steer", act=_steer),
    Action(path="/missions/{id}/revise", act=_revise),
    Action(path="/missions/{id}/ask", act=_ask),
    Action(path="/missions/{id}/cancel", act=_cancel),
)
