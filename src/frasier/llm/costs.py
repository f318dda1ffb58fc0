"""Reports of spending: by tier, model, mission, agent and day, for a mission, and for a task."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from frasier.llm.call_ledger import CallState
from frasier.llm.money import to_usd_micros
from frasier.llm.settings import Caps
from frasier.llm.tiers import Tier
from frasier.llm.types import Purpose
from frasier.store import Statements, Tx

_sql = Statements("frasier.llm")

_WARNS_FROM = 0.8
"""The spent share of a cap from which the founder is warned."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CostLine:
    """One line of the bill. `key` is the tier, model, mission id, agent id or day; empty in all, and for no mission
    and no agent.

    `tokens_cached` are those of `tokens_in` that came from providers' prompt caches. `usd_micros` is spent,
    `reserved_usd_micros` reserved for calls in flight. `unknown_calls` are charged at their reservation.
    """

    key: str
    calls: int
    tokens_in: int
    tokens_out: int
    tokens_cached: int
    usd_micros: int
    reserved_usd_micros: int
    failed_calls: int
    unknown_calls: int
    degraded_calls: int
    rehearsal_calls: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Costs:
    total: CostLine
    by_tier: tuple[CostLine, ...]
    by_model: tuple[CostLine, ...]
    by_mission: tuple[CostLine, ...]
    by_agent: tuple[CostLine, ...]
    by_day: tuple[CostLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CallRecord:
    """A call as recorded in the ledger."""

    id: UUID
    task_id: UUID | None
    attempt: int
    phase: str
    purpose: Purpose
    tier_asked: Tier
    tier_served: Tier
    provider: str
    model: str
    state: CallState
    cost_usd_micros: int
    reserved_usd_micros: int
    prompt_version: int
    tokens_in: int
    tokens_out: int
    tokens_cached: int
    degraded: bool
    rehearsal: bool
    finish_reason: str | None
    error_code: str | None
    error: str | None
    started_at: datetime
    ended_at: datetime | None
    duration_ms: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MissionSpend:
    """The spending of a mission. `budget_usd_micros` is its own budget, None if the default one applies, which
    `depth_budget_usd_micros` may narrow.
    """

    spent_usd_micros: int
    reserved_usd_micros: int
    tokens: int
    calls: int
    budget_usd_micros: int | None
    depth_budget_usd_micros: int | None = None

    @property
    def budget_usd(self) -> float | None:
        return None if self.budget_usd_micros is None else self.budget_usd_micros / 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class SpendBefore:
    """The spending of a mission up to a moment."""

    calls: int
    usd_micros: int
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskSpend:
    """The spending of a task, and the model that it has asked and that has not answered, if any."""

    task_id: UUID
    calls: int
    spent_usd_micros: int
    asking: str | None
    asking_since: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CapUse:
    """The use of a cap. `scope` is "day" or "month"; `key` names which (UTC)."""

    scope: str
    key: str
    cap_usd_micros: int
    spent_usd_micros: int
    reserved_usd_micros: int
    calls: int

    @property
    def share(self) -> float:
        """The spent share of the cap; 0 where nothing may be spent."""
        return self.spent_usd_micros / self.cap_usd_micros if self.cap_usd_micros else 0.0

    @property
    def is_nearly_used_up(self) -> bool:
        return self.share >= _WARNS_FROM


async def costs(tx: Tx, *, since: date | None = None, mission_id: UUID | None = None) -> Costs:
    """Return the costs from the day `since` (UTC) on, of one mission or of all."""
    lines: dict[str, list[CostLine]] = {
        kind: [] for kind in ("total", "tier", "model", "mission", "agent", "day")
    }
    for row in await _sql.all(tx, "costs", since=since, mission_id=mission_id):
        kind = row.pop("kind")
        lines[kind].append(CostLine(**row))
    return Costs(
        total=lines["total"][0],
        by_tier=tuple(lines["tier"]),
        by_model=tuple(lines["model"]),
        by_mission=tuple(lines["mission"]),
        by_agent=tuple(lines["agent"]),
        by_day=tuple(lines["day"]),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class UsualReply:
    """The usual reply of a model for a purpose: medians of its seconds and of its tokens."""

    purpose: Purpose
    model: str
    seconds: float
    tokens_out: int


async def usual_replies(tx: Tx, models: Collection[str], *, calls_min: int) -> list[UsualReply]:
    """Return what the models usually take for each purpose, over the newest calls, where there are `calls_min`."""
    return await _sql.all_as(UsualReply, tx, "usual_replies", models=list(models), calls_min=calls_min)


async def calls_of_task(tx: Tx, task_id: UUID) -> tuple[CallRecord, ...]:
    """Return every call that a task made, oldest first."""
    return tuple(await _sql.all_as(CallRecord, tx, "calls_of", task_id=task_id, mission_id=None))


async def calls_of_mission(tx: Tx, mission_id: UUID) -> tuple[CallRecord, ...]:
    """Return every call that a mission's tasks made, oldest first."""
    return tuple(await _sql.all_as(CallRecord, tx, "calls_of", task_id=None, mission_id=mission_id))


async def spend_by_task(tx: Tx, mission_id: UUID) -> dict[UUID, TaskSpend]:
    """Return what each task of a mission has spent, of those that asked a model."""
    rows = await _sql.all(tx, "spend_by_task", mission_id=mission_id)
    return {row["task_id"]: TaskSpend(**row) for row in rows}


async def unanswered_calls(tx: Tx, mission_id: UUID) -> int:
    """Count the calls of a mission that failed without an answer, which caps, estimates and `calls` leave out."""
    return int((await _sql.one(tx, "unanswered_calls", mission_id=mission_id))["calls"])


async def spend_of_tasks(tx: Tx, task_ids: Collection[UUID]) -> dict[UUID, int]:
    """Return what some tasks have spent and reserved so far in micro-dollars, of those that asked a model."""
    rows = await _sql.all(tx, "spend_of_tasks", task_ids=[str(task_id) for task_id in task_ids])
    return {row["task_id"]: row["usd_micros"] for row in rows}


async def caps_now(tx: Tx, caps: Caps) -> tuple[CapUse, CapUse]:
    """Return the use of the caps of this day and this month."""
    limits = {"day": to_usd_micros(caps.day_usd), "month": to_usd_micros(caps.month_usd)}
    rows = await _sql.all(tx, "caps_now")
    day, month = (CapUse(cap_usd_micros=limits[row["scope"]], **row) for row in rows)
    return day, month


async def cap_periods(tx: Tx) -> dict[str, str]:
    """Return the day and the month (UTC) whose caps count now, by scope."""
    return {row["scope"]: row["key"] for row in await _sql.all(tx, "caps_now")}


async def spend_of_mission(tx: Tx, mission_id: UUID) -> MissionSpend:
    """Return the amounts that a mission has spent and reserved so far."""
    (spend,) = (await spends_of_missions(tx, [mission_id])).values()
    return spend


async def spends_of_missions(tx: Tx, mission_ids: Collection[UUID]) -> dict[UUID, MissionSpend]:
    """Return what each of the missions has spent and reserved so far."""
    rows = await _sql.all(tx, "spends_of_missions", mission_ids=list(mission_ids))
    return {row.pop("mission_id"): MissionSpend(**row) for row in rows}


async def spend_before(tx: Tx, mission_id: UUID, moment: datetime) -> SpendBefore:
    """Return the amounts that a mission spent on calls that began before a moment."""
    return SpendBefore(**await _sql.one(tx, "spend_before", mission_id=mission_id, moment=moment))
