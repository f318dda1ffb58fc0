"""The learning index of a task, its band, and the trend over many tasks. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from frasier.kernel.errors import InvalidInput

READING_MAX = 100

# In hundredths, so that sums of whole readings are exact and thresholds apply exactly.
_KNOWLEDGE, _UNCERTAINTY, _CONTEXT = 40, 35, 25


class LearningBand(StrEnum):
    """Band of a learning index; the lower bounds are 40, 15, 5 and 0, and regression is below 0."""

    SIGNIFICANT = "significant"
    MODERATE = "moderate"
    INCREMENTAL = "incremental"
    EXECUTION_FOCUSED = "execution-focused"
    REGRESSION = "regression"


class LearningTrend(StrEnum):
    """Trend of the average of many indexes: above 15, above 7, above 0, and the rest."""

    STRONG = "strong"
    POSITIVE = "positive"
    SLIGHT = "slight"
    NONE = "none"


_BANDS = (
    (40, LearningBand.SIGNIFICANT),
    (15, LearningBand.MODERATE),
    (5, LearningBand.INCREMENTAL),
    (0, LearningBand.EXECUTION_FOCUSED),
)
_TRENDS = ((15, LearningTrend.STRONG), (7, LearningTrend.POSITIVE), (0, LearningTrend.SLIGHT))


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A self-assessment at one time; each value is a whole number from 0 to 100."""

    knowledge: int
    uncertainty: int
    context: int

    def __post_init__(self) -> None:
        for name in ("knowledge", "uncertainty", "context"):
            value = getattr(self, name)
            # A bool is an int in Python, but not a valid reading.
            if type(value) is not int or not 0 <= value <= READING_MAX:
                raise InvalidInput(
                    f"{name} must be a whole number from 0 to {READING_MAX}, not {str(value)[:40]!r}.",
                    kept="Nothing was recorded.",
                    hint="0 means none at all, 100 the maximum.",
                    number="E032",
                )


@dataclass(frozen=True, slots=True, kw_only=True)
class Deltas:
    """Changes between two readings; gains are positive, so `uncertainty` is its decrease."""

    knowledge: float
    uncertainty: float
    context: float


def deltas_between(before: Reading, after: Reading) -> Deltas:
    return Deltas(
        knowledge=after.knowledge - before.knowledge,
        uncertainty=before.uncertainty - after.uncertainty,
        context=after.context - before.context,
    )


def learning_index(deltas: Deltas) -> float:
    """0.40 of the knowledge gained, 0.35 of the uncertainty lost, 0.25 of the context gained: -100 to 100."""
    weighted = _KNOWLEDGE * deltas.knowledge + _UNCERTAINTY * deltas.uncertainty + _CONTEXT * deltas.context
    return weighted / 100


def band_of(index: float) -> LearningBand:
    return next((band for lower, band in _BANDS if index >= lower), LearningBand.REGRESSION)


def trend_of(average: float) -> LearningTrend:
    """The trend of the average index of finished tasks."""
    return next((trend for above, trend in _TRENDS if average > above), LearningTrend.NONE)
