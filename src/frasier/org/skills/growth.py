"""How a skill grows. Pure."""

from __future__ import annotations

# The uses, over a skill's whole life, from which each level is deserved: level 1 first, level 10 last.
THRESHOLDS = (0, 5, 12, 22, 35, 52, 73, 100, 135, 180)
LEVEL_MAX = len(THRESHOLDS)


def grow(level: int, uses: int) -> tuple[int, int]:
    """Level and uses after one more use.

    A skill that has fallen behind what its uses deserve climbs one level a use, and one that stands above
    them keeps its level: growth never takes anything away.
    """
    used = uses + 1
    climbs = level < LEVEL_MAX and used >= THRESHOLDS[level]
    return (level + 1 if climbs else level), used
