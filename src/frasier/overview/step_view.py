"""A step with the texts of two of its versions, what its statements rest on, and its events."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from frasier.kernel.errors import NotFound
from frasier.llm import CarryingPassage
from frasier.org.missions import Deliverable, Mission, deliverables_of, get_mission
from frasier.overview.steps import StepPage, StepVersion, read_step
from frasier.store import Event, Tx, events_of
from frasier.work import Source, sources_of

_EVENTS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class StepView:
    """A step as its page shows it: with one of its versions, another to compare it with, and its newest events.

    `made` is the version shown with its text, `before` the other one.
    """

    step: StepPage
    mission: Mission
    shown: StepVersion | None
    made: Deliverable | None
    before: Deliverable | None
    sources: tuple[Source, ...]
    events: tuple[Event, ...]

    @property
    def titles(self) -> Mapping[int, str]:
        """The titles of the sources of its mission by their numbers."""
        return {source.number: source.name for source in self.sources}

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


async def read_step_view(
    tx: Tx, name: str, *, version: int | None = None, against: int | None = None
) -> StepView:
    """Read a step with one of its versions, the newest by default, and another to compare it with."""
    step = await read_step(tx, name)
    shown = _version(step, version) or (step.versions[-1] if step.versions else None)
    earlier = _version(step, against)
    if earlier is None and shown is not None and shown.version > 1:
        earlier = _version(step, shown.version - 1)
    made = {one.version: one for one in await deliverables_of(tx, [step.step])}
    return StepView(
        step=step,
        mission=await get_mission(tx, step.mission),
        shown=shown,
        made=made[shown.version] if shown else None,
        before=made[earlier.version] if earlier and earlier is not shown else None,
        sources=tuple(await sources_of(tx, step.mission)),
        events=tuple(reversed((await events_of(tx, step.step))[-_EVENTS:])),
    )


def _version(step: StepPage, number: int | None) -> StepVersion | None:
    if number is None:
        return None
    for one in step.versions:
        if one.version == number:
            return one
    raise NotFound(f"The step {step.key} has no version {number}.")
