"""A step: its versions and their differences, its statements with verdicts, its reviews, what it cost, its events."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from frasier.interfaces.web.page import Action, ActionRequest, Done, Fragment, Page, PageContent, PageRequest
from frasier.interfaces.web.version_diff import DiffPiece, diff_versions
from frasier.kernel.errors import InvalidInput, NotFound
from frasier.llm import CarryingPassage
from frasier.org.planning import Decided, StepJudged, approve_named, reject_named
from frasier.overview import StepPage, StepVersion, VersionText, read_step, read_version
from frasier.store import Event, Tx, events_of
from frasier.work import sources_of

_REFRESH_S = 5.0
_EVENTS = 60
_NOBODY = " Nobody is at work: `frasier up` goes on with it."


@dataclass(frozen=True, slots=True, kw_only=True)
class StepView:
    """Everything of the page: the step, the version shown with its text, the one before it, and the events."""

    step: StepPage
    shown: StepVersion | None
    text: VersionText | None
    before: VersionText | None
    titles: Mapping[int, str]
    events: tuple[Event, ...]

    @property
    def passages(self) -> Mapping[int, tuple[CarryingPassage, ...]]:
        """The passages that the statements of the version rest on, by the number of their source."""
        found: dict[int, dict[str, CarryingPassage]] = {}
        for statement in self.shown.verification.statements if self.shown else ():
            for passage in statement.passages:
                if passage.number in statement.cited:
                    found.setdefault(passage.number, {})[passage.text] = passage
        return {number: tuple(texts.values()) for number, texts in sorted(found.items())}

    @property
    def awaits_verdict(self) -> bool:
        """Whether the founder may judge the version shown now."""
        waits = self.step.status == "in_review" or bool(
            self.step.block and self.step.block.was == "in_review"
        )
        return waits and self.shown is not None and self.shown is self.step.versions[-1]


async def read_view(tx: Tx, name: str, *, version: str, against: str) -> StepView:
    """Read a step with one of its versions, the newest by default, and another to compare it with."""
    step = await read_step(tx, name)
    shown = _version(step, version) or (step.versions[-1] if step.versions else None)
    earlier = _version(step, against)
    if earlier is None and shown is not None and shown.version > 1:
        earlier = _version(step, str(shown.version - 1))
    return StepView(
        step=step,
        shown=shown,
        text=await read_version(tx, name, shown.version) if shown else None,
        before=await read_version(tx, name, earlier.version) if earlier and earlier is not shown else None,
        titles={source.number: source.title for source in await sources_of(tx, step.mission)},
        events=tuple(reversed((await events_of(tx, step.step))[-_EVENTS:])),
    )


def _version(step: StepPage, number: str) -> StepVersion | None:
    if not number:
        return None
    if not number.isdecimal():
        raise InvalidInput(f"A version is a number, not {number[:20]!r}.", kept="Nothing was changed.")
    for one in step.versions:
        if one.version == int(number):
            return one
    raise NotFound(f"The step {step.key} has no version {int(number)}.")


async def _read(request: PageRequest) -> PageContent:
    view = await request.services.in_transaction(
        read_view,
        _name(request.params),
        version=request.query.get("version", ""),
        against=request.query.get("against", ""),
    )
    pieces: tuple[DiffPiece, ...] = ()
    if view.before and view.text:
        pieces = await asyncio.to_thread(diff_versions, view.before.text, view.text.text)
    values: dict[str, Any] = {
        "view": view,
        "step": view.step,
        "shown": view.shown,
        "pieces": pieces,
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


def _name(params: Mapping[str, str]) -> str:
    return f"{params['id']}/{params['key']}"


async def _approve(request: ActionRequest) -> Done:
    """Approve the version that was shown."""
    form = request.form
    judged = await request.services.in_transaction(
        approve_named, _name(request.params), digest=form.text("shown"), note=form.text("note")
    )
    return Done(text=_sentence(judged))


async def _reject(request: ActionRequest) -> Done:
    """Send the version that was shown back to its author."""
    form = request.form
    judged = await request.services.in_transaction(
        reject_named, _name(request.params), digest=form.text("shown"), reason=form.text("note")
    )
    return Done(text=_sentence(judged))


def _sentence(judged: Decided | StepJudged) -> str:
    return judged.done + (_NOBODY if judged.unattended else "")


PAGES = (Page(path="/missions/{id}/steps/{key}", section="Missions", template="step/page.html", read=_read),)
ACTIONS = (
    Action(path="/missions/{id}/steps/{key}/approve", act=_approve),
    Action(path="/missions/{id}/steps/{key}/reject", act=_reject),
)
