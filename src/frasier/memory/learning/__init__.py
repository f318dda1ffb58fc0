"""Learning from corrections, from the outcomes of work that used memories, and from tasks."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.memory.learning.corrections import correct_memory as correct_memory
    from frasier.memory.learning.history import (
        correction_stats as correction_stats,
        corrections_of as corrections_of,
        find_correction as find_correction,
    )
    from frasier.memory.learning.learning_index import (
        Deltas as Deltas,
        LearningBand as LearningBand,
        LearningTrend as LearningTrend,
        Reading as Reading,
    )
    from frasier.memory.learning.work_outcomes import (
        promotable as promotable,
        promote_memory as promote_memory,
        record_outcome as record_outcome,
        validate_memory as validate_memory,
    )
    from frasier.memory.learning.tasks import (
        begin_task as begin_task,
        finish_task as finish_task,
        learning_history as learning_history,
    )
    from frasier.memory.learning.types import (
        Correction as Correction,
        CorrectionStats as CorrectionStats,
        CorrectionType as CorrectionType,
        CorrectionUndone as CorrectionUndone,
        LearningHistory as LearningHistory,
        WorkOutcome as WorkOutcome,
        OutcomesRecorded as OutcomesRecorded,
        TaskLearning as TaskLearning,
        Validation as Validation,
    )
    from frasier.memory.learning.undo import undo_correction as undo_correction
else:
    lazy_exports(__name__)
