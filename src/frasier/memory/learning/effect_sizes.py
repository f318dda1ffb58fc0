"""Numeric effects of corrections, outcomes and validations on a memory. Pure."""

from __future__ import annotations

from frasier.memory.learning.types import CorrectionType, WorkOutcome
from frasier.memory.types import ImportanceTier, MemoryType

ORIGINAL_STABILITY = 0.5
ORIGINAL_CONFIDENCE = 0.5
REPLACEMENT_STABILITY = 1.2

USEFUL = 0.1
NOT_USEFUL = -0.05
PROMOTION_CONFIDENCE = 0.9
PROMOTION_VALIDATIONS = 5
PROMOTION_TIER = ImportanceTier.CRITICAL

_OUTCOMES = {WorkOutcome.ACCEPTED: 1.05, WorkOutcome.MODIFIED: 0.95, WorkOutcome.REJECTED: 0.8}
_NEEDS_REPLACEMENT = frozenset({CorrectionType.SUPERSEDED, CorrectionType.REFINED, CorrectionType.MERGED})
_DEPRECATES = frozenset({CorrectionType.SUPERSEDED, CorrectionType.DEPRECATED})
_FACTS = frozenset({MemoryType.DECLARATIVE, MemoryType.SEMANTIC})

# Tenths have no exact binary form, so a sum of them may fall slightly short of the threshold.
_ROUNDING = 1e-5


def outcome_factor(outcome: WorkOutcome) -> float:
    return _OUTCOMES[outcome]


def needs_replacement(correction_type: CorrectionType) -> bool:
    return correction_type in _NEEDS_REPLACEMENT


def deprecates(correction_type: CorrectionType) -> bool:
    """Whether the original is no longer recalled."""
    return correction_type in _DEPRECATES


def relation_of(correction_type: CorrectionType) -> str:
    """The relation of the edge from the replacement to the original."""
    return "supersedes" if deprecates(correction_type) else "derived_from"


def holds_until_superseded(memory_type: MemoryType, *, has_window: bool) -> bool:
    """Whether it is a fact, whose validity ends when it is superseded; an episode stays true of its time."""
    return has_window or memory_type in _FACTS


def promotion_confidence_min() -> float:
    """The stored confidence from which a memory counts as proven."""
    return PROMOTION_CONFIDENCE - _ROUNDING


def ready_for_promotion(*, confidence: float, validations: int) -> bool:
    return validations >= PROMOTION_VALIDATIONS and confidence >= promotion_confidence_min()
