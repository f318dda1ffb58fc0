"""Intervals of shares (Wilson) and of any statistic of a sample (bootstrap)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from statistics import NormalDist
from typing import Any

from frasier.kernel.statistics.estimate import CONFIDENCE, MIN_OBSERVATIONS, Estimate

RESAMPLES = 10_000
_CELLS_MAX = 4_000_000


def wilson(successes: int, n: int) -> Estimate:
    """Return the share of successes with its Wilson score interval."""
    if n < MIN_OBSERVATIONS:
        return Estimate(n=n)
    z = NormalDist().inv_cdf(0.5 + CONFIDENCE / 2)
    share = successes / n
    middle = share + z * z / (2 * n)
    half = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    # At 0 and n the bound is the share itself, which floating point misses by a little.
    low = 0.0 if successes == 0 else (middle - half) / scale
    high = 1.0 if successes == n else (middle + half) / scale
    return Estimate(n=n, value=share, low=low, high=high)


def bootstrap_mean(values: Sequence[float], *, seed: int) -> Estimate:
    """Return the mean with its bootstrap interval (bias-corrected and accelerated)."""
    return _bootstrap(values, _means, seed=seed)


def bootstrap_median(values: Sequence[float], *, seed: int) -> Estimate:
    """Return the median with its bootstrap interval (bias-corrected and accelerated)."""
    return _bootstrap(values, _medians, seed=seed)


def _means(distinct: Any, counts: Any) -> Any:
    return counts @ distinct / counts.sum(axis=1)


def _medians(distinct: Any, counts: Any) -> Any:
    """Return the median of each sample: the mean of its two middle values, which may be one."""
    up_to = counts.cumsum(axis=1)
    n = up_to[:, -1:]
    low, high = (distinct[(up_to >= place).argmax(axis=1)] for place in ((n + 1) // 2, n // 2 + 1))
    return (low + high) / 2


def _bootstrap(values: Sequence[float], figure: Callable[[Any, Any], Any], *, seed: int) -> Estimate:
    import numpy as np

    n = len(values)
    if n < MIN_OBSERVATIONS:
        return Estimate(n=n)
    distinct, counts = np.unique(np.asarray(values, dtype=float), return_counts=True)
    statistic = partial(figure, distinct)
    value = float(statistic(counts[None, :])[0])
    resampled = resample(statistic, np.random.default_rng(seed), counts)
    without_one = np.repeat(statistic(counts - np.eye(len(counts), dtype=int)), counts)
    low, high = _corrected_quantiles(value, resampled, without_one)
    return Estimate(n=n, value=value, low=low, high=high)


def resample(statistic: Callable[..., Any], generator: Any, *samples: Any) -> Any:
    """Return the statistic of `RESAMPLES` draws with replacement from each of the samples.

    A sample is given as how often each distinct value occurs in it, and so is each draw, one a row: a thousand scores
    on a scale of five cost no more than ten.
    """
    import numpy as np

    rows = max(1, _CELLS_MAX // max(map(len, samples)))
    parts = [
        statistic(
            *(
                generator.multinomial(counts.sum(), counts / counts.sum(), min(rows, RESAMPLES - start))
                for counts in samples
            )
        )
        for start in range(0, RESAMPLES, rows)
    ]
    return np.concatenate(parts)


def percentile_interval(resampled: Any) -> tuple[float, float]:
    """Return the interval that holds the middle 95 % of the resampled figures."""
    import numpy as np

    low, high = np.quantile(resampled, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    return float(low), float(high)


def _corrected_quantiles(value: float, resampled: Any, without_one: Any) -> tuple[float, float]:
    """Return the BCa interval (Efron 1987): the percentiles shifted by bias and by skew."""
    import numpy as np

    normal = NormalDist()
    count = len(resampled)
    below = float((resampled < value).sum() + 0.5 * (resampled == value).sum()) / count
    bias = normal.inv_cdf(min(max(below, 1 / count), 1 - 1 / count))
    deviations = without_one.mean() - without_one
    spread = float((deviations**2).sum())
    skew = float((deviations**3).sum()) / (6 * spread**1.5) if spread else 0.0
    quantiles = []
    for tail in ((1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2):
        shifted = bias + normal.inv_cdf(tail)
        quantiles.append(normal.cdf(bias + shifted / (1 - skew * shifted)))
    low, high = np.quantile(resampled, quantiles)
    return float(low), float(high)
