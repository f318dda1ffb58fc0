"""Forgetting: memories of events fade unless used or reviewed, facts do not, and nothing is deleted."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.memory.forgetting.archive import (
        archive_faded as archive_faded,
        expire as expire,
        restore_archived as restore_archived,
    )
    from frasier.memory.forgetting.citations import mark_cited as mark_cited
    from frasier.memory.forgetting.consolidation import (
        ConsolidatedFact as ConsolidatedFact,
        ConsolidationReport as ConsolidationReport,
        MakeCheckpoint as MakeCheckpoint,
        PrunedEpisode as PrunedEpisode,
        consolidate as consolidate,
    )
    from frasier.memory.forgetting.review_grades import Grade as Grade
    from frasier.memory.forgetting.patterns import QueryPattern as QueryPattern
    from frasier.memory.forgetting.retrievability import (
        FADING_TYPES as FADING_TYPES,
        fades as fades,
        retrievability as retrievability,
    )
    from frasier.memory.forgetting.reviews import MemoryReview as MemoryReview, review_memory as review_memory
    from frasier.memory.forgetting.ranking_boost import (
        ALL_FACTORS as ALL_FACTORS,
        Factors as Factors,
        RankingBoost as RankingBoost,
        ranking_boost as ranking_boost,
    )
    from frasier.memory.forgetting.usage_stats import UsageStats as UsageStats
    from frasier.memory.forgetting.usage_stats_loading import (
        usage_stats_of as usage_stats_of,
        load_usage_stats as load_usage_stats,
    )
    from frasier.memory.forgetting.states import MemoryState as MemoryState, state_of as state_of
    from frasier.memory.strength import mark_shown as mark_shown, mark_used as mark_used
else:
    lazy_exports(__name__)
