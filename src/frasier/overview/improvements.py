"""Improvement proposals: the change, the figures behind it, the decision, and what was measured afterwards."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from frasier.kernel.copy_fields import copy_fields
from frasier.kernel.humanize import plural
from frasier.org.governance import (
    Improvement,
    ImprovementKind,
    ImprovementState,
    figures_named,
    find_improvement,
    improvements_of_task,
    list_improvements,
)
from frasier.store import Event, Tx, events_of
from frasier.workflow import get_task


@dataclass(frozen=True, slots=True, kw_only=True)
class ImprovementFigure:
    """A figure that an improvement rests on: its value in the mission that it was read from."""

    name: str
    value: float
    mission: UUID
    mission_title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ImprovementSummary:
    """An improvement as a line. `decided_by` is empty while it waits."""

    proposal: UUID
    kind: ImprovementKind
    target: str
    title: str
    state: ImprovementState
    reason: str
    decided_by: str
    decided_at: datetime | None
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredFigure:
    """A figure before and after an improvement: means over `n_before` cited and `n_after` later missions. With fewer
    than eight of each, they say little.
    """

    name: str
    before: float
    n_before: int
    after: float | None
    n_after: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ImprovementAct:
    """An entry of a proposal's log, which is only added to: proposed, decided or measured."""

    at: datetime
    act: str
    by: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ImprovementPage:
    """An improvement with its figures, what was measured after it was accepted, and its log."""

    summary: ImprovementSummary
    change: str
    rules: dict[str, bool | int | float]
    why: str
    effect: str
    figures: tuple[ImprovementFigure, ...]
    measured: tuple[MeasuredFigure, ...]
    log: tuple[ImprovementAct, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingState:
    """A reading of post-mortems: the state of its task, what came of it in a line, and what it proposed."""

    task: UUID
    state: str
    goes_on: bool
    note: str
    proposals: tuple[ImprovementSummary, ...]


async def read_reading(tx: Tx, task_id: UUID) -> ReadingState:
    """Read how far the reading of a task is."""
    task = await get_task(tx, task_id)
    return ReadingState(
        task=task_id,
        state=task.status,
        goes_on=task.status in {"pending", "active"},
        note=plural(len(found := await improvements_of_task(tx, task_id)), "proposal"),
        proposals=tuple(map(_summary, found)),
    )


async def read_improvements(tx: Tx, *, state: str = "", limit: int = 50) -> tuple[ImprovementSummary, ...]:
    """Read the newest improvements, those in one state if it is named."""
    wanted = ImprovementState(state) if state else None
    return tuple(_summary(one) for one in await list_improvements(tx, state=wanted, limit=limit))


async def read_improvement(tx: Tx, name: str) -> ImprovementPage:
    """Read one improvement; raise NotFound."""
    improvement = await find_improvement(tx, name)
    events = await events_of(tx, improvement.id)
    return ImprovementPage(
        summary=_summary(improvement),
        change=improvement.change,
        rules=dict(improvement.rules),
        why=improvement.why,
        effect=improvement.effect,
        figures=tuple(
            ImprovementFigure(name=one.name, value=one.value, mission=one.mission, mission_title=one.title)
            for one in improvement.figures
        ),
        measured=_measured(improvement, events),
        log=tuple(map(_act, events)),
    )


def _summary(improvement: Improvement) -> ImprovementSummary:
    return copy_fields(ImprovementSummary, improvement, proposal=improvement.id)


def _measured(improvement: Improvement, events: list[Event]) -> tuple[MeasuredFigure, ...]:
    if improvement.state is not ImprovementState.ACCEPTED:
        return ()
    later = [event.payload["figures"] for event in events if event.kind == "improvement.measured"]
    measured = []
    for name in figures_named(improvement):
        before = [one.value for one in improvement.figures if one.name == name]
        after = [figures[name] for figures in later if name in figures]
        measured.append(
            MeasuredFigure(
                name=name,
                before=sum(before) / len(before),
                n_before=len(before),
                after=sum(after) / len(after) if after else None,
                n_after=len(after),
            )
        )
    return tuple(measured)


def _act(event: Event) -> ImprovementAct:
    payload: dict[str, Any] = dict(event.payload)
    match event.kind:
        case "improvement.proposed":
            text = payload["why"]
        case "improvement.decided":
            text = ". ".join(part for part in (payload["reason"], payload.get("effect", "")) if part)
            text = f"{payload['state']}: {text}" if text else payload["state"]
        case _:
            figures = ", ".join(f"{name} = {value:g}" for name, value in payload["figures"].items())
            text = f"{payload['mission_title']}: {figures}"
    return ImprovementAct(at=event.at, act=event.kind.split(".")[1], by=event.actor, text=text)
