"""The tiers of models, and the name of the stand-in for all of them."""

from __future__ import annotations

from enum import StrEnum

REHEARSAL = "rehearsal"
"""The provider and model of answers that no model gave: a deterministic stand-in for first runs and tests."""


class Tier(StrEnum):
    """Which model: T1 for simple work, T2 for complex work, T3 where much depends on it."""

    T1 = "T1"
    T2 = "T2"
    T3 = "T3"
