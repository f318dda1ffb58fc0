"""Outliers by the robust z-score of Iglewicz and Hoaglin."""

from __future__ import annotations

from collections.abc import Sequence

from frasier.kernel.statistics.estimate import MIN_OBSERVATIONS

OUTLIER_Z = 3.5


def robust_z_scores(values: Sequence[float]) -> list[float] | None:
    """Return how far each value is from the median, in units of the usual spread; None if there is not enough data.

    The spread is the median absolute deviation; where more than half of the values are equal, the mean one. A value is
    an outlier above `OUTLIER_Z`, in either direction.
    """
    import numpy as np

    if len(values) < MIN_OBSERVATIONS:
        return None
    sample = np.asarray(values, dtype=float)
    deviations = sample - np.median(sample)
    spread = float(np.median(np.abs(deviations))) / 0.6745
    if spread == 0:
        spread = float(np.mean(np.abs(deviations))) * 1.253314
    scores: list[float] = (deviations / spread if spread else deviations).tolist()
    return scores
