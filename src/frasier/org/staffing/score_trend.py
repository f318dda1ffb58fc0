"""The trend of an agent's scores: the newest beside those before them, and whether they fall. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from frasier.kernel.statistics.estimate import Estimate
from frasier.kernel.statistics.intervals import bootstrap_mean

SCORES_COMPARED = 12
"""The number of scores that a trend is read from: the newer half is compared with the older one."""

_HALF = SCORES_COMPARED // 2
_FALL_MIN = 0.3
_CHANCE_MAX = 0.01


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreTrend:
    """The mean of the newest scores and of those before them, with n and intervals; `falling` as the test says."""

    before: Estimate
    newest: Estimate
    falling: bool


def trend_of(scores: Sequence[float], *, seed: int) -> ScoreTrend:
    """Return the trend of scores, oldest first: the mean of the newest twelve, and of the twelve before them."""
    return ScoreTrend(
        before=bootstrap_mean(scores[-2 * SCORES_COMPARED : -SCORES_COMPARED], seed=seed),
        newest=bootstrap_mean(scores[-SCORES_COMPARED:], seed=seed),
        falling=falls(scores),
    )


def trend_around(before: Sequence[float], since: Sequence[float], *, seed: int) -> ScoreTrend:
    """Return the trend around a change: the mean of the last twelve scores before it, and of the newest since then.

    They fall where the newest six since then lie below the last six before it.
    """
    half = since[-_HALF:]
    return ScoreTrend(
        before=bootstrap_mean(before[-SCORES_COMPARED:], seed=seed),
        newest=bootstrap_mean(since[-SCORES_COMPARED:], seed=seed),
        falling=len(half) == _HALF and falls([*before[-_HALF:], *half]),
    )


def falls(scores: Sequence[float]) -> bool:
    """Whether the newest six of twelve scores, oldest first, lie below the six before them.

    The mean must have fallen by 0.3 points at least, and by as much as at most 1 % of all ways to split the twelve in
    two halves would have it fall (exact permutation test, one-sided). With fewer than twelve scores nothing is said.
    """
    if len(scores) < SCORES_COMPARED:
        return False
    import numpy as np

    values = np.asarray(scores[-SCORES_COMPARED:], dtype=float)
    older = values[:_HALF].mean()
    newer = values[_HALF:].mean()
    if older - newer < _FALL_MIN:
        return False
    sums = [values[list(chosen)].sum() for chosen in combinations(range(SCORES_COMPARED), _HALF)]
    chance = float(np.mean(np.asarray(sums) >= values[:_HALF].sum() - 1e-9))
    return chance <= _CHANCE_MAX
