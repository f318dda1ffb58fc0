"""The learning index: its formula, its bands and its trend."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frasier.kernel.errors import InvalidInput
from frasier.memory.learning.learning_index import (
    Deltas,
    LearningBand,
    LearningTrend,
    Reading,
    band_of,
    deltas_between,
    learning_index,
    trend_of,
)

_PART = st.integers(0, 100)
_READING = st.builds(Reading, knowledge=_PART, uncertainty=_PART, context=_PART)
_PARTS = ("knowledge", "uncertainty", "context")


def index(before, after):
    return learning_index(deltas_between(before, after))


def test_the_index_is_the_documented_sum():
    before = Reading(knowledge=40, uncertainty=70, context=50)
    after = Reading(knowledge=75, uncertainty=25, context=70)
    assert deltas_between(before, after) == Deltas(knowledge=35, uncertainty=45, context=20)
    assert index(before, after) == 34.75


@given(_READING)
def test_nothing_learned_is_exactly_zero(reading):
    assert index(reading, reading) == 0


@given(_READING, _READING)
def test_what_was_learned_is_lost_by_the_way_back(one, other):
    assert index(one, other) == -index(other, one)


@given(_READING, _READING)
def test_the_index_stays_within_its_range(before, after):
    assert -100 <= index(before, after) <= 100


@given(_READING, _READING, st.sampled_from(_PARTS), _PART)
def test_knowing_more_never_lowers_the_index(before, after, part, value):
    from dataclasses import replace

    changed = replace(after, **{part: value})
    gained = value - getattr(after, part)
    if part == "uncertainty":
        gained = -gained
    difference = index(before, changed) - index(before, after)
    assert (difference > 0) - (difference < 0) == (gained > 0) - (gained < 0)


@pytest.mark.parametrize(
    ("value", "band"),
    [
        (100, "significant"),
        (40, "significant"),
        (39.99, "moderate"),
        (15, "moderate"),
        (14.99, "incremental"),
        (5, "incremental"),
        (4.99, "execution-focused"),
        (0, "execution-focused"),
        (-0.01, "regression"),
        (-100, "regression"),
    ],
)
def test_a_band_begins_exactly_at_its_threshold(value, band):
    assert band_of(value) is LearningBand(band)


def test_a_whole_gain_of_knowledge_alone_is_just_significant():
    zero = Reading(knowledge=0, uncertainty=50, context=50)
    assert (
        band_of(index(zero, Reading(knowledge=100, uncertainty=50, context=50))) is LearningBand.SIGNIFICANT
    )


@pytest.mark.parametrize(
    ("average", "trend"),
    [(15.01, "strong"), (15, "positive"), (7, "slight"), (0.01, "slight"), (0, "none"), (-20, "none")],
)
def test_a_trend_begins_above_its_threshold(average, trend):
    assert trend_of(average) is LearningTrend(trend)


@pytest.mark.parametrize("part", _PARTS)
@pytest.mark.parametrize("value", [-1, 101, 50.0, True, "50", None, float("nan")])
def test_a_reading_that_is_no_whole_number_from_0_to_100_is_refused(part, value):
    parts = dict.fromkeys(_PARTS, 50) | {part: value}
    with pytest.raises(InvalidInput) as refused:
        Reading(**parts)
    assert refused.value.number == "E032"
    assert part in refused.value.message
