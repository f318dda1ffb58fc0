"""Tests of two samples against each other, each with the size of the effect."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from frasier.kernel.statistics.estimate import MIN_OBSERVATIONS, Estimate, SampleComparison
from frasier.kernel.statistics.intervals import RESAMPLES, bootstrap_mean, percentile_interval, resample

EXACT = "exact"
NORMAL = "normal approximation with tie correction"
SAMPLED = "sampled permutations"

# Up to here the numbers of arrangements are exact in a double: 50 over 25 is 1.3e14.
EXACT_RANKS_MAX = 50
EXACT_PAIRS_MAX = 20


def mann_whitney(first: Sequence[float], second: Sequence[float], *, seed: int) -> SampleComparison:
    """Compare two independent samples by ranks; the effect is Cliff's delta, with a bootstrap interval.

    The p-value is exact for up to 50 values together, with ties too; beyond that it is the normal approximation with
    tie correction and continuity correction.
    """
    import numpy as np

    n_first, n_second = len(first), len(second)
    if min(n_first, n_second) < MIN_OBSERVATIONS:
        effect = Estimate(n=min(n_first, n_second))
        return SampleComparison(n_first=n_first, n_second=n_second, effect=effect)
    both = np.concatenate([np.asarray(first, dtype=float), np.asarray(second, dtype=float)])
    _, inverse, counts = np.unique(both, return_inverse=True, return_counts=True)
    # Twice the mean rank of each value: whole numbers, also with ties.
    doubled = (2 * np.cumsum(counts) - counts + 1)[inverse].astype(np.int64)
    if n_first + n_second <= EXACT_RANKS_MAX:
        p_value, method = _exact_rank_p(doubled, n_first), EXACT
    else:
        p_value, method = _normal_rank_p(doubled, counts, n_first), NORMAL
    effect = cliffs_delta(first, second, seed=seed)
    return SampleComparison(n_first=n_first, n_second=n_second, effect=effect, p_value=p_value, method=method)


def cliffs_delta(first: Sequence[float], second: Sequence[float], *, seed: int) -> Estimate:
    """Return how much more often a value of `first` is above one of `second` than below it, from -1 to 1."""
    import numpy as np

    n = min(len(first), len(second))
    if n < MIN_OBSERVATIONS:
        return Estimate(n=n)
    both = np.concatenate([np.asarray(first, dtype=float), np.asarray(second, dtype=float)])
    distinct, places = np.unique(both, return_inverse=True)
    samples = [
        np.bincount(part, minlength=len(distinct)) for part in (places[: len(first)], places[len(first) :])
    ]
    low, high = percentile_interval(resample(_deltas, np.random.default_rng(seed), *samples))
    return Estimate(
        n=n, value=float(_deltas(*(counts[None, :] for counts in samples))[0]), low=low, high=high
    )


def _deltas(first: Any, second: Any) -> Any:
    """Return Cliff's delta of each row, given how often each value, in ascending order, occurs in both samples."""
    up_to = second.cumsum(axis=1)
    n_first, n_second = first.sum(axis=1), up_to[:, -1]
    # Those below a value, minus those above it.
    below = (up_to - second) - (n_second[:, None] - up_to)
    return (first * below).sum(axis=1) / (n_first * n_second)


def _exact_rank_p(doubled: Any, n_first: int) -> float:
    """Return the two-sided p-value over all ways to choose the first sample: twice the smaller tail."""
    import numpy as np

    observed = int(doubled[:n_first].sum())
    total = int(doubled.sum())
    # ways[chosen, rank_sum]: the number of subsets of the values seen so far.
    ways = np.zeros((n_first + 1, total + 1))
    ways[0, 0] = 1
    for rank in doubled.tolist():
        ways[1:, rank:] += ways[:-1, : total + 1 - rank].copy()
    of_size = ways[n_first]
    tail = min(of_size[: observed + 1].sum(), of_size[observed:].sum())
    return float(min(1.0, 2 * tail / of_size.sum()))


def _normal_rank_p(doubled: Any, counts: Any, n_first: int) -> float:
    n = len(doubled)
    n_second = n - n_first
    u = float(doubled[:n_first].sum()) / 2 - n_first * (n_first + 1) / 2
    ties = float((counts.astype(float) ** 3 - counts).sum()) / (n * (n - 1))
    variance = n_first * n_second / 12 * (n + 1 - ties)
    if variance <= 0:
        return 1.0
    distance = max(0.0, abs(u - n_first * n_second / 2) - 0.5)
    return math.erfc(distance / math.sqrt(2 * variance))


def paired_sign_flip(differences: Sequence[float], *, seed: int) -> SampleComparison:
    """Test whether paired differences are around zero; the effect is their mean, with a bootstrap interval.

    The p-value is the share of the assignments of signs whose mean is as far from zero as the observed one: of all of
    them for up to 20 pairs, beyond that of 10,000 random ones and the observed one.
    """
    import numpy as np

    n = len(differences)
    effect = bootstrap_mean(differences, seed=seed)
    if not effect.is_enough:
        return SampleComparison(n_first=n, n_second=n, effect=effect)
    values = np.abs(np.asarray(differences, dtype=float))
    observed = abs(float(np.sum(differences))) - 1e-12 * float(values.sum())
    if n <= EXACT_PAIRS_MAX:
        sums = np.zeros(1)
        for value in values:
            sums = np.concatenate([sums + value, sums - value])
        p_value, method = float(np.mean(np.abs(sums) >= observed)), EXACT
    else:
        distinct, counts = np.unique(values, return_counts=True)
        # Of those that are equal, only how many are positive matters.
        positive = np.random.default_rng(seed).binomial(counts, 0.5, (RESAMPLES, len(distinct)))
        extreme = int((np.abs((2 * positive - counts) @ distinct) >= observed).sum())
        p_value, method = (extreme + 1) / (RESAMPLES + 1), SAMPLED
    return SampleComparison(n_first=n, n_second=n, effect=effect, p_value=p_value, method=method)


def binomial_below(successes: int, n: int, *, share: float) -> float | None:
    """Return how probable at most so many successes are where each has the probability `share`; None for few."""
    if n < MIN_OBSERVATIONS:
        return None
    if not 0 < share < 1:
        raise ValueError(f"share must be between 0 and 1, not {share}")
    probabilities = (
        math.exp(  # of its logarithm, as binomial coefficients of a thousand exceed a float
            math.lgamma(n + 1)
            - math.lgamma(count + 1)
            - math.lgamma(n - count + 1)
            + count * math.log(share)
            + (n - count) * math.log1p(-share)
        )
        for count in range(successes + 1)
    )
    return min(1.0, math.fsum(probabilities))


def binomial_above(successes: int, n: int, *, share: float) -> float | None:
    """Return how probable at least so many successes are where each has the probability `share`; None for few."""
    return binomial_below(n - successes, n, share=1 - share)


def holm(p_values: Sequence[float]) -> list[float]:
    """Return the p-values adjusted for their number (Holm's step-down), in the same order."""
    adjusted = [0.0] * len(p_values)
    running = 0.0
    order = sorted(range(len(p_values)), key=lambda index: p_values[index])
    for position, index in enumerate(order):
        running = max(running, min(1.0, p_values[index] * (len(p_values) - position)))
        adjusted[index] = running
    return adjusted
