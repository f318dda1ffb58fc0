"""The growth of skills. Pure."""

from __future__ import annotations

# The lifetime uses that earn each level: level 1 first, level 10 last.
THRESHOLDS = (0, 5, 12, 22, 35, 52, 73, 100, 135, 180)
LEVEL_MAX = len(THRESHOLDS)


def grow(level: int, uses: int) -> tuple[int, int]:
    """Return the level and uses after one more use.

    A skill below the level that its uses earn climbs one level a use, and one above it keeps its level: growth never
    takes anything away.
    """
    used = uses + 1
    climbs = level < LEVEL_MAX and used >= THRESHOLDS[level]
    return (level + 1 if climbs else level), used
