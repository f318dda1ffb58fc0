"""One recall, from the arms to the ranking: what is done outside a transaction, and what inside."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import structlog
from psycopg.rows import DictRow

from frasier.kernel.errors import ConfigurationError, ProviderError
from frasier.memory.changes import snapshot
from frasier.memory.recalling.candidates import REACH, Pool, Sought, gather, newest
from frasier.memory.recalling.concepts import meeting_all
from frasier.memory.recalling.fusion import Arm
from frasier.memory.recalling.intents import classify
from frasier.memory.recalling.ranking import Ranked, rank
from frasier.memory.recalling.relevance import relevance
from frasier.memory.recalling.reranking import Judged, Patience, Reranker, blend, query_tokens
from frasier.memory.recalling.types import RecallRequest
from frasier.memory.settings import MemorySettings
from frasier.store import Database, Statements, Tx

if TYPE_CHECKING:
    from frasier.memory.embedding import Breaker, EncodedQuery, ModelIdentity
    from frasier.memory.vectors import SpaceRef, VectorHit, VectorStore

log = structlog.get_logger()

_sql = Statements("frasier.memory.recalling")


@dataclass(slots=True, kw_only=True)
class Means:
    """What a recall works with. `provider` is None where no vectors are wanted."""

    database: Database
    settings: MemorySettings
    provider: Breaker | None
    store: VectorStore
    reranker: Reranker | None
    patience: Patience
    settled: bool = False

    async def settle(self) -> str:
        """Opens the provider's vector space where that was not done yet; says why it cannot be, or nothing."""
        if self.provider is None or self.settled:
            return ""
        from frasier.memory.embedding import settle_space

        try:
            await settle_space(self.database, self.provider)
        except (ProviderError, ConfigurationError) as error:
            log.warning("memory.no_encoder", error=error.message)
            return error.message
        self.settled = True
        return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Vectors:
    """The encoded question, by which model, and its space; `why_not` says in words why there is none."""

    encoded: EncodedQuery | None = None
    identity: ModelIdentity | None = None
    space: SpaceRef | None = None
    why_not: str = ""


async def make_ranking(means: Means, sought: Sought, request: RecallRequest) -> tuple[Ranked, str]:
    """The ranking of everything that answers the request, and the snapshot that it was made from."""
    vectors = await _encode(means, sought)
    found: list[VectorHit] = []
    if vectors.encoded is not None and means.store.external:
        async with means.database.transaction() as tx:
            vectors = await _in_space(tx, vectors)
    if vectors.encoded is not None and vectors.space is not None:
        try:
            found = await _nearest(None, means, vectors.encoded, vectors.space, sought)
        except ProviderError as error:
            vectors = _Vectors(why_not=f"The vector store cannot be searched: {error.message}")
    async with means.database.transaction() as tx:
        seen = await snapshot(tx)
        if not sought.text.strip():
            pool = await newest(tx, sought, limit=max(request.limit * 3, 50))
        else:
            if vectors.encoded is not None and not means.store.external:
                vectors = await _in_space(tx, vectors)
                if vectors.encoded is not None and vectors.space is not None:
                    found = await _nearest(tx, means, vectors.encoded, vectors.space, sought)
            pool = await gather(
                tx,
                sought,
                found,
                means.settings.fusion,
                space_id=_space_of_states(means, request, vectors),
            )
    if request.concepts:
        pool = await _narrow(means, sought, request.concepts, vectors, pool)
    late = await asyncio.to_thread(_late, pool, vectors.encoded, means.patience) if pool.states else None
    matched = relevance(pool, late)
    reranked = late is not None
    if means.reranker is not None and request.rerank and not means.patience.off:
        judged = await _judge(means, sought, matched)
        matched |= judged
        reranked = reranked or bool(judged)
    intent = request.intent or classify(sought.text).intent
    candidates = rank(
        pool,
        matched,
        text=sought.text,
        intent=intent,
        min_state=request.min_state,
        settings=means.settings.scoring,
    )
    return Ranked(
        candidates=candidates,
        intent=intent,
        words=frozenset(key.word for key in pool.words.keys),
        guessed=tuple(f"{term.word} ({term.reason})" for term in pool.expansion.added)
        if pool.expansion
        else (),
        arms=_sizes(pool),
        degraded=vectors.why_not,
        reranked=reranked,
    ), seen


async def _encode(means: Means, sought: Sought) -> _Vectors:
    """The question's vector, where one is wanted and can be made."""
    if means.provider is None:
        return _Vectors(why_not="No embedding provider is set: the answer is by words only.")
    if not sought.text.strip() or means.settings.fusion.vector <= 0:
        return _Vectors()
    if trouble := await means.settle():
        return _Vectors(why_not=f"The encoder cannot work ({trouble}): the answer is by words only.")
    try:
        identity = await means.provider.identity()
        encoded = await means.provider.encode_query(sought.text)
    except (ProviderError, ConfigurationError) as error:
        log.warning("memory.query_not_encoded", error=error.message)
        return _Vectors(
            why_not=f"The question could not be encoded ({error.message}): the answer is by words only."
        )
    return _Vectors(encoded=encoded, identity=identity)


async def _in_space(tx: Tx, vectors: _Vectors) -> _Vectors:
    """With the space that is searched, if its vectors are of the same model; only those can be compared."""
    from frasier.memory.vectors import SpaceRef

    identity = vectors.identity
    assert identity is not None
    row = await _sql.maybe(tx, "active_space")
    if row is None:
        return _Vectors(why_not="No memory has a vector yet: the answer is by words only.")
    if (identity.provider, identity.model, identity.dimension) != _identity_of(row):
        return _Vectors(
            why_not=f"The vectors are of {row['model']}, the encoder is {identity.model}: until all are made anew"
            " the answer is by words only."
        )
    return replace(vectors, space=SpaceRef(id=row["id"], dimension=row["dimension"]))


def _identity_of(row: DictRow) -> tuple[str, str, int]:
    return row["provider"], row["model"], row["dimension"]


async def _narrow(
    means: Means, sought: Sought, concepts: Sequence[str], vectors: _Vectors, pool: Pool
) -> Pool:
    """The candidates that meet every concept."""
    similar: list[dict[int, float]] = []
    for concept in concepts:
        encoded = await means.provider.encode_query(concept) if means.provider and vectors.space else None
        hits: list[VectorHit] = []
        if encoded is not None and vectors.space is not None:
            if means.store.external:
                hits = await _nearest(None, means, encoded, vectors.space, sought)
            else:
                async with means.database.transaction() as tx:
                    hits = await _nearest(tx, means, encoded, vectors.space, sought)
        similar.append({hit.memory_num: hit.similarity for hit in hits})
    async with means.database.transaction() as tx:
        met = await meeting_all(tx, [one.num for one in pool.fused], concepts, similar, scopes=sought.scopes)
    return replace(pool, fused=[one for one in pool.fused if one.num in met])


async def _nearest(
    tx: Tx | None, means: Means, encoded: EncodedQuery, space: SpaceRef, sought: Sought
) -> list[VectorHit]:
    return await means.store.search(
        tx,
        space,
        encoded.vector,
        scopes=sought.scopes,
        kinds=sought.kinds,
        limit=means.settings.fusion.pool,
        agent_id=sought.agent_id,
    )


def _space_of_states(means: Means, request: RecallRequest, vectors: _Vectors) -> int | None:
    """The space whose token states are compared, where that is wanted and possible."""
    wanted = request.rerank and means.settings.rerank.method == "late_interaction" and not means.patience.off
    if not wanted or vectors.space is None or vectors.encoded is None or vectors.encoded.states is None:
        return None
    return vectors.space.id


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
