"""Improvement proposals: what is proposed from the figures of post-mortems, and what the founder decided about it.

The log of a proposal are the events of its stream, which nobody can change: proposed, decided, and what was measured.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from psycopg.rows import DictRow
from psycopg.types.json import Jsonb
from pydantic import TypeAdapter

from frasier.kernel.advice import Advice
from frasier.kernel.errors import NotFound
from frasier.kernel.ids import new_id, parse_id
from frasier.store import Statements, Tx, append_event, find_row, parameters_of
from frasier.workflow import SYSTEM, Actor

_sql = Statements("frasier.org.governance")


class ImprovementKind(StrEnum):
    """The kind of thing that an improvement changes."""

    PERSONA = "persona"
    SKILL = "skill"
    PROMPT = "prompt"
    POLICY = "policy"


class ImprovementState(StrEnum):
    """Whether an improvement waits for the founder. One that the rules refused was never shown to them as a choice."""

    PROPOSED = "proposed"
    ACCEPTED = "accepted"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedFigure:
    """A figure of a post-mortem that an improvement rests on."""

    mission: UUID
    title: str
    name: str
    value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class NewImprovement:
    """An improvement as it is proposed. `target` names the agent, skill, prompt or policy, `rules` are those of a
    policy that change; with a `refusal` it is refused by the rules at once.
    """

    kind: ImprovementKind
    target: str
    title: str
    change: str
    rules: Mapping[str, Any]
    why: str
    figures: tuple[CitedFigure, ...]
    refusal: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Improvement:
    """A stored improvement. `reason` is that of the decision, `effect` what became of it when it was accepted."""

    id: UUID
    task_id: UUID
    number: int
    kind: ImprovementKind
    target: str
    title: str
    change: str
    rules: Mapping[str, Any]
    why: str
    figures: tuple[CitedFigure, ...]
    state: ImprovementState
    reason: str
    decided_by: str
    decided_at: datetime | None
    effect: str
    created_at: datetime


_FIGURES = TypeAdapter(tuple[CitedFigure, ...])
_IMPROVEMENT = TypeAdapter(Improvement)


async def add_improvement(tx: Tx, task_id: UUID, number: int, new: NewImprovement) -> Improvement:
    """Store an improvement of a task, with its first event."""
    row = await _sql.one(
        tx,
        "insert_improvement",
        id=new_id(),
        task_id=task_id,
        number=number,
        actor=str(SYSTEM),
        **parameters_of(new)
        | {
            "rules": Jsonb(dict(new.rules)),
            "figures": Jsonb(_FIGURES.dump_python(new.figures, mode="json")),
        },
    )
    stored = _improvement(row)
    await _note(tx, stored, "improvement.proposed", SYSTEM, {"why": stored.why})
    if new.refusal:
        await _note(tx, stored, "improvement.decided", SYSTEM, {"state": "refused", "reason": new.refusal})
    return stored


async def decide_about_improvement(
    tx: Tx, improvement: Improvement, state: ImprovementState, *, actor: Actor, reason: str, effect: str = ""
) -> Improvement:
    """Store the decision about an improvement that waits for one, and note it."""
    row = await _sql.one(
        tx,
        "decide_improvement",
        id=improvement.id,
        state=state,
        reason=reason,
        effect=effect,
        actor=str(actor),
    )
    decided = _improvement(row)
    await _note(
        tx,
        decided,
        "improvement.decided",
        actor,
        {"state": str(state), "reason": reason, "effect": effect},
    )
    return decided


async def note_measured(
    tx: Tx, improvement: Improvement, *, mission: UUID, title: str, figures: Mapping[str, float]
) -> bool:
    """Note, once for each mission, the figures of one that ended after the decision. Returns whether it was noted."""
    is_new = await _sql.run(tx, "insert_measurement", improvement_id=improvement.id, mission_id=mission)
    if is_new:
        measured = {"mission": str(mission), "mission_title": title, "figures": dict(figures)}
        await _note(tx, improvement, "improvement.measured", SYSTEM, measured)
    return bool(is_new)


async def get_improvement(tx: Tx, improvement_id: UUID, *, lock: bool = False) -> Improvement:
    """Return an improvement, with `lock` until the transaction ends; raise NotFound."""
    row = await _sql.maybe(tx, "lock_improvement" if lock else "get_improvement", id=improvement_id)
    if row is None:
        raise NotFound(
            f"There is no proposal {improvement_id}.",
            advice=Advice("proposal.list", to="see those that there are"),
        )
    return _improvement(row)


async def find_improvement(tx: Tx, text: str, *, lock: bool = False) -> Improvement:
    """Find an improvement by its id, or a unique end or beginning of it; "last" means the newest."""
    if (exact := parse_id(text)) is not None:
        return await get_improvement(tx, exact, lock=lock)
    row = await find_row(
        tx,
        _sql,
        "improvements_like",
        text,
        what="proposals",
        label=lambda row: f"{row['id']} ({row['title']})",
    )
    if row is None:
        raise NotFound(
            f"There is no proposal {text[:60]!r}.",
            advice=Advice("proposal.list", to="see those that there are"),
        )
    return await get_improvement(tx, row["id"], lock=lock)


async def list_improvements(
    tx: Tx, *, state: ImprovementState | None = None, limit: int = 50
) -> list[Improvement]:
    """Return the newest improvements, those in one state or all."""
    return [_improvement(row) for row in await _sql.all(tx, "list_improvements", state=state, limit=limit)]


async def improvements_of_task(tx: Tx, task_id: UUID) -> list[Improvement]:
    """Return what a task proposed, in its order."""
    return [_improvement(row) for row in await _sql.all(tx, "improvements_of_task", task_id=task_id)]


async def add_reading(tx: Tx, task_id: UUID, *, cap_usd_micros: int, actor: Actor) -> None:
    """Store that a task reads post-mortems, with what it may spend."""
    await _sql.run(tx, "insert_reading", task_id=task_id, cap_usd_micros=cap_usd_micros, asked_by=str(actor))


@dataclass(frozen=True, slots=True, kw_only=True)
class ImprovementReading:
    """A reading of post-mortems by a task."""

    task_id: UUID
    cap_usd_micros: int
    asked_by: str
    created_at: datetime


async def get_reading(tx: Tx, task_id: UUID) -> ImprovementReading:
    """Return the reading of a task."""
    return ImprovementReading(**await _sql.one(tx, "get_reading", task_id=task_id))


async def last_reading(tx: Tx) -> ImprovementReading | None:
    """Return the newest reading; let no other one begin until the transaction ends."""
    await _sql.run(tx, "lock_readings")
    row = await _sql.maybe(tx, "last_reading")
    return ImprovementReading(**row) if row else None


def _improvement(row: DictRow) -> Improvement:
    return _IMPROVEMENT.validate_python(dict(row))


async def _note(
    tx: Tx, improvement: Improvement, kind: str, actor: Actor, payload: Mapping[str, Any]
) -> None:
    await append_event(
        tx,
        stream=improvement.id,
        kind=kind,
        actor=str(actor),
        payload={"kind": str(improvement.kind), "target": improvement.target, "title": improvement.title}
        | dict(payload),
    )


def figures_named(improvement: Improvement) -> tuple[str, ...]:
    """Return the names of the figures that an improvement rests on, each once."""
    return tuple(dict.fromkeys(figure.name for figure in improvement.figures))
