"""The rule by which a trial of a new persona is decided, from the differences of its pairs. Pure.

A difference is the score of what the candidate wrote less that of what the version in force wrote for the same task.
There are looks at fixed numbers of pairs. At each look the exact sign-flip test is applied in both directions, at a
level of its own; the levels of all looks add up to `alpha`, so that whatever the looks have to do with each other, a
version without effect is kept with a chance of `alpha` at most.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

_LOOK_EVERY = 10
_SPENDING = 2.8
_UNITS = 100
"""Differences are tested in hundredths of a point."""


class TrialVerdict(StrEnum):
    """The verdict of the pairs of a trial: the candidate helps, harms, neither was shown by all pairs, or not yet."""

    HELPS = "helps"
    HARMS = "harms"
    NOT_SHOWN = "not_shown"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialDecision:
    """A verdict after `pairs` pairs, with their mean difference. `p_value` is that of the direction of the mean at the
    last look, None before the first one; `level` is the level that it had to reach.
    """

    verdict: TrialVerdict
    pairs: int
    mean: float
    p_value: float | None = None
    level: float | None = None


def looks(max_pairs: int, alpha: float) -> list[tuple[int, float]]:
    """Return the numbers of pairs at which a trial is looked at, each with its level.

    Up to a share t of the pairs alpha·t^2.8 is spent: most is left for the last look, and of 40 pairs the first ten
    decide where all ten point one way.
    """
    numbers = [*range(_LOOK_EVERY, max_pairs, _LOOK_EVERY), max_pairs]
    if len(numbers) > 1 and numbers[-1] - numbers[-2] < _LOOK_EVERY // 2:
        del numbers[-2]
    spent = [alpha * (number / max_pairs) ** _SPENDING for number in numbers]
    return [
        (number, upto - before)
        for number, upto, before in zip(numbers, spent, [0.0, *spent[:-1]], strict=True)
    ]


def pairs_until_look(compared: int, *, max_pairs: int) -> int:
    """Return how many more pairs there are to compare until the next look; 0 after the last one."""
    return next((number - compared for number, _ in looks(max_pairs, 1.0) if number > compared), 0)


def judge_pairs(
    differences: Sequence[float], *, max_pairs: int, alpha: float, minimum_effect: float
) -> TrialDecision:
    """Decide a trial by the differences of its pairs, in the order in which they were compared.

    The first look that decides counts, and what is compared behind it changes nothing. The candidate helps where its
    mean gain is `minimum_effect` at least and no chance explains it; it harms where none explains its loss.
    """
    import numpy as np

    values = np.rint(np.asarray(differences[:max_pairs], dtype=float) * _UNITS).astype(int)
    decision = TrialDecision(verdict=TrialVerdict.UNDECIDED, pairs=len(values), mean=_mean(values))
    for number, level in looks(max_pairs, alpha):
        if number > len(values):
            break
        seen = values[:number]
        mean = _mean(seen)
        chance = sign_flip_chance(seen if mean >= 0 else -seen)
        verdict = TrialVerdict.UNDECIDED
        if chance <= level and mean >= max(minimum_effect, 1 / _UNITS):
            verdict = TrialVerdict.HELPS
        elif chance <= level and mean < 0:
            verdict = TrialVerdict.HARMS
        elif number == max_pairs:
            verdict = TrialVerdict.NOT_SHOWN
        if verdict is not TrialVerdict.UNDECIDED:
            return TrialDecision(verdict=verdict, pairs=number, mean=mean, p_value=chance, level=level)
        decision = TrialDecision(
            verdict=verdict, pairs=len(values), mean=_mean(values), p_value=chance, level=level
        )
    return decision


def sign_flip_chance(values: np.ndarray) -> float:
    """Return the chance of a sum of whole `values` at least as large if each sign were a fair coin (exact)."""
    import numpy as np

    sizes = np.abs(values)
    total = int(sizes.sum())
    # The distribution of the sum of those that come up positive.
    shares = np.zeros(total + 1)
    shares[0] = 1.0
    reached = 0
    for size in sizes:
        flipped = shares[: reached + 1] / 2
        shares[: reached + 1] = flipped
        shares[size : size + reached + 1] += flipped
        reached += int(size)
    positive = int(values[values > 0].sum())
    return float(shares[positive:].sum())


def _mean(values: np.ndarray) -> float:
    return round(float(values.mean()) / _UNITS, 4) if len(values) else 0.0
