"""One recall, from the arms to the ranking: what is done outside a transaction, and what inside."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import structlog

from frasier.kernel.errors import ProviderError
from frasier.kernel.together import both
from frasier.memory.recalling.by_meaning import (
    NOTHING_MEANT,
    WITHOUT_PROVIDER,
    ByMeaning,
    Start,
    find_by_meaning,
    nearest,
    see_start,
)
from frasier.memory.recalling.by_words import ByWords, find_by_words
from frasier.memory.recalling.candidates import Pool, look_closely, newest
from frasier.memory.recalling.concepts import meeting_all
from frasier.memory.recalling.fusion import Arm
from frasier.memory.recalling.intents import classify
from frasier.memory.recalling.joining import join_arms
from frasier.memory.recalling.means import Means
from frasier.memory.recalling.ranking import Ranked, rank
from frasier.memory.recalling.relevance import relevance
from frasier.memory.recalling.request import LIMIT_MAX, Sought
from frasier.memory.recalling.reranking import Judged, Patience, blend, query_tokens
from frasier.memory.recalling.stopwatch import Stage, Stopwatch
from frasier.memory.recalling.threads import REACH
from frasier.memory.recalling.types import RecallRequest
from frasier.memory.settings import FusionSettings
from frasier.store import Statements

if TYPE_CHECKING:
    from frasier.memory.embedding import EncodedQuery
    from frasier.memory.vectors import SpaceRef, VectorHit

log = structlog.get_logger()

_sql = Statements("frasier.memory.recalling")


async def make_ranking(means: Means, sought: Sought, request: RecallRequest) -> tuple[Ranked, str]:
    """The ranking of everything that answers the request, and what was committed before it was looked for."""
    watch = Stopwatch()
    look = _look if sought.text.strip() else _newest
    start, meant, pool = await look(means, sought, request, watch)
    if request.concepts:
        pool = await _narrow(means, sought, request.concepts, meant.space, pool)
    late = await asyncio.to_thread(_late, pool, meant.encoded, means.patience) if pool.states else None
    matched = relevance(pool, late)
    reranked = late is not None
    if means.reranker is not None and request.rerank and not means.patience.off:
        judged = await _judge(means, sought, matched)
        matched |= judged
        reranked = reranked or bool(judged)
    watch.lap(Stage.RERANKING)
    intent = request.intent or classify(sought.text).intent
    candidates = rank(
        pool,
        matched,
        text=sought.text,
        intent=intent,
        min_state=request.min_state,
        settings=means.settings.scoring,
    )
    watch.lap(Stage.SCORING)
    return Ranked(
        candidates=candidates,
        intent=intent,
        words=frozenset(key.word for key in pool.words.keys),
        guessed=tuple(f"{term.word} ({term.reason})" for term in pool.expansion.added)
        if pool.expansion
        else (),
        arms=_sizes(pool),
        degraded=meant.why_not,
        reranked=reranked,
        took_ms=watch.took_ms,
    ), start.seen


async def _look(
    means: Means, sought: Sought, request: RecallRequest, watch: Stopwatch
) -> tuple[Start, ByMeaning, Pool]:
    """Words are looked for while the question is encoded and its nearest are found; then all that is gathered."""
    fusion = means.settings.fusion.wide_enough_for(request.limit)
    seen: asyncio.Future[Start] = asyncio.get_running_loop().create_future()
    words, meant = await both(
        _by_words(means, sought, fusion, seen),
        find_by_meaning(means, sought, seen, limit=fusion.pool, watch=watch),
    )
    async with means.database.transaction() as tx:
        joined = await join_arms(tx, sought, words, meant.hits, fusion)
        watch.lap(Stage.RETRIEVAL)
        pool = await look_closely(
            tx,
            sought,
            joined,
            candidates=None if request.concepts else fusion.candidates,
            space_id=meant.space.id if meant.space is not None and not meant.why_not else None,
            states_compared=_compares_states(means, request, meant),
        )
    watch.lap(Stage.READING)
    return seen.result(), meant, pool


async def _by_words(
    means: Means, sought: Sought, fusion: FusionSettings, seen: asyncio.Future[Start]
) -> ByWords:
    async with means.database.transaction() as tx:
        seen.set_result(await see_start(tx))
        return await find_by_words(tx, sought, fusion)


async def _newest(
    means: Means, sought: Sought, request: RecallRequest, watch: Stopwatch
) -> tuple[Start, ByMeaning, Pool]:
    """What answers a question without words."""
    async with means.database.transaction() as tx:
        start = await see_start(tx)
        pool = await newest(tx, sought, limit=max(request.limit * 3, 50))
    watch.lap(Stage.RETRIEVAL)
    return start, NOTHING_MEANT if means.provider else WITHOUT_PROVIDER, pool


async def _narrow(
    means: Means, sought: Sought, concepts: Sequence[str], space: SpaceRef | None, pool: Pool
) -> Pool:
    """The candidates that meet every concept."""
    limit = means.settings.fusion.wide_enough_for(LIMIT_MAX).pool
    similar: list[dict[int, float]] = []
    for concept in concepts:
        hits: list[VectorHit] = []
        if means.provider is not None and space is not None:
            encoded = await means.provider.encode_query(concept)
            hits = await nearest(means, encoded, space, sought, limit=limit)
        similar.append({hit.memory_num: hit.similarity for hit in hits})
    async with means.database.transaction() as tx:
        met = await meeting_all(tx, [one.num for one in pool.fused], concepts, similar, scopes=sought.scopes)
    return replace(pool, fused=[one for one in pool.fused if one.num in met])


def _compares_states(means: Means, request: RecallRequest, meant: ByMeaning) -> bool:
    """Whether token states are compared: where that is wanted and possible."""
    wanted = request.rerank and means.settings.rerank.method == "late_interaction" and not means.patience.off
    return wanted and not meant.why_not and meant.encoded is not None and meant.encoded.states is not None


def _late(pool: Pool, encoded: EncodedQuery | None, patience: Patience) -> dict[int, float] | None:
    from frasier.memory.recalling.late_interaction import Window, late_scores

    began = time.perf_counter()
    tokens = query_tokens(encoded, pool.words, pool) if encoded else None
    if tokens is None:
        return None
    scores = late_scores(tokens, pool.states, pool.beside, window=Window(reach=REACH))
    patience.took(time.perf_counter() - began)
    return scores


async def _judge(means: Means, sought: Sought, matched: dict[int, float]) -> dict[int, float]:
    """What the reranker makes of the head of the list; nothing where it fails: the order before it stands."""
    assert means.reranker is not None
    best = sorted(matched, key=lambda num: (-matched[num], num))[: means.settings.rerank.candidates]
    async with means.database.transaction() as tx:
        rows = await _sql.all(tx, "texts_of", nums=best)
    texts = {row["num"]: row["text"] for row in rows}
    head = [Judged(num=num, text=texts[num], relevance=matched[num]) for num in best if num in texts]
    began = time.perf_counter()
    try:
        verdicts = await means.reranker.judge(sought.text, [one.text for one in head])
    except ProviderError as error:
        log.warning("memory.not_reranked", error=error.message)
        return {}
    finally:
        means.patience.took(time.perf_counter() - began)
    judged = blend(head, verdicts)
    least = min(judged.values(), default=0.0)
    # What was not judged stays behind what was, in its own order.
    rest = {num: min(score, 1.0) * least for num, score in matched.items() if num not in judged}
    return judged | rest


def _sizes(pool: Pool) -> dict[Arm, int]:
    sizes: dict[Arm, int] = {}
    for one in pool.fused:
        for arm in one.ranks:
            sizes[arm] = sizes.get(arm, 0) + 1
    return sizes
