"""A mission: how it goes, its graph and timeline, its steps, what the founder said about it, and what can be done."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from frasier.interfaces.deliverable_rendering import in_own_language
from frasier.interfaces.web.charts import meter
from frasier.interfaces.web.mission_graph import NODES_MAX, draw_graph
from frasier.interfaces.web.page import (
    ActionRequest,
    ActionResult,
    FormAction,
    Fragment,
    PageContent,
    PageRequest,
    PageRoute,
)
from frasier.interfaces.web.timeline_chart import draw_timeline
from frasier.kernel.humanize import duration
from frasier.org.execution import ask_mission, cancel_named, revise_mission, steer_mission
from frasier.overview import MissionView, StepProgress, read_mission_view

_FRAGMENTS = (
    *("head", "waiting", "graph", "talk", "actions", "activity"),
    *("timeline", "evaluations", "plan", "sources"),
)
_REFRESH_S = 5.0
_LINES = 12
_MESSAGES = 10
_WHOLE = "whole"
_SECONDS_EXACT = 120
_ROUNDED_TO_S = 10


async def _read(request: PageRequest) -> PageContent:
    view = await request.services.in_transaction(
        read_mission_view, request.params["id"], lines=_LINES, messages=_MESSAGES
    )
    progress = view.page.progress
    whole_graph = request.query.get("graph") == _WHOLE
    whole_timeline = request.query.get("timeline") == _WHOLE
    values: dict[str, Any] = {
        "view": view,
        "messages": tuple(map(in_own_language, view.messages)),
        "mission": view.page,
        "evaluations": view.evaluations,
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
        Fragment(id=f"mission-{name}", template=f"mission/{name}.html", values=drawn) for name in _FRAGMENTS
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
    if step.status in {"active", "lost", "in_review", "blocked"} and seconds < _SECONDS_EXACT:
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


async def _steer(request: ActionRequest) -> ActionResult:
    """Have what is not done yet changed."""
    form = request.form
    await request.services.in_transaction(
        steer_mission,
        request.params["id"],
        form.text("text"),
        rehearsal=_rehearses(request),
        state=form.text("shown"),
    )
    return ActionResult(
        text="Heard. The steps that are not done are reviewed; the answer says what was changed."
    )


async def _revise(request: ActionRequest) -> ActionResult:
    """Have a new version of the result made."""
    form = request.form
    await request.services.in_transaction(
        revise_mission,
        request.params["id"],
        form.text("text"),
        rehearsal=_rehearses(request),
        state=form.text("shown"),
    )
    return ActionResult(text="Heard. A new version is made; the one before it is kept.")


async def _ask(request: ActionRequest) -> ActionResult:
    """Ask about the mission."""
    await request.services.in_transaction(
        ask_mission, request.params["id"], request.form.text("text"), rehearsal=_rehearses(request)
    )
    return ActionResult(text="Heard. The evidence of the mission is read; the answer appears here.")


async def _cancel(request: ActionRequest) -> ActionResult:
    form = request.form
    await request.services.in_transaction(
        cancel_named, request.params["id"], reason=form.text("note"), state=form.text("shown")
    )
    return ActionResult(text="The mission is cancelled; what it made is kept.")


def _rehearses(request: ActionRequest) -> bool:
    return request.services.setup.rehearsal


PAGES = (PageRoute(path="/missions/{id}", section="Missions", template="mission/page.html", read=_read),)
ACTIONS = (
    FormAction(path="/missions/{id}/steer", act=_steer),
    FormAction(path="/missions/{id}/revise", act=_revise),
    FormAction(path="/missions/{id}/ask", act=_ask),
    FormAction(path="/missions/{id}/cancel", act=_cancel),
)
