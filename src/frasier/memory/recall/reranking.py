"""Reranking of the head of the list, and the guard of its latency."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from frasier.kernel.tokenizer import tokenize

if TYPE_CHECKING:
    from frasier.memory.embedding.types import EncodedQuery
    from frasier.memory.lexical_search import WordHits
    from frasier.memory.recall.candidates import Pool
    from frasier.memory.recall.late_interaction import QueryTokens

_SAMPLES_MIN = 20
_SAMPLES_MAX = 100
_OFF_FOR_S = 600.0

_STOP_WEIGHT = math.log(2)
_UNSEEN_WEIGHT = 2.5

_FUSED_SHARE = 0.4
_SHORT_CHARS = 100
_SHORT_FLOOR = 0.8


class Reranker(Protocol):
    """A reranker of texts. `judge` returns one score per text, 0 to 1, in order.

    It raises ProviderError if it fails; the previous order stands then.
    """

    async def judge(self, query: str, texts: Sequence[str]) -> list[float]: ...

    async def close(self) -> None: ...


class LatencyGuard:
    """A guard that switches a reranker off for ten minutes if its 95th percentile exceeds the limit."""

    def __init__(self, slow_ms: float, *, now: Callable[[], float] = time.monotonic) -> None:
        self._slow_s = slow_ms / 1000
        self._now = now
        self._took: deque[float] = deque(maxlen=_SAMPLES_MAX)
        self._off_until = 0.0

    @property
    def off(self) -> bool:
        return self._now() < self._off_until

    def took(self, seconds: float) -> None:
        """Record the duration of one reranking."""
        self._took.append(seconds)
        if len(self._took) >= _SAMPLES_MIN and self.p95_s > self._slow_s:
            self._off_until = self._now() + _OFF_FOR_S
            self._took.clear()

    @property
    def p95_s(self) -> float:
        ordered = sorted(self._took)
        return ordered[int(0.95 * (len(ordered) - 1))] if ordered else 0.0


def query_tokens(encoded: EncodedQuery, words: WordHits, pool: Pool) -> QueryTokens | None:
    """Return the tokens of the query, each weighted by the rarity of its word among the searched memories.

    The name of a person is matched only by that person's turns, or by the name in a text.
    """
    import numpy as np

    from frasier.memory.recall.late_interaction import QueryTokens

    if encoded.states is None or len(encoded.states) == 0:
        return None
    names = pool.names_of_people()
    containing = words.containing()
    return QueryTokens(
        states=encoded.states,
        weights=np.array(
            [word_weight(word, containing, words.items) for word in encoded.words], dtype=np.float32
        ),
        own=np.array([word in names for word in encoded.words], dtype=np.bool_),
    )


def word_weight(word: str, containing: Mapping[str, int], items: int) -> float:
    """Return ln(1 + N / (1 + df)) of a word that df of N memories hold.

    A stop word has the minimum weight. A word that no memory holds is not treated as the rarest: only its meaning can
    match, so its weight is bounded by that of a usual word.
    """
    terms = tokenize(word)
    if not terms:
        return _STOP_WEIGHT
    df = min(containing.get(term, 0) for term in terms)
    weight = math.log(1 + items / (1 + df))
    return min(weight, _UNSEEN_WEIGHT) if df == 0 else weight


@dataclass(frozen=True, slots=True, kw_only=True)
class RerankInput:
    """The text of a candidate for a reranker, with its relevance so far."""

    num: int
    text: str
    relevance: float


def blend(head: Sequence[RerankInput], verdicts: Sequence[float]) -> dict[int, float]:
    """Return the relevance of the head after reranking: 0.6 of the verdict, 0.4 of the relevance before.

    A verdict on a text of under 100 characters counts a little less: so short a text shows little more than a shared
    word.
    """
    blended: dict[int, float] = {}
    for item, verdict in zip(head, verdicts, strict=True):
        short = min(1.0, _SHORT_FLOOR + (1 - _SHORT_FLOOR) * len(item.text) / _SHORT_CHARS)
        bounded = min(max(verdict, 0.0), 1.0)
        blended[item.num] = _FUSED_SHARE * item.relevance + (1 - _FUSED_SHARE) * bounded * short
    return blended
