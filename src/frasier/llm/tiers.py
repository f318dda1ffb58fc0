"""The tiers of models, and the name of the stand-in for all of them."""

from __future__ import annotations

from enum import StrEnum

REHEARSAL = "rehearsal"
"""The provider and model name of the deterministic stand-in for first runs and tests."""


class Tier(StrEnum):
    """The tier of a model: T1 for simple work, T2 for complex work, T3 for critical work."""

    T1 = "T1"
    T2 = "T2"
    T3 = "T3"
