"""Recall: arms, fusion, reranking, ranking boost, and rendering within a token budget."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.memory.recalling.answering import answer as answer
    from frasier.memory.recalling.asking import make_ranking as make_ranking
    from frasier.memory.recalling.cache import RankingCache as RankingCache
    from frasier.memory.recalling.delivering import BUDGETS as BUDGETS
    from frasier.memory.recalling.fusion import Arm as Arm
    from frasier.memory.recalling.intents import Intent as Intent, classify as classify
    from frasier.memory.recalling.means import RecallDependencies as RecallDependencies
    from frasier.memory.recalling.request import (
        LIMIT_MAX as LIMIT_MAX,
        QUERY_CHARS_MAX as QUERY_CHARS_MAX,
        recall_query as recall_query,
    )
    from frasier.memory.recalling.reranking import LatencyGuard as LatencyGuard, Reranker as Reranker
    from frasier.memory.recalling.stopwatch import Stage as Stage
    from frasier.memory.recalling.types import (
        RecallAnswer as RecallAnswer,
        Delivered as Delivered,
        Detail as Detail,
        RecallHit as RecallHit,
        RecallRequest as RecallRequest,
        Stub as Stub,
    )
else:
    lazy_exports(__name__)
