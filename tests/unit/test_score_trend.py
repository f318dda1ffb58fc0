"""Falling scores: a stated rule over twelve scores."""

from __future__ import annotations

import numpy as np
import pytest

from frasier.org.staffing import SCORES_COMPARED, falls, trend_of


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ([4.0] * 6 + [3.0] * 6, True),
        ([3.0] * 6 + [4.0] * 6, False),
        ([4.0] * 6 + [3.8] * 6, False),  # too little
        ([4.0, 3, 4, 3, 4, 3, 4, 3, 4, 3, 4, 3], False),
        ([4.0] * 6 + [3.0] * 5, False),  # eleven say nothing
        ([1.0] * 20 + [4.0] * 6 + [3.0] * 6, True),  # what lies before the twelve is not read
    ],
)
def test_scores_fall_where_the_newer_half_lies_below_the_older(scores: list[float], expected: bool) -> None:
    assert falls(scores) is expected


def test_scores_without_a_trend_seldom_fall() -> None:
    generator = np.random.default_rng(5)
    fell = sum(falls(list(generator.normal(3.5, 0.6, SCORES_COMPARED))) for _ in range(1_000))
    assert fell <= 20


def test_a_trend_has_n_and_intervals_of_the_newest_scores_and_of_those_before_them() -> None:
    scores = [1.0] * 5 + [3.5, 4.5] * 6 + [2.5, 3.5] * 6
    trend = trend_of(scores, seed=1)
    assert (trend.before.n, trend.before.value, trend.newest.n, trend.newest.value) == (12, 4.0, 12, 3.0)
    for mean in (trend.before, trend.newest):
        assert mean.value is not None
        assert mean.low is not None
        assert mean.high is not None
        assert mean.low < mean.value < mean.high
    assert trend == trend_of(scores, seed=1)


def test_few_scores_are_no_trend() -> None:
    trend = trend_of([4.0] * 7, seed=1)
    assert (trend.newest.n, trend.newest.is_enough, trend.before.n, trend.falling) == (7, False, 0, False)
