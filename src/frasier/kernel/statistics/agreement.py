"""Agreement of two raters beyond chance, on an ordered scale."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import partial
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
    size = len(scale)
    counts = np.bincount(one * size + other, minlength=size * size)
    value = float(_kappas(distances, counts[None, :])[0])
    if np.isnan(value):
        return Estimate(n=n)
    resampled = resample(partial(_kappas, distances), np.random.default_rng(seed), counts)
    low, high = percentile_interval(resampled[~np.isnan(resampled)])
    return Estimate(n=n, value=value, low=low, high=high)


def _kappas(distances: Any, counts: Any) -> Any:
    """Return the kappa of each row, in which every pair of ratings has its count; NaN where both raters gave one rating
    to everything.
    """
    import numpy as np

    size = len(distances)
    shares = counts.reshape(-1, size, size) / counts.sum(axis=1)[:, None, None]
    disagreement = (shares * distances).sum(axis=(1, 2))
    by_chance = ((shares.sum(axis=2) @ distances) * shares.sum(axis=1)).sum(axis=1)
    by_chance = np.where(by_chance > 0, by_chance, np.nan)
    return 1 - disagreement / by_chance
