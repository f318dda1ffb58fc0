"""Duration of a recall: arms and fusion alone, the whole recall, and a recall from the cache."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import NamedTuple

from bench.figures import Figure, Target, at_most, p50, p95, quietest
from bench.memory_corpus import exact_nearest
from bench.memory_dataset import CALLER, MemoryDataset
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
_EXCLUDED_KINDS = frozenset({MemoryKind.MARKER, MemoryKind.CONVERSATION})


def _target(limits: dict[int, float], size: int) -> Target | None:
    limit = limits.get(size)
    return None if limit is None else at_most(limit)


async def measure_retrieval(dataset: MemoryDataset) -> list[Figure]:
    """Measure retrieval with fusion, and scoring with its reads, for an encoded question without reranking."""
    await _rank_all(dataset, dataset.warm_up.texts)
    rounds = [await _rank_all(dataset, dataset.questions.texts) for _ in range(_ROUNDS)]
    counted, rounds_text = quietest(rounds, lambda ranking: ranking.retrieval)
    candidates = sum(ranking.candidates for ranking in counted) / len(counted)
    total, retrieval, scoring = (
        [getattr(ranking, what) for ranking in counted] for what in ("duration_ms", "retrieval", "scoring")
    )
    size = dataset.corpus.size
    return [
        Figure(
            what=f"retrieval and fusion at {size:,} memories, p95",
            value=p95(retrieval),
            unit="ms",
            target=_target(RETRIEVAL_MS, size),
            detail=f"p50 {p50(retrieval):.1f} ms, n = {len(total)}, {rounds_text}; five terms each,"
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
            value=p95(total),
            unit="ms",
            detail=f"p50 {p50(total):.1f} ms; a ranking of an encoded question that is not reranked, with what is"
            " read before it",
        ),
    ]


class _Ranking(NamedTuple):
    """The milliseconds of one ranking and of its parts."""

    duration_ms: float
    retrieval: float
    scoring: float
    candidates: int


async def _rank_all(dataset: MemoryDataset, texts: Sequence[str]) -> list[_Ranking]:
    dependencies = dataset.dependencies()
    ranked_all = []
    for text in texts:
        request = RecallRequest(text=text, rerank=False, cached=False)
        query = recall_query(CALLER, request, expand=True)
        started = time.perf_counter()
        ranked, _ = await make_ranking(dependencies, query, request)
        duration_ms = (time.perf_counter() - started) * 1000
        assert not ranked.degraded, ranked.degraded
        parts = ranked.took_ms
        ranked_all.append(
            _Ranking(
                duration_ms=duration_ms,
                # The vector is precomputed, so the time of the encoding stage belongs to the retrieval.
                retrieval=parts[Stage.ENCODING] + parts[Stage.RETRIEVAL],
                scoring=parts[Stage.READING] + parts[Stage.SCORING],
                candidates=len(ranked.candidates),
            )
        )
    return ranked_all


async def measure_arms(dataset: MemoryDataset) -> list[Figure]:
    """Measure the vector search and the lexical search alone, each for ten hits."""
    kinds = frozenset(MemoryKind) - _EXCLUDED_KINDS
    vector: list[float] = []
    lexical: list[float] = []
    nearest: list[set[int]] = []
    for questions in (dataset.warm_up, dataset.questions):
        vector, lexical, nearest = [], [], []
        for text, embedding in zip(questions.texts, questions.vectors, strict=True):
            started = time.perf_counter()
            hits = await dataset.store.search(
                dataset.database, dataset.space, embedding, scopes=(SCOPE,), kinds=kinds, limit=_TOP
            )
            vector.append((time.perf_counter() - started) * 1000)
            nearest.append({hit.memory_num - 1 for hit in hits})
            async with dataset.database.transaction() as tx:
                terms = distinct_terms(text)
                lexical.append(await timed(search_words(tx, terms, scopes=(SCOPE,), kinds=kinds, limit=_TOP)))
    exact = exact_nearest(dataset.corpus, dataset.questions.vectors, _TOP)
    size = dataset.corpus.size
    return [
        Figure(
            what=f"ten nearest vectors at {size:,}, p95",
            value=p95(vector),
            unit="ms",
            detail=f"p50 {p50(vector):.1f} ms; {overlap(nearest, exact):.3f} of the exact ten",
        ),
        Figure(
            what=f"ten best by words at {size:,}, p95",
            value=p95(lexical),
            unit="ms",
            detail=f"p50 {p50(lexical):.1f} ms; BM25",
        ),
    ]


def overlap(nearest: Sequence[set[int]], exact: Sequence[set[int]]) -> float:
    """Return the fraction of the exactly nearest that was found."""
    pairs = list(zip(nearest, exact, strict=True))
    return sum(len(hits & expected) for hits, expected in pairs) / sum(len(expected) for _, expected in pairs)


async def measure_recall(dataset: MemoryDataset) -> list[Figure]:
    """Measure a recall with default settings: encoding, reranking by token states, and counting the use."""
    size = dataset.corpus.size
    async with open_engine(dataset.database, MemorySettings()) as engine:
        for text in dataset.warm_up.texts:
            await engine.recall(CALLER, RecallRequest(text=text))
        durations_ms = [await _recall(engine, text) for text in dataset.questions.texts]
        cached_ms = [
            await _recall(engine, text, cached=True) for text in _most_recent(dataset.questions.texts)
        ]
        misspelt_ms = [await _recall(engine, _misspelt(text)) for text in dataset.questions.texts[::3]]
    return [
        Figure(
            what=f"the whole default recall at {size:,} memories, p95",
            value=p95(durations_ms),
            unit="ms",
            target=_target(_RECALL_MS, size),
            detail=f"p50 {p50(durations_ms):.1f} ms, n = {len(durations_ms)}; encoded by the local encoder, reranked,"
            " answered, its use counted",
        ),
        Figure(
            what=f"the same with a misspelt word at {size:,}, p95",
            value=p95(misspelt_ms),
            unit="ms",
            detail=f"p50 {p50(misspelt_ms):.1f} ms; other spellings are looked for",
        ),
        Figure(
            what=f"the same asked once more at {size:,}, p95",
            value=p95(cached_ms),
            unit="ms",
            detail=f"p50 {p50(cached_ms):.1f} ms; the ranking from the cache, which nobody's writing made stale",
        ),
    ]


async def _recall(engine: MemoryEngine, text: str, *, cached: bool = False) -> float:
    started = time.perf_counter()
    answer = await engine.recall(CALLER, RecallRequest(text=text))
    duration_ms = (time.perf_counter() - started) * 1000
    assert answer.hits, "nothing was found"
    assert not answer.degraded, answer.degraded
    assert answer.reranked, "token states were not compared"
    assert answer.cache_hit == cached, "unexpected state of the cache"
    return duration_ms


def _most_recent(texts: Sequence[str]) -> list[str]:
    """Return the last texts, as many as the cache holds."""
    return list(texts[-50:])


def _misspelt(text: str) -> str:
    """Swap the first two letters of the last word."""
    head, _, word = text.rpartition(" ")
    return f"{head} {word[1]}{word[0]}{word[2:]}"
