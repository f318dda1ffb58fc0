"""The budget of team routines: what the next one may spend. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from frasier.org.governance.policy_rules import RoutineRules

_MICROS = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldMoney:
    """The part of a budget that a routine holds: its cap while it goes on, its spending once it has ended."""

    cap_usd_micros: int
    spent_usd_micros: int
    ended: bool

    @property
    def usd_micros(self) -> int:
        return self.spent_usd_micros if self.ended else max(self.cap_usd_micros, self.spent_usd_micros)


def allowance_usd_micros(
    rules: RoutineRules,
    *,
    recent: Iterable[HeldMoney],
    of_mission: Sequence[HeldMoney] | None = None,
    mission_usd_micros: int = 0,
) -> int:
    """Return what the next routine may spend, at most its own cap; 0 where nothing is left.

    `recent` are the routines that began within 30 days or are not over, `of_mission` those of its mission, whose budget
    is `mission_usd_micros`; None for a routine of no mission.
    """
    left = [
        _micros(rules.each_up_to_usd),
        _micros(rules.budget_usd) - sum(money.usd_micros for money in recent),
    ]
    if of_mission is not None:
        share = int(mission_usd_micros * rules.share_of_mission)
        left.append(share - sum(money.usd_micros for money in of_mission))
    return max(min(left), 0)


def _micros(usd: float) -> int:
    return round(usd * _MICROS)
