"""Duration of a recall: the arms and their fusion alone, the whole recall, and its cache."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import NamedTuple

from bench.figures import Figure, Target, at_most, p50, p95, quietest
from bench.memory_corpus import exact_nearest
from bench.memory_dataset import CALLER, Loaded
from bench.memory_load import SCOPE
from bench.timing import timed
from frasier.memory.engine import MemoryEngine, open_engine
from frasier.memory.lexical_search import distinct_terms, search_words
from frasier.memory.recall.pipeline import make_ranking
from frasier.memory.recall.request import recall_query
from frasier.memory.recall.stage_timings import Stage
from frasier.memory.recall.types import RecallRequest
from frasier.memory.settings import MemorySettings
from frasier.memory.types import MemoryKind

RETRIEVAL_MS = {10_000: 10.0, 100_000: 20.0, 1_000_000: 100.0}
_RECALL_MS = {100_000: 150.0}
_TOP = 10
_ROUNDS = 3
_ASKED_FOR = frozenset({MemoryKind.MARKER, MemoryKind.CONVERSATION})


def _target(limits: dict[int, float], size: int) -> Target | None:
    limit = limits.get(size)
    return None if limit is None else at_most(limit)


async def measure_retrieval(loaded: Loaded) -> list[Figure]:
    """Retrieval with fusion, and scoring with what it reads; the question's vector is at hand, nothing is reranked."""
    await _rank_all(loaded, loaded.warm.texts)
    rounds = [await _rank_all(loaded, loaded.asked.texts) for _ in range(_ROUNDS)]
    counted, said = quietest(rounds, lambda one: one.retrieval)
    candidates = sum(one.candidates for one in counted) / len(counted)
    took, retrieval, scoring = (
        [getattr(one, what) for one in counted] for what in ("took", "retrieval", "scoring")
    )
    size = loaded.corpus.size
    return [
        Figure(
            what=f"retrieval and fusion at {size:,} memories, p95",
            value=p95(retrieval),
            unit="ms",
            target=_target(RETRIEVAL_MS, size),
            detail=f"p50 {p50(retrieval):.1f} ms, n = {len(took)}, {said}; five terms each,"
            " question encoded before; words, vectors, context, graph and triggers, from the first statement on",
        ),
        Figure(
            what=f"scoring at {size:,}, p95",
            value=p95(scoring),
            unit="ms",
            target=at_most(10),
            detail=f"p50 {p50(scoring):.1f} ms; what is known of {candidates:.0f} candidates is read, weighed and"
            " ordered",
        ),
        Figure(
            what=f"both, p95 at {size:,}",
            value=p95(took),
            unit="ms",
            detail=f"p50 {p50(took):.1f} ms; a ranking of an encoded question that is not reranked, with what is"
            " read before it",
        ),
    ]


class _Ranking(NamedTuple):
    """Milliseconds of one ranking and of its parts."""

    took: float
    retrieval: float
    scoring: float
    candidates: int


async def _rank_all(loaded: Loaded, texts: Sequence[str]) -> list[_Ranking]:
    means = loaded.means()
    ranked_all = []
    for text in texts:
        request = RecallRequest(text=text, rerank=False, cached=False)
        wanted = recall_query(CALLER, request, expand=True)
        started = time.perf_counter()
        ranked, _ = await make_ranking(means, wanted, request)
        took = (time.perf_counter() - started) * 1000
        assert not ranked.degraded, ranked.degraded
        parts = ranked.took_ms
        ranked_all.append(
            _Ranking(
                took=took,
                # The vector is at hand: whatever passes until it is compared belongs to the retrieval.
                retrieval=parts[Stage.ENCODING] + parts[Stage.RETRIEVAL],
                scoring=parts[Stage.READING] + parts[Stage.SCORING],
                candidates=len(ranked.candidates),
            )
        )
    return ranked_all


async def measure_arms(loaded: Loaded) -> list[Figure]:
    """The ten nearest by vector, and the ten best by words, each alone."""
    kinds = frozenset(MemoryKind) - _ASKED_FOR
    vector: list[float] = []
    lexical: list[float] = []
    found: list[set[int]] = []
    for asked in (loaded.warm, loaded.asked):
        vector, lexical, found = [], [], []
        for text, embedding in zip(asked.texts, asked.vectors, strict=True):
            started = time.perf_counter()
            hits = await loaded.store.search(
                loaded.database, loaded.space, embedding, scopes=(SCOPE,), kinds=kinds, limit=_TOP
            )
            vector.append((time.perf_counter() - started) * 1000)
            found.append({hit.memory_num - 1 for hit in hits})
            async with loaded.database.transaction() as tx:
                terms = distinct_terms(text)
                lexical.append(await timed(search_words(tx, terms, scopes=(SCOPE,), kinds=kinds, limit=_TOP)))
    exact = exact_nearest(loaded.corpus, loaded.asked.vectors, _TOP)
    size = loaded.corpus.size
    return [
        Figure(
            what=f"ten nearest vectors at {size:,}, p95",
            value=p95(vector),
            unit="ms",
            detail=f"p50 {p50(vector):.1f} ms; {overlap(found, exact):.3f} of the exact ten",
        ),
        Figure(
            what=f"ten best by words at {size:,}, p95",
            value=p95(lexical),
            unit="ms",
            detail=f"p50 {p50(lexical):.1f} ms; BM25",
        ),
    ]


def overlap(found: Sequence[set[int]], exact: Sequence[set[int]]) -> float:
    """Which share of the truly nearest was found."""
    pairs = list(zip(found, exact, strict=True))
    return sum(len(have & true) for have, true in pairs) / sum(len(true) for _, true in pairs)


async def measure_recall(loaded: Loaded) -> list[Figure]:
    """A recall with nothing set: the question is encoded, token states are compared, the use is counted."""
    size = loaded.corpus.size
    async with open_engine(loaded.database, MemorySettings()) as engine:
        for text in loaded.warm.texts:
            await engine.recall(CALLER, RecallRequest(text=text))
        whole = [await _recall(engine, text) for text in loaded.asked.texts]
        again = [await _recall(engine, text, cached=True) for text in _repeated(loaded.asked.texts)]
        misspelt = [await _recall(engine, _misspelt(text)) for text in loaded.asked.texts[::3]]
    return [
        Figure(
            what=f"the whole default recall at {size:,} memories, p95",
            value=p95(whole),
            unit="ms",
            target=_target(_RECALL_MS, size),
            detail=f"p50 {p50(whole):.1f} ms, n = {len(whole)}; encoded by the local encoder, reranked, answered,"
            " its use counted",
        ),
        Figure(
            what=f"the same with a misspelt word at {size:,}, p95",
            value=p95(misspelt),
            unit="ms",
            detail=f"p50 {p50(misspelt):.1f} ms; other spellings are looked for",
        ),
        Figure(
            what=f"the same asked once more at {size:,}, p95",
            value=p95(again),
            unit="ms",
            detail=f"p50 {p50(again):.1f} ms; the ranking from the cache, which nobody's writing made stale",
        ),
    ]


async def _recall(engine: MemoryEngine, text: str, *, cached: bool = False) -> float:
    started = time.perf_counter()
    answer = await engine.recall(CALLER, RecallRequest(text=text))
    took = (time.perf_counter() - started) * 1000
    assert answer.hits, "nothing was found"
    assert not answer.degraded, answer.degraded
    assert answer.reranked, "token states were not compared"
    assert answer.cache_hit == cached, "the cache did not do what it should"
    return took


def _repeated(texts: Sequence[str]) -> list[str]:
    """The last ones: the cache holds only so many."""
    return list(texts[-50:])


def _misspelt(text: str) -> str:
    """With the first two letters of the last word swapped."""
    head, _, word = text.rpartition(" ")
    return f"{head} {word[1]}{word[0]}{word[2:]}"
