"""A figure with its number of observations and its interval, and the seed of what is resampled for it."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from uuid import UUID

MIN_OBSERVATIONS = 8
NOT_ENOUGH_DATA = "not enough data"
CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A figure from `n` observations and its 95 % interval; all None if there is not enough data.

    The interval alone is None where the observations do not define one (agreement of raters who always say the same).
    """

    n: int
    value: float | None = None
    low: float | None = None
    high: float | None = None

    @property
    def is_enough(self) -> bool:
        return self.value is not None

    def __str__(self) -> str:
        if self.value is None:
            return f"{NOT_ENOUGH_DATA} (n = {self.n})"
        interval = "" if self.low is None else f", 95 % interval {self.low:.3g} to {self.high:.3g}"
        return f"{self.value:.3g} (n = {self.n}{interval})"


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleComparison:
    """The difference of two samples: the size of the effect, the two-sided p-value, and how that was computed.

    `n_first` and `n_second` are the sizes of the samples; the effect counts the smaller one. With less than enough
    data there is no p-value.
    """

    n_first: int
    n_second: int
    effect: Estimate
    p_value: float | None = None
    method: str = ""


def seed_of(subject: UUID, *names: str) -> int:
    """Return the seed of the figure `names` of a subject (a mission): the same one for every computation."""
    return int.from_bytes(sha256("\0".join((str(subject), *names)).encode()).digest()[:8])
