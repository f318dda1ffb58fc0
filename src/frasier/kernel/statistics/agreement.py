"""Agreement of two raters beyond chance, on an ordered scale."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, Literal

from frasier.kernel.statistics.estimate import MIN_OBSERVATIONS, Estimate
from frasier.kernel.statistics.intervals import percentile_interval, resample

Weights = Literal["linear", "quadratic"]


def weighted_kappa(
    first: Sequence[Hashable],
    second: Sequence[Hashable],
    *,
    scale: Sequence[Hashable],
    weights: Weights,
    seed: int,
) -> Estimate:
    """Return Cohen's weighted kappa of two raters of the same items, with a bootstrap interval.

    `scale` lists the ratings in their order. Raters who both give one rating to everything have no kappa: agreement
    by chance is then certain, and the estimate has no value.
    """
    import numpy as np

    n = len(first)
    if n < MIN_OBSERVATIONS:
        return Estimate(n=n)
    places = {rating: place for place, rating in enumerate(scale)}
    one = np.array([places[rating] for rating in first])
    other = np.array([places[rating] for rating in second])
    distances = np.abs(np.subtract.outer(np.arange(len(scale)), np.arange(len(scale)))).astype(float)
    if weights == "quadratic":
        distances **= 2
    value = float(_kappas(one[None, :], other[None, :], distances)[0])
    if np.isnan(value):
        return Estimate(n=n)
    generator = np.random.default_rng(seed)
    resampled = resample(lambda rows: _kappas(one[rows], other[rows], distances), n, generator)
    resampled = resampled[~np.isnan(resampled)]
    low, high = percentile_interval(resampled)
    return Estimate(n=n, value=value, low=low, high=high)


def _kappas(first: Any, second: Any, distances: Any) -> Any:
    """Return the kappa of each row; NaN where both raters gave one rating to everything."""
    import numpy as np

    disagreement = distances[first, second].mean(axis=1)
    size = len(distances)
    first_shares = np.stack([(first == rating).mean(axis=1) for rating in range(size)], axis=1)
    second_shares = np.stack([(second == rating).mean(axis=1) for rating in range(size)], axis=1)
    by_chance = ((first_shares @ distances) * second_shares).sum(axis=1)
    by_chance = np.where(by_chance > 0, by_chance, np.nan)
    return 1 - disagreement / by_chance
