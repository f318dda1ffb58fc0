"""The plan of a mission as the founder sees it: who does what from which documents, what it will take, what it took."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from frasier.kernel.humanize import dollars
from frasier.kernel.mission_depth import MissionDepth
from frasier.llm import spend_before, spend_of_mission
from frasier.org.missions import (
    Mission,
    MissionAmounts,
    MissionEstimate,
    MissionStatus,
    PlanOrigin,
    PlanState,
    StoredPlan,
    current_plan,
)
from frasier.org.people import roster
from frasier.store import Tx, events_of

_ENDED = (MissionStatus.COMPLETED, MissionStatus.DELIVERED)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedWork:
    """A planned step: who does it, what it needs, and what it reads: `documents` by number and `folders`, all if both
    are empty and it `researches`. One with `columns` examines each document. `calls` and `usd` are expected.
    """

    key: str
    title: str
    agent: str
    role: str
    needs: tuple[str, ...]
    researches: bool
    documents: tuple[int, ...]
    folders: tuple[str, ...]
    columns: tuple[str, ...]
    calls: int | None
    usd: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AmountRange:
    """The range of an amount, what is expected, and what it really was; None while the mission is not completed."""

    low: float
    expected: float
    high: float
    actual: float | None

    @property
    def within(self) -> bool | None:
        return None if self.actual is None else self.low <= self.actual <= self.high


@dataclass(frozen=True, slots=True, kw_only=True)
class EstimateView:
    """The estimate of a mission: calls, tokens and dollars in all, and seconds from the accepted plan on."""

    calls: AmountRange
    tokens: AmountRange
    usd: AmountRange
    seconds: AmountRange


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanView:
    """The plan that a mission has or that waits for the founder. `digest` names exactly this plan, `budget_usd` is what
    a mission of its depth may cost without a budget of its own, which is `own_budget_usd`.
    """

    version: int
    state: PlanState
    origin: PlanOrigin
    digest: str
    title: str
    kind: str
    complexity: MissionDepth
    steps: tuple[PlannedWork, ...]
    estimate: EstimateView | None
    headline: str
    budget_usd: float | None = None
    own_budget_usd: float | None = None

    @property
    def cap_usd(self) -> float | None:
        """The most that its mission may cost: its own budget, or that of its depth."""
        return self.budget_usd if self.own_budget_usd is None else self.own_budget_usd

    @property
    def budget_warning(self) -> str:
        """Say that it is expected to cost more than its mission may; empty where it is not, or has been carried out."""
        if self.estimate is None or self.cap_usd is None or self.estimate.usd.actual is not None:
            return ""
        usd = self.estimate.usd
        if usd.expected <= self.cap_usd:
            return ""
        return (
            f"The plan is expected to cost {dollars(usd.expected)}, up to {dollars(usd.high)}, and the budget"
            f"{' of its depth' if self.own_budget_usd is None else ''} is {dollars(self.cap_usd)}:"
            " it stops and asks you before a call that would pass it."
        )

    @property
    def waits(self) -> bool:
        """Whether it waits for the founder's approval."""
        return self.state is PlanState.PROPOSED


async def read_plan(tx: Tx, mission: Mission) -> PlanView | None:
    """Read the plan of a mission with its estimate, and what the mission took once it is completed."""
    plan = await current_plan(tx, mission.id)
    if plan is None:
        return None
    names = {agent.id: agent.name for agent in await roster(tx, active_only=False)}
    spend = await spend_of_mission(tx, mission.id)
    actual = await actual_amounts(tx, mission, plan)
    return plan_view(plan, names, actual, own_budget_usd=spend.budget_usd)


async def actual_amounts(tx: Tx, mission: Mission, plan: StoredPlan) -> MissionAmounts | None:
    """Return what a completed mission took until its first result was approved; None while it is not completed, and
    where the clock went back meanwhile, so that nothing tells.

    New versions that the founder asks for later are in no estimate.
    """
    if mission.status not in _ENDED or plan.accepted_at is None or mission.completed_at is None:
        return None
    events = await events_of(tx, mission.id)
    ended = next((event.at for event in events if event.kind == "mission.completed"), mission.completed_at)
    if ended < plan.accepted_at:
        return None
    spent = await spend_before(tx, mission.id, ended)
    return MissionAmounts(
        calls=spent.calls,
        tokens=spent.tokens,
        usd_micros=spent.usd_micros,
        seconds=round((ended - plan.accepted_at).total_seconds(), 2),
    )


def plan_view(
    plan: StoredPlan,
    names: Mapping[UUID, str],
    actual: MissionAmounts | None,
    *,
    own_budget_usd: float | None = None,
) -> PlanView:
    """Return a stored plan as views show it."""
    return PlanView(
        version=plan.version,
        state=plan.state,
        origin=plan.origin,
        digest=plan.digest,
        title=plan.plan["title"],
        kind=plan.plan["kind"],
        complexity=plan.depth,
        steps=tuple(_work(step, plan, names) for step in plan.plan["steps"]),
        estimate=estimate_view(plan.estimate, actual) if plan.estimate else None,
        headline=plan.estimate.headline if plan.estimate else "",
        budget_usd=_budget_of(plan),
        own_budget_usd=own_budget_usd,
    )


def _budget_of(plan: StoredPlan) -> float | None:
    if plan.estimate is None or plan.estimate.budget_usd_micros is None:
        return None
    return plan.estimate.budget_usd_micros / 1_000_000


def estimate_view(estimate: MissionEstimate, actual: MissionAmounts | None) -> EstimateView:
    """Compare an estimate with what the mission took."""

    def range_of(name: str) -> AmountRange:
        low, expected, high = (
            getattr(amounts, name) for amounts in (estimate.low, estimate.expected, estimate.high)
        )
        return AmountRange(
            low=low, expected=expected, high=high, actual=None if actual is None else getattr(actual, name)
        )

    return EstimateView(**{name: range_of(name) for name in ("calls", "tokens", "usd", "seconds")})


def _work(step: Mapping[str, Any], plan: StoredPlan, names: Mapping[UUID, str]) -> PlannedWork:
    expected = plan.estimate.steps.get(step["key"]) if plan.estimate else None
    columns: Sequence[Mapping[str, Any]] = step.get("table", {}).get("columns", ())
    agent = plan.staffing.get(step["key"])
    return PlannedWork(
        key=step["key"],
        title=step["title"],
        agent=names.get(agent, "?") if agent else _to_be_hired(step),
        role=step["role"],
        needs=tuple(step["depends_on"]),
        researches=step["sources_needed"] > 0 or step["queries_needed"] > 0,
        documents=tuple(step.get("documents", ())),
        folders=tuple(step.get("folders", ())),
        columns=tuple(column["name"] for column in columns),
        calls=expected.calls if expected else None,
        usd=expected.usd_micros / 1_000_000 if expected else None,
    )


def _to_be_hired(step: Mapping[str, Any]) -> str:
    expert = step.get("expert", "")
    return f"{expert} (to be hired)" if expert else ""
