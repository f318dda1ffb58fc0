"""The strength of memories: stability, difficulty and confidence, changed by recorded, undoable adjustments."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.memory.strength.adjustments import (
        Strength as Strength,
        adjust as adjust,
        lock_strength as lock_strength,
        strength_of as strength_of,
        undo_adjustments as undo_adjustments,
    )
    from frasier.memory.strength.half_lives import (
        FORGETTING_RATE as FORGETTING_RATE,
        HALF_LIFE_DAYS as HALF_LIFE_DAYS,
        initial_stability as initial_stability,
        stability_of as stability_of,
    )
    from frasier.memory.strength.replay import (
        BOUNDS as BOUNDS,
        INITIAL_CONFIDENCE as INITIAL_CONFIDENCE,
        Adjustment as Adjustment,
        Cause as Cause,
        Levels as Levels,
        Operation as Operation,
        Quantity as Quantity,
        initial_levels as initial_levels,
        replay as replay,
        within_bounds as within_bounds,
    )
    from frasier.memory.strength.usage import (
        mark_shown as mark_shown,
        mark_used as mark_used,
        note_citation as note_citation,
        note_review as note_review,
    )
else:
    lazy_exports(__name__)
