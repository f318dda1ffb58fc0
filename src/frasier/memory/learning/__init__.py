"""Learning: what is corrected, how work that used a memory came out, and what a task taught."""

from frasier.memory.learning.corrections import correct_memory
from frasier.memory.learning.history import correction_stats, corrections_of, find_correction
from frasier.memory.learning.index import Deltas, LearningBand, LearningTrend, Reading
from frasier.memory.learning.outcomes import promotable, promote_memory, record_outcome, validate_memory
from frasier.memory.learning.tasks import begin_task, finish_task, learning_history
from frasier.memory.learning.types import (
    Correction,
    CorrectionStats,
    CorrectionType,
    CorrectionUndone,
    LearningHistory,
    Outcome,
    OutcomesRecorded,
    TaskLearning,
    Validation,
)
from frasier.memory.learning.undo import undo_correction

__all__ = [
    "Correction",
    "CorrectionStats",
    "CorrectionType",
    "CorrectionUndone",
    "Deltas",
    "LearningBand",
    "LearningHistory",
    "LearningTrend",
    "Outcome",
    "OutcomesRecorded",
    "Reading",
    "TaskLearning",
    "Validation",
    "begin_task",
    "correct_memory",
    "correction_stats",
    "corrections_of",
    "find_correction",
    "finish_task",
    "learning_history",
    "promotable",
    "promote_memory",
    "record_outcome",
    "undo_correction",
    "validate_memory",
]
