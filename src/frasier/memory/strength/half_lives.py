"""The half-life of each type of memory without reviews. Pure."""

from __future__ import annotations

import math

from frasier.memory.types import MemoryType

HALF_LIFE_DAYS = {
    MemoryType.WORKING: 1.0,
    MemoryType.EPISODIC: 7.0,
    MemoryType.PROSPECTIVE: 14.0,
    MemoryType.IMPLICIT: 30.0,
    MemoryType.DECLARATIVE: 60.0,
    MemoryType.PROCEDURAL: 90.0,
    MemoryType.SEMANTIC: 180.0,
    MemoryType.AUTOBIOGRAPHICAL: 365.0,
    MemoryType.META_COGNITIVE: math.inf,
}

# c in R(t, S) = (1 + c·t/S)^(−1/2): chosen so that R(S, S) = 0.9, as 0.9^(−2) − 1 = 19/81.
FORGETTING_RATE = 19 / 81


def stability_of(half_life_days: float) -> float:
    """Return the stability in days at which the retrievability after `half_life_days` is one half.

    (1 + c·H/S)^(−1/2) = 1/2 requires c·H/S = 3, so S = c·H/3, which is about H/12.79.
    """
    return half_life_days * FORGETTING_RATE / 3


def initial_stability(memory_type: MemoryType) -> float:
    """Return the stability in days of a memory that was never reviewed; infinite if the type does not fade."""
    return stability_of(HALF_LIFE_DAYS[memory_type])
