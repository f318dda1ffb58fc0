"""The memory engine: one object for any program that embeds the memory, with or without an organisation.

    async with open_engine(database, MemorySettings()) as engine:
        saved = await engine.save(caller, NewMemory(...))
        answer = await engine.recall(caller, RecallRequest(text="why did we leave SQLite?"))

It holds what outlives a transaction: the encoder, the vector store, the reranker and the cache of rankings. Use cases
that need only a transaction are functions of this package.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar
from uuid import UUID

from frasier.kernel.copy_fields import copy_fields
from frasier.kernel.errors import ProviderError, StoreError
from frasier.kernel.humanize import plural
from frasier.kernel.logging_setup import get_logger
from frasier.memory.background_embedder import BackgroundEmbedder
from frasier.memory.engine_health import EngineHealth
from frasier.memory.recall.cache import RankingCache
from frasier.memory.recall.dependencies import RecallDependencies
from frasier.memory.recall.reranking import LatencyGuard
from frasier.store import Statements

if TYPE_CHECKING:
    from frasier.memory.access import Caller
    from frasier.memory.admission.admit import Saved
    from frasier.memory.embedding.queue import EmbeddedCount
    from frasier.memory.embedding.resilient_provider import Breaker
    from frasier.memory.embedding.token_counts import TokenCounter
    from frasier.memory.embedding.types import EmbeddingProvider
    from frasier.memory.files.service import MemoryFiles
    from frasier.memory.recall.ranking import Ranked
    from frasier.memory.recall.request import RecallQuery
    from frasier.memory.recall.reranking import Reranker
    from frasier.memory.recall.types import RecallAnswer, RecallRequest
    from frasier.memory.settings import MemorySettings, VectorStoreSettings
    from frasier.memory.types import Memory, NewMemory
    from frasier.memory.vectors.types import VectorStore
    from frasier.store import Database, InTransaction, Tx

P = ParamSpec("P")
T = TypeVar("T")

log = get_logger()

_sql = Statements("frasier.memory")


class MemoryEngine:
    """Save and recall memories. Any number of tasks may use one engine at once."""

    def __init__(
        self,
        database: Database,
        settings: MemorySettings,
        *,
        provider: Breaker | None,
        store: VectorStore,
        counter: TokenCounter,
        reranker: Reranker | None = None,
        encode_saves: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.database = database
        self.in_transaction: InTransaction = database.in_transaction
        self.settings = settings
        self.counter = counter
        self._dependencies = RecallDependencies(
            database=database,
            settings=settings,
            provider=provider,
            store=store,
            reranker=reranker,
            latency_guard=LatencyGuard(settings.rerank.slow_ms),
        )
        self._cache = RankingCache()
        self._vectors = BackgroundEmbedder(self._dependencies, encode_saves=encode_saves, clock=clock)

    def configured(self, settings: MemorySettings) -> MemoryEngine:
        """Return an engine over the same encoder and store that ranks by other settings."""
        return MemoryEngine(
            self.database,
            settings,
            provider=self._dependencies.provider,
            store=self._dependencies.store,
            counter=self.counter,
            reranker=self._dependencies.reranker,
        )

    @cached_property
    def files(self) -> MemoryFiles:
        """The Markdown files of this memory."""
        from frasier.memory.files.service import MemoryFiles

        return MemoryFiles(self.database, self.settings.roots)

    async def on_memory(
        self,
        caller: Caller,
        name: str,
        use_case: Callable[Concatenate[Tx, Caller, UUID, P], Awaitable[T]],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> tuple[Memory, T]:
        """Find the memory that `name` is the id of, or a part of it, and run one use case with it, in one transaction.

        Returns the memory as it was found, and what the use case returns. Raises as find_memory does.
        """
        from frasier.memory.lists import find_memory

        async with self.database.transaction() as tx:
            memory = await find_memory(tx, caller, name)
            return memory, await use_case(tx, caller, memory.id, *args, **kwargs)

    async def save(
        self, caller: Caller, new: NewMemory, *, gate: bool | None = None, dry_run: bool = False
    ) -> Saved:
        """Save `new` in one of the caller's scopes; its words can be searched at once, its vector follows.

        Unless `gate` is off, similar memories are reinforced, updated, superseded or linked, and the result says
        which. Raises InvalidInput, NotAllowed.
        """
        from frasier.memory.admission.admit import admit_and_save

        caller.allow([new.scope])
        gated = self.settings.gate if gate is None else gate
        async with self.database.transaction() as tx:
            saved = await admit_and_save(tx, caller, new, gate=gated, dry_run=dry_run)
        if saved.id is not None and not dry_run:
            self.encode_soon(saved.id, new.content)
        return saved

    def encode_soon(self, memory_id: UUID, content: str) -> None:
        """Encode a memory that was just saved in the background, if it is short and this process stays.

        Other missing vectors are made by embed_due.
        """
        self._vectors.soon(memory_id, content)

    def leave_saves_to_others(self) -> None:
        """Stop encoding in the background: this process exits once it has saved."""
        self._vectors.encode_saves = False

    async def recall(self, caller: Caller, request: RecallRequest) -> RecallAnswer:
        """Return the memories that answer the request best, and why. Opens its own transactions.

        If an arm cannot search, the others answer, and `degraded` says why. Raises InvalidInput and NotAllowed
        for a request that breaks a rule, NotFound for an unknown session or one of another caller.
        """
        from frasier.memory.recall.page import answer
        from frasier.memory.recall.request import recall_query
        from frasier.memory.sessions.types import SessionRules
        from frasier.memory.strength.usage import mark_shown

        query = recall_query(caller, request, expand=self.settings.expansion)
        ranked, cache_hit = await self._ranking(query, request)
        rules = SessionRules(
            idle_s=self.settings.sessions.forget_after_s,
            deliveries_max=self.settings.sessions.deliveries_max,
        )
        async with self.database.transaction() as tx:
            result = await answer(
                tx,
                caller,
                query,
                request,
                ranked,
                counter=self.counter,
                rules=rules,
                dedupe=self.settings.sessions.dedupe,
                cache_hit=cache_hit,
                vectors=self._dependencies.provider is not None
                and self._dependencies.settings.fusion.vector > 0,
            )
        if request.track and result.hits:
            await self._note(mark_shown, [hit.memory.id for hit in result.hits])
        return result

    @property
    def rerank_off(self) -> bool:
        """Whether reranking is switched off for a while because it was too slow."""
        return self._dependencies.latency_guard.off

    async def note_fetched(self, memory_id: UUID) -> None:
        """Count a use of a memory that was read in full; the caller has checked access."""
        from frasier.memory.strength.usage import mark_used

        await self._note(mark_used, [memory_id])

    async def _ranking(self, query: RecallQuery, request: RecallRequest) -> tuple[Ranked, bool]:
        """Return the cached ranking if nobody wrote to the scopes since, else a new one; and whether it was cached."""
        from frasier.memory.cache_invalidation import unchanged_since
        from frasier.memory.recall.pipeline import make_ranking

        if not (request.cached and self.settings.cache):
            return (await make_ranking(self._dependencies, query, request))[0], False
        key = (query, request.concepts, request.intent, request.min_state, request.rerank, request.limit)
        async with self._cache.alone(key):
            if (cached := self._cache.get(key)) is not None:
                async with self.database.transaction() as tx:
                    if await unchanged_since(tx, query.scopes, cached.seen):
                        return cached.ranked, True
                self._cache.drop(key)
            ranked, seen = await make_ranking(self._dependencies, query, request)
            if not ranked.degraded or self._dependencies.provider is None:
                self._cache.put(key, ranked, seen)
            return ranked, False

    async def _note(
        self, mark: Callable[[Tx, Collection[UUID]], Awaitable[int]], memory_ids: Collection[UUID]
    ) -> None:
        """Record reads. It matters less than the answer, so it neither waits for the disk nor fails the recall."""
        try:
            async with self.database.transaction() as tx:
                await _sql.run(tx, "commit_lazily")
                await mark(tx, memory_ids)
        except StoreError as error:
            log.warning("memory.use_not_counted", error=error.message)

    async def embed_due(self, *, limit: int = 256) -> int:
        """Make up to `limit` of the vectors that are due; return how many. Opens its own transactions.

        0 if nothing is due or nothing can be made now: embedding_status says which.
        """
        return (await self._vectors.round(limit=limit)).embedded

    async def embed_round(self, *, limit: int) -> EmbeddedCount:
        """Do what embed_due does, and report what failed and why it stopped."""
        return await self._vectors.round(limit=limit)

    async def embed_briefly(self, within_s: float) -> None:
        """Make missing vectors for a caller who waits, for at most `within_s` seconds; leave long texts to embed_due.

        A provider that does not answer a query in time is not called again, and nothing is retried.
        """
        await self._vectors.briefly(within_s)

    def vectors_outage(self) -> str | None:
        """Return why embed_due can make no vectors in this process; empty while they are made or none are configured,
        None while that is unknown.
        """
        return "" if self._dependencies.provider is None else self._vectors.outage

    async def tend_vectors(self) -> None:
        """Maintain the vector spaces: switch to a complete one, remove the remains of retired spaces and of deleted
        memories, and keep the index. May take minutes.
        """
        from frasier.memory.embedding.maintenance import tend_spaces

        await tend_spaces(self.database, self._dependencies.store)

    async def forget_vectors(self, memory_nums: Collection[int]) -> None:
        """Remove the vectors of memories by number; call it once their deletion is committed.

        In PostgreSQL they were deleted with the memories. An external store that cannot be reached delays nothing:
        tend_vectors finds and removes what stays there.
        """
        if not memory_nums or not self._dependencies.store.external:
            return
        from frasier.memory.embedding.reconcile import forget_vectors

        try:
            await forget_vectors(self.database, self._dependencies.store, memory_nums)
        except (ProviderError, StoreError) as error:
            log.warning("memory.vectors_left", memories=len(memory_nums), error=error.message)

    async def release_if_idle(self) -> None:
        """Release the encoder if it was idle for a while."""
        if self._dependencies.provider is not None:
            self._dependencies.provider.release_if_idle()

    async def retry_embeddings(self, caller: Caller, scope: str | None = None) -> int:
        """Make failed embeddings due at once, in one scope or in all of the caller's; return how many."""
        from frasier.memory.embedding.status import retry_failed

        scopes = caller.allow([scope] if scope else [])
        async with self.database.transaction() as tx:
            return sum([await retry_failed(tx, name) for name in scopes])

    async def health(self) -> EngineHealth:
        """Return the state of the vectors and of the encoder, store and reranker, without a network call."""
        from frasier.memory.embedding.status import embedding_status

        async with self.database.transaction() as tx:
            status = await embedding_status(tx)
            inside = None if self._dependencies.store.external else await self._dependencies.store.check(tx)
        store = inside or await self._dependencies.store.check(None)
        provider = self._dependencies.provider
        circuit = provider.health() if provider is not None else None
        trouble = [
            *([] if store.ok else [store.detail]),
            *([f"Vectors are missing: {status.reason}"] if status.reason else []),
            *(["Vectors have been missing for more than a day"] if status.overdue else []),
            *(
                [f"No vector after several tries: {plural(status.failed, 'memory', 'memories')}"]
                if status.failed
                else []
            ),
            *([circuit.last_error] if circuit and circuit.state != "closed" else []),
            *(["Reranking is off for a while: it was too slow"] if self.rerank_off else []),
        ]
        return copy_fields(
            EngineHealth,
            status,
            encoder=status.active.identity.model if status.active else "",
            circuit=str(circuit.state) if circuit else "none",
            oldest_pending_s=status.oldest_s,
            building=status.building.identity.model if status.building else "",
            store=store.detail,
            rerank_off=self.rerank_off,
            trouble=tuple(trouble),
        )

    async def check_key(self) -> str:
        """Ask a configured provider whether it accepts the key: "" if it does, else a warning.

        Waits at most 3 s. Raises ConfigurationError (E050) only where the key is refused.
        """
        from frasier.memory.embedding.factory import check_key

        provider = self._dependencies.provider
        if provider is None or self.settings.embedding.provider in {"local", "none"}:
            return ""
        return await check_key(provider)

    async def check_encoder(self) -> str:
        """Call the encoder once: "" if it works or none is configured, else why memories are found by words only.

        Raises ConfigurationError (E050) if its key is refused.
        """
        provider = self._dependencies.provider
        if provider is None:
            return ""
        if self.settings.embedding.provider != "local":
            return await self.check_key()
        try:  # it has no key; only missing or damaged files can be wrong
            await provider.identity()
        except ProviderError as error:
            return error.message
        return ""

    async def encoder_name(self) -> str:
        """Return the name of the model whose vectors are searched, empty if there are none."""
        from frasier.memory.embedding.spaces import active_space

        async with self.database.transaction() as tx:
            space = await active_space(tx)
        return space.identity.model if space else ""

    async def close(self) -> None:
        """Close the encoder, the store and the reranker, but not the database, which belongs to the caller."""
        await self._vectors.close()
        for part in (self._dependencies.provider, self._dependencies.store, self._dependencies.reranker):
            if part is not None:
                await part.close()


@asynccontextmanager
async def open_engine(
    database: Database,
    settings: MemorySettings,
    *,
    provider: EmbeddingProvider | None = None,
    owner_url: str | None = None,
    encode_saves: bool = True,
    clock: Callable[[], float] = time.monotonic,
) -> AsyncIterator[MemoryEngine]:
    """Open an engine as `make_engine` does, and close it at the end."""
    engine = make_engine(
        database,
        settings,
        provider=provider,
        owner_url=owner_url,
        encode_saves=encode_saves,
        clock=clock,
    )
    try:
        yield engine
    finally:
        await engine.close()


def make_engine(
    database: Database,
    settings: MemorySettings,
    *,
    provider: EmbeddingProvider | None = None,
    owner_url: str | None = None,
    encode_saves: bool = True,
    clock: Callable[[], float] = time.monotonic,
) -> MemoryEngine:
    """Return an engine over `database`, to be closed by the caller. `provider` replaces the configured one.

    Unless `encode_saves` is off, a short save gets its vector at once, in the background. `clock` is monotonic.
    `owner_url` connects as the role that owns the schema, which builds indexes; None if the database's URL does.
    """
    from frasier.memory.embedding.factory import make_provider
    from frasier.memory.embedding.resilient_provider import Breaker
    from frasier.memory.embedding.token_counts import TokenCounter
    from frasier.memory.rerankers.factory import make_reranker

    return MemoryEngine(
        database,
        settings,
        provider=Breaker(provider) if provider else make_provider(settings.embedding),
        store=_store(settings.vector_store, owner_url),
        counter=TokenCounter(),
        reranker=make_reranker(settings.rerank),
        encode_saves=encode_saves,
        clock=clock,
    )


def _store(settings: VectorStoreSettings, owner_url: str | None) -> VectorStore:
    from frasier.memory.vectors.postgres import PgVectorStore
    from frasier.memory.vectors.qdrant_factory import open_qdrant

    if settings.kind == "postgres":
        return PgVectorStore(owner_url=owner_url)
    key = settings.api_key.get_secret_value() if settings.api_key else None
    return open_qdrant(settings.url, api_key=key, prefix=settings.prefix)
