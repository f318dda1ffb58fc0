"""A step: its versions and their differences, its statements with verdicts, its reviews, what it cost, its events."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from frasier.interfaces.deliverable_rendering import ENGLISH, read_version_text
from frasier.interfaces.web.page import (
    ActionRequest,
    ActionResult,
    FormAction,
    Fragment,
    PageContent,
    PageRequest,
    PageRoute,
)
from frasier.interfaces.web.pages.deliverable import ReadText, render_text
from frasier.interfaces.web.version_diff import BlockKind, DiffRun, diff_versions
from frasier.kernel.errors import InvalidInput
from frasier.org.execution import Decided, StepJudged, approve_named, reject_named
from frasier.overview import StepView, read_step_view

_REFRESH_S = 5.0
_NOBODY = " Nobody is at work: `frasier up` goes on with it."


async def _read(request: PageRequest) -> PageContent:
    view = await request.services.in_transaction(
        read_step_view,
        _name(request.params),
        version=_number(request.query, "version"),
        against=_number(request.query, "against"),
    )
    read, runs = await asyncio.to_thread(_texts, view)
    values: dict[str, Any] = {
        "view": view,
        "step": view.step,
        "shown": view.shown,
        "read": read,
        "runs": runs,
        "changes": any(one.kind is not BlockKind.SAME for run in runs for one in run.blocks),
        "beside": request.query.get("view") == "beside",
    }
    names = ("head", "verdict", "versions", "statements", "reviews", "calls", "events")
    ended = view.step.status in {"completed", "failed", "cancelled"}
    return PageContent(
        title=view.step.title,
        fragments=tuple(
            Fragment(id=f"step-{name}", template=f"step/{name}.html", values=values) for name in names
        ),
        values=values,
        refresh_s=None if ended else _REFRESH_S,
    )


def _texts(view: StepView) -> tuple[ReadText | None, tuple[DiffRun, ...]]:
    """Render the version shown, and what changed since the other one."""
    if view.made is None:
        return None, ()
    text = read_version_text(view.mission, view.sources, view.made, ENGLISH)
    if view.before is None:
        return render_text(text), ()
    before = read_version_text(view.mission, view.sources, view.before, ENGLISH)
    return render_text(text), diff_versions(before.markdown, text.markdown)


def _number(query: Mapping[str, str], name: str) -> int | None:
    """Return the number of a version in the address; None where there is none."""
    text = query.get(name, "")
    if text and not text.isdecimal():
        raise InvalidInput(f"A version is a number, not {text[:20]!r}.", kept="Nothing was changed.")
    return int(text) if text else None


def _name(params: Mapping[str, str]) -> str:
    return f"{params['id']}/{params['key']}"


async def _approve(request: ActionRequest) -> ActionResult:
    """Approve the version that was shown."""
    form = request.form
    judged = await request.services.in_transaction(
        approve_named, _name(request.params), digest=form.text("shown"), note=form.text("note")
    )
    return ActionResult(text=_sentence(judged))


async def _reject(request: ActionRequest) -> ActionResult:
    """Send the version that was shown back to its author."""
    form = request.form
    judged = await request.services.in_transaction(
        reject_named, _name(request.params), digest=form.text("shown"), reason=form.text("note")
    )
    return ActionResult(text=_sentence(judged))


def _sentence(judged: Decided | StepJudged) -> str:
    return judged.done + (_NOBODY if judged.unattended else "")


PAGES = (
    PageRoute(path="/missions/{id}/steps/{key}", section="Missions", template="step/page.html", read=_read),
)
ACTIONS = (
    FormAction(path="/missions/{id}/steps/{key}/approve", act=_approve),
    FormAction(path="/missions/{id}/steps/{key}/reject", act=_reject),
)
