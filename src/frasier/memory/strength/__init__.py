"""Strength: how well a memory is kept, changed only by recorded adjustments that can be undone."""

from frasier.memory.strength.adjusting import Strength, adjust, lock_strength, strength_of, undo_adjustments
from frasier.memory.strength.half_lives import (
    FORGETTING_RATE,
    HALF_LIFE_DAYS,
    initial_stability,
    stability_of,
)
from frasier.memory.strength.levels import (
    BOUNDS,
    INITIAL_CONFIDENCE,
    Adjustment,
    Cause,
    Levels,
    Operation,
    Quantity,
    initial_levels,
    replay,
    within_bounds,
)
from frasier.memory.strength.usage import mark_shown, mark_used, note_citation, note_review

__all__ = [
    "BOUNDS",
    "FORGETTING_RATE",
    "HALF_LIFE_DAYS",
    "INITIAL_CONFIDENCE",
    "Adjustment",
    "Cause",
    "Levels",
    "Operation",
    "Quantity",
    "Strength",
    "adjust",
    "initial_levels",
    "initial_stability",
    "lock_strength",
    "mark_shown",
    "mark_used",
    "note_citation",
    "note_review",
    "replay",
    "stability_of",
    "strength_of",
    "undo_adjustments",
    "within_bounds",
]
