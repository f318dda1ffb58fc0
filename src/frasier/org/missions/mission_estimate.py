"""The estimate of a mission as it is stored and shown, and its comparison with what the mission really took."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from frasier.kernel.humanize import dollars, duration, plural


@dataclass(frozen=True, slots=True, kw_only=True)
class MissionAmounts:
    """The amounts that a mission takes: calls of models, their tokens and their cost, and seconds of work.

    Calls, tokens and cost are those of the whole mission with its planning; the seconds begin with the accepted plan.
    """

    calls: int
    tokens: int
    usd_micros: int
    seconds: float

    @property
    def usd(self) -> float:
        return self.usd_micros / 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class StepAmounts:
    """The amounts that a step is expected to take, its reviews included."""

    calls: int
    usd_micros: int
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class MissionEstimate:
    """The expected amounts of a mission with their range; `steps` has the expected ones of each step by its key, and
    `hire_usd_micros` is what each colleague is expected to cost who has to be hired. `budget_usd_micros` is what a
    mission of this depth may cost; None of an estimate that was made without one.
    """

    low: MissionAmounts
    expected: MissionAmounts
    high: MissionAmounts
    steps: Mapping[str, StepAmounts]
    hire_usd_micros: int = 0
    budget_usd_micros: int | None = None

    @property
    def headline(self) -> str:
        """The estimate in words: "about 21 calls (14 to 48), $0.12 ($0.10 to $0.40), 3 min (2 min to 8 min)"."""
        low, expected, high = self.low, self.expected, self.high
        return ", ".join(
            [
                f"about {plural(expected.calls, 'call')} ({low.calls:,} to {high.calls:,})",
                f"{dollars(expected.usd)} ({dollars(low.usd)} to {dollars(high.usd)})",
                f"{duration(expected.seconds)} ({duration(low.seconds)} to {duration(high.seconds)})",
            ]
        )

    def as_dict(self) -> dict[str, Any]:
        """Return the estimate as JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> MissionEstimate:
        """Restore the estimate that `as_dict` returned."""
        return cls(
            low=MissionAmounts(**stored["low"]),
            expected=MissionAmounts(**stored["expected"]),
            high=MissionAmounts(**stored["high"]),
            steps={key: StepAmounts(**amounts) for key, amounts in stored["steps"].items()},
            hire_usd_micros=stored.get("hire_usd_micros", 0),
            budget_usd_micros=stored.get("budget_usd_micros"),
        )

    def covers(self, actual: MissionAmounts) -> dict[str, bool]:
        """Return for calls, tokens, dollars and time whether the actual amount is within the range."""
        return {
            name: getattr(self.low, name) <= getattr(actual, name) <= getattr(self.high, name)
            for name in ("calls", "tokens", "usd_micros", "seconds")
        }
