"""The caps on spending: dollars, calls and tokens of a task, a mission, a day and a month."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from frasier.kernel.advice import Advice
from frasier.kernel.errors import BudgetExceeded
from frasier.llm.money import format_usd, plain_usd, to_usd_micros
from frasier.llm.settings import Caps

_ONLY_RESERVED = "only_reserved"
_KEPT = "The model was not asked; what was finished before is kept."


class Scope(StrEnum):
    """The subject of a cap, in the order in which caps are locked."""

    MONTH = "month"
    DAY = "day"
    MISSION = "mission"
    TASK = "task"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """The maximum of one scope; None for no limit.

    `setting` is the prefix of the settings that raise it; `is_own` is true of a mission's own budget, which no setting
    raises, and `of_depth` where it is that of a mission of its depth.
    """

    usd_micros: int
    calls: int | None = None
    tokens: int | None = None
    setting: str
    is_own: bool = False
    of_depth: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Holding:
    """The totals of a scope, the new call included. `key` names the mission, day or month of the scope."""

    scope: Scope
    key: str
    reserved_usd_micros: int
    spent_usd_micros: int
    tokens: int
    calls: int
    reserved_tokens: int = 0

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Holding:
        return cls(
            scope=Scope(row["scope_kind"]),
            key=row["scope_key"],
            reserved_usd_micros=row["reserved_usd_micros"],
            spent_usd_micros=row["spent_usd_micros"],
            tokens=row["reserved_tokens"] + row["spent_tokens"],
            calls=row["calls"],
            reserved_tokens=row["reserved_tokens"],
        )


def limits_of(
    caps: Caps,
    mission_budget_usd_micros: int | None,
    task_cap_usd_micros: int | None = None,
    *,
    depth_budget_usd_micros: int | None = None,
) -> dict[Scope, Limit]:
    """Return the limit of every scope; a mission's own budget replaces the default one, which that of its depth
    narrows, and a task's own cap narrows that of all tasks.
    """
    own = mission_budget_usd_micros
    default = to_usd_micros(caps.mission_usd)
    of_depth = own is None and depth_budget_usd_micros is not None and depth_budget_usd_micros < default
    if of_depth:
        default = depth_budget_usd_micros or 0
    of_tasks = to_usd_micros(caps.task_usd)
    return {
        Scope.MONTH: Limit(usd_micros=to_usd_micros(caps.month_usd), setting="FRASIER_LLM__CAPS__MONTH"),
        Scope.DAY: Limit(usd_micros=to_usd_micros(caps.day_usd), setting="FRASIER_LLM__CAPS__DAY"),
        Scope.MISSION: Limit(
            usd_micros=default if own is None else own,
            calls=caps.mission_calls,
            tokens=caps.mission_tokens,
            setting="FRASIER_LLM__CAPS__MISSION",
            is_own=own is not None or of_depth,
            of_depth=of_depth,
        ),
        Scope.TASK: Limit(
            usd_micros=of_tasks if task_cap_usd_micros is None else min(of_tasks, task_cap_usd_micros),
            calls=caps.task_calls,
            tokens=caps.task_tokens,
            setting="FRASIER_LLM__CAPS__TASK",
        ),
    }


def check_cap(holding: Holding, limit: Limit, *, call_usd_micros: int, call_tokens: int = 0) -> None:
    """Raise BudgetExceeded if the call, already included in `holding`, passes `limit`; see may_pass_later.

    A free call is never refused for money that other calls spent.
    """
    scope = holding.scope
    facts: dict[str, Any] = {"scope": str(scope), "key": holding.key}
    if call_usd_micros and holding.spent_usd_micros + holding.reserved_usd_micros > limit.usd_micros:
        in_flight = holding.reserved_usd_micros - call_usd_micros
        depth = " for its depth" if limit.of_depth else ""
        raise BudgetExceeded(
            f"The {scope} budget of {format_usd(limit.usd_micros)}{depth} would be passed: "
            f"{format_usd(holding.spent_usd_micros)} is spent, {format_usd(in_flight)} reserved for calls in "
            f"flight, and this call may cost {format_usd(call_usd_micros)}.",
            kept=_KEPT,
            hint=_how_to_raise(
                limit, scope, at_least_usd_micros=holding.spent_usd_micros + holding.reserved_usd_micros
            ),
            advice=_advice(holding),
            facts=facts
            | {"unit": "usd", _ONLY_RESERVED: holding.spent_usd_micros + call_usd_micros <= limit.usd_micros},
        )
    if limit.calls is not None and holding.calls > limit.calls:
        raise BudgetExceeded(
            f"The {scope} has made {holding.calls - 1} calls to models of {limit.calls} allowed.",
            kept=_KEPT,
            hint=f"Raise {limit.setting}_CALLS.",
            facts=facts,
        )
    if limit.tokens is not None and holding.tokens > limit.tokens:
        raise BudgetExceeded(
            f"The {scope} would use {holding.tokens:,} tokens with this call, of {limit.tokens:,} allowed.",
            kept=_KEPT,
            hint=f"Raise {limit.setting}_TOKENS.",
            facts=facts
            | {_ONLY_RESERVED: holding.tokens - holding.reserved_tokens + call_tokens <= limit.tokens},
        )


def may_pass_later(error: BudgetExceeded) -> bool:
    """Return whether only reservations of calls in flight stand in the way, which mostly cost less than is reserved."""
    return bool(error.facts.get(_ONLY_RESERVED))


def _advice(holding: Holding) -> Sequence[Advice]:
    if holding.scope is not Scope.MISSION:
        return ()
    least = plain_usd(holding.spent_usd_micros + holding.reserved_usd_micros)
    return [Advice("mission.resume", to="let it make this call", mission=holding.key[-8:], budget=least)]


def _how_to_raise(limit: Limit, scope: Scope, *, at_least_usd_micros: int) -> str:
    if limit.is_own:
        least = format_usd(at_least_usd_micros)
        return f"Give the mission a larger one: with what is spent and in flight, this call needs {least}."
    if scope in {Scope.DAY, Scope.MONTH}:
        return f"Raise {limit.setting}_USD. Else it goes on by itself when the {scope} is over (UTC)."
    own = " or give the mission one of its own"
    return f"Raise {limit.setting}_USD{own if scope is Scope.MISSION else ''}."
