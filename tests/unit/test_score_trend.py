"""Falling scores: a stated rule over twelve scores."""

from __future__ import annotations

import numpy as np
import pytest

from frasier.org.staffing import SCORES_COMPARED, falls


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
