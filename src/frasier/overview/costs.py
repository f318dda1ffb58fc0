"""Costs: what was spent, on what, and how full the caps are."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from uuid import UUID

from frasier.kernel.copy_fields import copy_fields
from frasier.kernel.ids import parse_id
from frasier.llm import Caps, CapUse, CostLine, caps_now, costs
from frasier.org.governance import evaluated_missions
from frasier.org.missions import find_mission, titles_of
from frasier.org.people import roster
from frasier.store import Tx
from frasier.workflow import first_tasks


@dataclass(frozen=True, slots=True, kw_only=True)
class CostRow:
    """A line of the bill, in US dollars.

    `key` is the tier, model, mission id, agent's name or day; empty in all, and for no mission and no agent.
    """

    key: str
    calls: int
    cost_usd: float
    reserved_usd: float
    tokens_in: int
    tokens_out: int
    tokens_cached: int
    failed_calls: int
    unknown_calls: int
    degraded_calls: int
    rehearsal_calls: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MissionCost(CostRow):
    """The line of a mission, or of what is done beside missions, with its title."""

    title: str
    is_mission: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Spend:
    """The spend and the reservations of a day or a month, in US dollars, and whether four fifths of it are spent."""

    spent_usd: float
    reserved_usd: float
    cap_usd: float
    calls: int
    nearly_used_up: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CapLevel(Spend):
    """The use of a cap, in US dollars; `key` is its day or month (UTC)."""

    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Bill:
    """The spend since a day (UTC), of one mission or of everything. `caps` are those of the "day" and "month"."""

    since: date | None
    mission: UUID | None
    total: CostRow
    by_tier: tuple[CostRow, ...]
    by_model: tuple[CostRow, ...]
    by_mission: tuple[MissionCost, ...]
    by_agent: tuple[CostRow, ...]
    by_day: tuple[CostRow, ...]
    caps: Mapping[str, CapLevel]


async def present_day(tx: Tx, caps: Caps) -> date:
    """Return the day (UTC) on which calls are counted now."""
    return date.fromisoformat(next(use.key for use in await caps_now(tx, caps) if use.scope == "day"))


async def read_costs(tx: Tx, caps: Caps, *, since: date | None = None, mission: str | None = None) -> Bill:
    """Read the bill; `mission` is an id, a part of one, or "last". The missions that cost most come first."""
    only = await find_mission(tx, mission) if mission else None
    bill = await costs(tx, since=since, mission_id=only.id if only else None)
    ids = [identity for line in bill.by_mission if (identity := parse_id(line.key))]
    missions = await titles_of(tx, ids)
    titles = missions | await _titles_beside(tx, [identity for identity in ids if identity not in missions])
    names = {str(agent.id): agent.name for agent in await roster(tx, active_only=False)}
    return Bill(
        since=since,
        mission=only.id if only else None,
        total=_row(bill.total),
        by_tier=tuple(map(_row, bill.by_tier)),
        by_model=tuple(map(_row, bill.by_model)),
        by_mission=tuple(
            _mission_cost(line, titles, missions)
            for line in sorted(bill.by_mission, key=lambda line: (-line.usd_micros, line.key))
        ),
        by_agent=tuple(
            replace(_row(line), key=names.get(line.key, line.key))
            for line in sorted(bill.by_agent, key=lambda line: (-line.usd_micros, line.key))
        ),
        by_day=tuple(map(_row, bill.by_day)),
        caps={
            use.scope: copy_fields(CapLevel, spend_of(use), key=use.key) for use in await caps_now(tx, caps)
        },
    )


def _row(line: CostLine) -> CostRow:
    return copy_fields(
        CostRow, line, cost_usd=line.usd_micros / 1_000_000, reserved_usd=line.reserved_usd_micros / 1_000_000
    )


async def _titles_beside(tx: Tx, groups: Sequence[UUID]) -> dict[UUID, str]:
    """Return titles of work beside missions: talk, evaluations, and the first task of anything else."""
    first = await first_tasks(tx, groups)
    evaluated = await evaluated_missions(
        tx, [one.id for one in first.values() if one.process == "evaluation"]
    )
    missions = await titles_of(tx, evaluated.values())
    titles = {group: "talk" if one.process == "talk" else one.title for group, one in first.items()}
    return titles | {
        group: f"evaluations of {missions[evaluated[one.id]]}"
        for group, one in first.items()
        if one.id in evaluated
    }


def _mission_cost(line: CostLine, titles: Mapping[UUID, str], missions: Collection[UUID]) -> MissionCost:
    identity = parse_id(line.key)
    return copy_fields(
        MissionCost,
        _row(line),
        title=titles.get(identity, "other work") if identity else "outside missions",
        is_mission=identity in missions,
    )


def spend_of(use: CapUse) -> Spend:
    """Return the use of a cap in US dollars."""
    return Spend(
        spent_usd=use.spent_usd_micros / 1_000_000,
        reserved_usd=use.reserved_usd_micros / 1_000_000,
        cap_usd=use.cap_usd_micros / 1_000_000,
        calls=use.calls,
        nearly_used_up=use.is_nearly_used_up,
    )
