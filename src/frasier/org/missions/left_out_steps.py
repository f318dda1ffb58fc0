"""Steps that were left out of a mission: who would have built on them is told what is missing, and so are readers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from frasier.kernel.humanize import ended
from frasier.kernel.text import shorten
from frasier.org.missions.steps import MissionStep
from frasier.store import Statements, Tx, append_event
from frasier.workflow import Actor

_sql = Statements("frasier.org.missions")

_REASON_CHARS = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOutStep:
    """A step that was left out, and the tasks of those that would have built on it."""

    task_id: UUID
    mission_id: UUID
    key: str
    title: str
    reason: str
    dependants: list[UUID]

    @property
    def sentence(self) -> str:
        return f"{self.title} was left out: {ended(self.reason)}"


async def record_left_out(
    tx: Tx, step: MissionStep, *, reason: str, dependants: Sequence[UUID], actor: Actor
) -> None:
    """Record that a step was left out."""
    why = shorten(reason, _REASON_CHARS)
    await _sql.run(
        tx,
        "insert_left_out",
        task_id=step.task_id,
        mission_id=step.mission_id,
        reason=why,
        dependants=list(dependants),
    )
    await append_event(
        tx,
        stream=step.mission_id,
        kind="step.left_out",
        actor=str(actor),
        payload={"step": step.key, "title": step.title, "reason": why},
    )


async def left_out_of(tx: Tx, mission_id: UUID) -> list[LeftOutStep]:
    """Return the steps of a mission that were left out, oldest first."""
    return await _sql.all_as(LeftOutStep, tx, "left_out_of", mission_id=mission_id)


async def missing_for(tx: Tx, step: MissionStep) -> tuple[str, ...]:
    """Return what a step would have built on and was left out, a sentence each."""
    return tuple(
        one.sentence for one in await left_out_of(tx, step.mission_id) if step.task_id in one.dependants
    )


def dependants_of(key: str, needs: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the keys of the steps that build on a step, directly or through others."""
    below: dict[str, None] = {}
    waiting = [key]
    while waiting:
        current = waiting.pop()
        for other, needed in needs.items():
            if current in needed and other not in below:
                below[other] = None
                waiting.append(other)
    return list(below)
