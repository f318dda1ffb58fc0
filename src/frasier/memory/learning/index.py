"""How much a task taught, in one number and in a word. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from frasier.kernel.errors import InvalidInput

READING_MAX = 100

# Hundredths, so that whole readings give an exact sum and a threshold is met exactly where it says.
_KNOWLEDGE, _UNCERTAINTY, _CONTEXT = 40, 35, 25


class LearningBand(StrEnum):
    """What a learning index means: from 40, from 15, from 5, from 0, and below."""

    SIGNIFICANT = "significant"
    MODERATE = "moderate"
    INCREMENTAL = "incremental"
    EXECUTION_FOCUSED = "execution-focused"
    REGRESSION = "regression"


class LearningTrend(StrEnum):
    """What the average of many indexes means: above 15, above 7, above 0, and the rest."""

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
    """What one says of oneself at a moment, each a whole number from 0 to 100."""

    knowledge: int
    uncertainty: int
    context: int

    def __post_init__(self) -> None:
        for name in ("knowledge", "uncertainty", "context"):
            value = getattr(self, name)
            # A bool is an int to Python, and no reading.
            if type(value) is not int or not 0 <= value <= READING_MAX:
                raise InvalidInput(
                    f"{name} is a whole number from 0 to {READING_MAX}, not {str(value)[:40]!r}.",
                    kept="Nothing was recorded.",
                    hint="0 is none at all, 100 as much as there can be.",
                    number="E032",
                )


@dataclass(frozen=True, slots=True, kw_only=True)
class Deltas:
    """What changed between two readings. Every gain is positive: `uncertainty` is how much of it went."""

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
    return next((band for least, band in _BANDS if index >= least), LearningBand.REGRESSION)


def trend_of(average: float) -> LearningTrend:
    """What the average index of finished tasks says."""
    return next((trend for above, trend in _TRENDS if average > above), LearningTrend.NONE)
