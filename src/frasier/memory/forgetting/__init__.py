"""Forgetting: what happened fades unless it is used or reviewed, what is so does not, and nothing is deleted."""

from frasier.memory.forgetting.archive import archive_faded, expire, restore_archived
from frasier.memory.forgetting.citing import mark_cited
from frasier.memory.forgetting.consolidation import (
    ConsolidatedFact,
    ConsolidationReport,
    MakeCheckpoint,
    PrunedEpisode,
    consolidate,
)
from frasier.memory.forgetting.grades import Grade
from frasier.memory.forgetting.patterns import QueryPattern
from frasier.memory.forgetting.retrievability import FADING_TYPES, fades, retrievability
from frasier.memory.forgetting.reviews import Review, review_memory
from frasier.memory.forgetting.scoring import ALL_FACTORS, Factors, Worth, worth_of
from frasier.memory.forgetting.standing import Standing
from frasier.memory.forgetting.standings import standing_of, standings_of
from frasier.memory.forgetting.states import MemoryState, state_of
from frasier.memory.strength import mark_shown, mark_used

__all__ = [
    "ALL_FACTORS",
    "FADING_TYPES",
    "ConsolidatedFact",
    "ConsolidationReport",
    "Factors",
    "Grade",
    "MakeCheckpoint",
    "MemoryState",
    "PrunedEpisode",
    "QueryPattern",
    "Review",
    "Standing",
    "Worth",
    "archive_faded",
    "consolidate",
    "expire",
    "fades",
    "mark_cited",
    "mark_shown",
    "mark_used",
    "restore_archived",
    "retrievability",
    "review_memory",
    "standing_of",
    "standings_of",
    "state_of",
    "worth_of",
]
