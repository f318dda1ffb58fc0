"""The pipeline of a recall, from the arms to the ranking, with its steps inside and outside transactions."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from frasier.kernel.concurrency import both
from frasier.kernel.errors import ProviderError
from frasier.kernel.language import ALL_FUNCTION_WORDS, without_accents
from frasier.kernel.logging_setup import get_logger
from frasier.memory.lexical_search import WordHits, distinct_terms
from frasier.memory.recall.candidates import Pool, load_candidates, newest
from frasier.memory.recall.concepts import meeting_all
from frasier.memory.recall.dependencies import RecallDependencies
from frasier.memory.recall.fusion import Arm
from frasier.memory.recall.intents import classify
from frasier.memory.recall.lexical import LexicalMatches, find_lexical_matches
from frasier.memory.recall.merge import merge_arms
from frasier.memory.recall.neighbours import REACH
from frasier.memory.recall.ranking import Ranked, Similarity, rank
from frasier.memory.recall.relevance import relevance
from frasier.memory.recall.request import LIMIT_MAX, RecallQuery
from frasier.memory.recall.reranking import LatencyGuard, RerankInput, blend, query_tokens
from frasier.memory.recall.stage_timings import Stage, Stopwatch
from frasier.memory.recall.types import RecallRequest
from frasier.memory.recall.vector import (
    NO_VECTOR_MATCHES,
    WITHOUT_PROVIDER,
    RecallStart,
    VectorMatches,
    find_vector_matches,
    nearest,
    read_start,
)
from frasier.memory.settings import FusionSettings
from frasier.store import Statements

if TYPE_CHECKING:
    from frasier.memory.embedding.types import EncodedQuery
    from frasier.memory.vectors.types import SpaceRef, VectorHit

log = get_logger()

_sql = Statements("frasier.memory.recall")


async def make_ranking(
    dependencies: RecallDependencies, query: RecallQuery, request: RecallRequest
) -> tuple[Ranked, str]:
    """Rank everything that matches the request; also return the database snapshot from before the search."""
    watch = Stopwatch()
    search = _search if query.text.strip() else _list_newest
    start, vector_matches, pool = await search(dependencies, query, request, watch)
    if request.concepts:
        pool = await _narrow(dependencies, query, request.concepts, vector_matches.space, pool)
    late = (
        await asyncio.to_thread(_late, pool, vector_matches.encoded, dependencies.latency_guard)
        if pool.states
        else None
    )
    matched = relevance(pool, late)
    reranked = late is not None
    if dependencies.reranker is not None and request.rerank and not dependencies.latency_guard.off:
        judged = await _judge(dependencies, query, matched)
        matched |= judged
        reranked = reranked or bool(judged)
    watch.lap(Stage.RERANKING)
    intent = request.intent or classify(query.text).intent
    candidates = rank(
        pool,
        matched,
        _similarity(pool, vector_matches.encoded, late),
        text=query.text,
        intent=intent,
        min_state=request.min_state,
        settings=dependencies.settings.scoring,
    )
    watch.lap(Stage.SCORING)
    return Ranked(
        candidates=candidates,
        intent=intent,
        words=frozenset(key.word for key in pool.words.keys),
        unknown_words=_unknown_words(query.text, pool.words)
        if dependencies.settings.fusion.lexical > 0
        else (),
        guessed=tuple(f"{term.word} ({term.reason})" for term in pool.expansion.added)
        if pool.expansion
        else (),
        arms=_sizes(pool),
        degraded=vector_matches.why_not,
        reranked=reranked,
        took_ms=watch.took_ms,
    ), start.seen


def _unknown_words(text: str, known: WordHits) -> tuple[str, ...]:
    """Return the whole words of a query, in order, that say something and that no memory of the scopes has."""
    words = distinct_terms(text)
    found = known.containing()
    whole = set(re.findall(r"[^\W\d_]+", without_accents(text).casefold()))
    return tuple(
        word
        for term, word in words.items()
        if term not in found and word in whole and word not in ALL_FUNCTION_WORDS
    )


async def _search(
    dependencies: RecallDependencies, query: RecallQuery, request: RecallRequest, watch: Stopwatch
) -> tuple[RecallStart, VectorMatches, Pool]:
    """Search words and vectors concurrently, merge the arms, and load the candidates."""
    fusion = dependencies.settings.fusion.wide_enough_for(request.limit)
    seen: asyncio.Future[RecallStart] = asyncio.get_running_loop().create_future()
    words, vector_matches = await both(
        _search_words(dependencies, query, fusion, seen),
        find_vector_matches(dependencies, query, seen, limit=fusion.pool, watch=watch),
    )
    async with dependencies.database.transaction() as tx:
        joined = await merge_arms(tx, query, words, vector_matches.hits, fusion)
        watch.lap(Stage.RETRIEVAL)
        pool = await load_candidates(
            tx,
            query,
            joined,
            candidates=None if request.concepts else fusion.candidates,
            space_id=vector_matches.space.id
            if vector_matches.space is not None and not vector_matches.why_not
            else None,
            states_compared=_compares_token_states(dependencies, request, vector_matches),
        )
    watch.lap(Stage.READING)
    return seen.result(), vector_matches, pool


async def _search_words(
    dependencies: RecallDependencies,
    query: RecallQuery,
    fusion: FusionSettings,
    seen: asyncio.Future[RecallStart],
) -> LexicalMatches:
    async with dependencies.database.transaction() as tx:
        seen.set_result(await read_start(tx))
        return await find_lexical_matches(tx, query, fusion)


async def _list_newest(
    dependencies: RecallDependencies, query: RecallQuery, request: RecallRequest, watch: Stopwatch
) -> tuple[RecallStart, VectorMatches, Pool]:
    """Load the newest memories, which answer a query without words."""
    async with dependencies.database.transaction() as tx:
        start = await read_start(tx)
        pool = await newest(tx, query, limit=max(request.limit * 3, 50))
    watch.lap(Stage.RETRIEVAL)
    return start, NO_VECTOR_MATCHES if dependencies.provider else WITHOUT_PROVIDER, pool


async def _narrow(
    dependencies: RecallDependencies,
    query: RecallQuery,
    concepts: Sequence[str],
    space: SpaceRef | None,
    pool: Pool,
) -> Pool:
    """Keep the candidates that match every concept."""
    limit = dependencies.settings.fusion.wide_enough_for(LIMIT_MAX).pool
    similar: list[dict[int, float]] = []
    for concept in concepts:
        hits: list[VectorHit] = []
        if dependencies.provider is not None and space is not None:
            encoded = await dependencies.provider.encode_query(concept)
            hits = await nearest(dependencies, encoded, space, query, limit=limit)
        similar.append({hit.memory_num: hit.similarity for hit in hits})
    async with dependencies.database.transaction() as tx:
        met = await meeting_all(
            tx, [match.num for match in pool.fused], concepts, similar, scopes=query.scopes
        )
    return replace(pool, fused=[match for match in pool.fused if match.num in met])


def _compares_token_states(
    dependencies: RecallDependencies, request: RecallRequest, vector_matches: VectorMatches
) -> bool:
    """Return whether token states are compared: if that is configured, requested and possible."""
    requested = (
        request.rerank
        and dependencies.settings.rerank.method == "late_interaction"
        and not dependencies.latency_guard.off
    )
    return (
        requested
        and not vector_matches.why_not
        and vector_matches.encoded is not None
        and vector_matches.encoded.states is not None
    )


def _late(pool: Pool, encoded: EncodedQuery | None, latency_guard: LatencyGuard) -> dict[int, float] | None:
    from frasier.memory.recall.late_interaction import Window, late_scores

    began = time.perf_counter()
    tokens = query_tokens(encoded, pool.words, pool) if encoded else None
    if tokens is None:
        return None
    scores = late_scores(tokens, pool.states, pool.beside, window=Window(reach=REACH))
    latency_guard.took(time.perf_counter() - began)
    return scores


def _similarity(pool: Pool, encoded: EncodedQuery | None, late: dict[int, float] | None) -> Similarity:
    """Return the scores of the token states where the encoder has these, else the cosines of the vectors.

    Never one in place of the other: a minimum for one says nothing about the other.
    """
    if encoded is not None and encoded.states is not None:
        return Similarity(late or {}, complete=True)
    return Similarity(pool.cosines, complete=False)


async def _judge(
    dependencies: RecallDependencies, query: RecallQuery, matched: dict[int, float]
) -> dict[int, float]:
    """Rerank the head of the list; return {} if the reranker fails, so that the previous order stands."""
    assert dependencies.reranker is not None
    best = sorted(matched, key=lambda num: (-matched[num], num))[: dependencies.settings.rerank.candidates]
    async with dependencies.database.transaction() as tx:
        rows = await _sql.all(tx, "texts_of", nums=best)
    texts = {row["num"]: row["text"] for row in rows}
    head = [RerankInput(num=num, text=texts[num], relevance=matched[num]) for num in best if num in texts]
    began = time.perf_counter()
    try:
        verdicts = await dependencies.reranker.judge(query.text, [match.text for match in head])
    except ProviderError as error:
        log.warning("memory.not_reranked", error=error.message)
        return {}
    finally:
        dependencies.latency_guard.took(time.perf_counter() - began)
    judged = blend(head, verdicts)
    lowest = min(judged.values(), default=0.0)
    # The rest stays behind the reranked head, in its own order.
    rest = {num: min(score, 1.0) * lowest for num, score in matched.items() if num not in judged}
    return judged | rest


def _sizes(pool: Pool) -> dict[Arm, int]:
    sizes: dict[Arm, int] = {}
    for match in pool.fused:
        for arm in match.ranks:
            sizes[arm] = sizes.get(arm, 0) + 1
    return sizes
