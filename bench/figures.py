"""Measured figures with their targets, and their statistics."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

Sample = TypeVar("Sample")
_QUICK_SYNC_MS = 0.5


@dataclass(frozen=True, slots=True)
class Target:
    """A bound from the design."""

    limit: float
    at_least: bool = False

    def met_by(self, value: float) -> bool:
        return value >= self.limit if self.at_least else value <= self.limit

    def __str__(self) -> str:
        return f"{'≥' if self.at_least else '≤'} {self.limit:,g}"


def at_most(limit: float) -> Target:
    return Target(limit)


def at_least(limit: float) -> Target:
    return Target(limit, at_least=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One measured number. `detail` gives the comparison and the spread.

    A figure without a target is reported for orientation.
    """

    what: str
    value: float
    unit: str
    target: Target | None = None
    detail: str = ""

    @property
    def met(self) -> bool | None:
        return None if self.target is None else self.target.met_by(self.value)


def percentile(samples: Sequence[float], percent: float) -> float:
    """Return the smallest sample that at least `percent` of all samples do not exceed (nearest rank)."""
    ordered = sorted(samples)
    return ordered[max(math.ceil(len(ordered) * percent / 100) - 1, 0)]


def p50(samples: Sequence[float]) -> float:
    return percentile(samples, 50)


def p95(samples: Sequence[float]) -> float:
    return percentile(samples, 95)


def durable_p95(
    what: str, samples: Sequence[float], *, limit: float, sync_ms: float, detail: str
) -> list[Figure]:
    """Return the 95th percentile of an operation that ends with a sync of the disk, which takes `sync_ms`.

    A sync of more than half a millisecond is subtracted before the target is compared; both figures are reported.
    """
    value, sync = p95(samples), f"a sync takes {sync_ms:.2f} ms"
    detail = f"{detail}; {sync}"
    if sync_ms <= _QUICK_SYNC_MS:
        return [Figure(what=what, value=value, unit="ms", target=at_most(limit), detail=detail)]
    return [
        Figure(what=what, value=value, unit="ms", detail=detail),
        Figure(
            what=f"{what}, minus a sync", value=value - sync_ms, unit="ms", target=at_most(limit), detail=sync
        ),
    ]


def quietest(
    rounds: Sequence[Sequence[Sample]], duration_of: Callable[[Sample], float]
) -> tuple[Sequence[Sample], str]:
    """Return the round with the lowest 95th percentile, and a text with the percentiles of all rounds.

    Other programs on the machine can only add to a duration, so the quietest round is nearest to the true one.
    """
    p95_of_rounds = [p95([duration_of(sample) for sample in samples]) for samples in rounds]
    return rounds[
        p95_of_rounds.index(min(p95_of_rounds))
    ], f"the quietest of the rounds {', '.join(f'{value:.1f}' for value in p95_of_rounds)}"


def spread(samples: Sequence[float], unit: str, digits: int = 2) -> str:
    """Return the best, median and worst of a few repetitions as text."""
    return (
        f"{min(samples):.{digits}f} / {statistics.median(samples):.{digits}f} / {max(samples):.{digits}f} {unit} "
        f"(least / median / most of {len(samples)})"
    )
