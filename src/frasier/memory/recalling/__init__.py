"""Recall: arms, fusion, reranking, worth, and what of it is handed over."""

from frasier.memory.recalling.answering import answer
from frasier.memory.recalling.asking import make_ranking
from frasier.memory.recalling.cache import RankingCache
from frasier.memory.recalling.delivering import BUDGETS
from frasier.memory.recalling.fusion import Arm
from frasier.memory.recalling.intents import Intent, classify
from frasier.memory.recalling.means import Means
from frasier.memory.recalling.request import LIMIT_MAX, QUERY_CHARS_MAX, sought
from frasier.memory.recalling.reranking import Patience, Reranker
from frasier.memory.recalling.stopwatch import Stage
from frasier.memory.recalling.types import Answer, Delivered, Detail, RecallHit, RecallRequest, Stub

__all__ = [
    "BUDGETS",
    "LIMIT_MAX",
    "QUERY_CHARS_MAX",
    "Answer",
    "Arm",
    "Delivered",
    "Detail",
    "Intent",
    "Means",
    "Patience",
    "RankingCache",
    "RecallHit",
    "RecallRequest",
    "Reranker",
    "Stage",
    "Stub",
    "answer",
    "classify",
    "make_ranking",
    "sought",
]
