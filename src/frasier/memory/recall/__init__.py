"""Recall: arms, fusion, reranking, ranking boost, and rendering within a token budget."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.memory.recall.page import answer as answer
    from frasier.memory.recall.pipeline import make_ranking as make_ranking
    from frasier.memory.recall.cache import RankingCache as RankingCache
    from frasier.memory.recall.rendering import BUDGETS as BUDGETS
    from frasier.memory.recall.fusion import Arm as Arm
    from frasier.memory.recall.intents import Intent as Intent, classify as classify
    from frasier.memory.recall.dependencies import RecallDependencies as RecallDependencies
    from frasier.memory.recall.request import (
        LIMIT_MAX as LIMIT_MAX,
        QUERY_CHARS_MAX as QUERY_CHARS_MAX,
        recall_query as recall_query,
    )
    from frasier.memory.recall.reranking import LatencyGuard as LatencyGuard, Reranker as Reranker
    from frasier.memory.recall.stage_timings import Stage as Stage
    from frasier.memory.recall.types import (
        RecallAnswer as RecallAnswer,
        Delivered as Delivered,
        Detail as Detail,
        RecallHit as RecallHit,
        RecallRequest as RecallRequest,
        Stub as Stub,
    )
else:
    lazy_exports(__name__)
