"""The memory engine: one object for whoever embeds the memory, with or without an organisation.

    async with open_engine(database, MemorySettings()) as engine:
        saved = await engine.save(caller, NewMemory(...))
        answer = await engine.recall(caller, RecallRequest(text="why did we leave SQLite?"))

It holds what outlives a transaction: the encoder, the vector store, the reranker and the cache of rankings. What
needs only a transaction are the use cases of this package, each of which takes one.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar
from uuid import UUID

import structlog

from frasier.kernel.errors import ProviderError, StoreError
from frasier.kernel.wording import plural
from frasier.memory.recalling import Means, Patience, RankingCache
from frasier.memory.save_encoder import VectorMaking
from frasier.store import Statements

if TYPE_CHECKING:
    from frasier.memory.access import Caller
    from frasier.memory.embedding import Breaker, EmbeddedCount, EmbeddingProvider, TokenCounter
    from frasier.memory.files import MemoryFiles
    from frasier.memory.recalling import Answer, RecallRequest, Reranker
    from frasier.memory.recalling.ranking import Ranked
    from frasier.memory.recalling.request import Sought
    from frasier.memory.saving import Saved
    from frasier.memory.settings import MemorySettings, VectorStoreSettings
    from frasier.memory.types import Memory, NewMemory
    from frasier.memory.vectors import VectorStore
    from frasier.store import Database, InTransaction, Tx

P = ParamSpec("P")
T = TypeVar("T")

log = structlog.get_logger()

_sql = Statements("frasier.memory")


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineHealth:
    """What works. `encoder` is empty where no vectors are made; `trouble` says in words what is wrong, if anything.

    `circuit` is closed while the provider answers. Ages are in seconds.
    """

    encoder: str
    circuit: str
    pending: int
    retry: int
    failed: int
    oldest_pending_s: float
    overdue: bool
    building: str
    store: str
    rerank_off: bool
    trouble: tuple[str, ...]


class MemoryEngine:
    """Saves and recalls. Any number of tasks may use it at once."""

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
        self._means = Means(
            database=database,
            settings=settings,
            provider=provider,
            store=store,
            reranker=reranker,
            patience=Patience(settings.rerank.slow_ms),
        )
        self._cache = RankingCache()
        self._vectors = VectorMaking(self._means, encode_saves=encode_saves, clock=clock)

    def configured(self, settings: MemorySettings) -> MemoryEngine:
        """An engine over the same encoder and store that ranks by other settings."""
        return MemoryEngine(
            self.database,
            settings,
            provider=self._means.provider,
            store=self._means.store,
            counter=self.counter,
            reranker=self._means.reranker,
        )

    @cached_property
    def files(self) -> MemoryFiles:
        """The Markdown files of this memory."""
        from frasier.memory.files import MemoryFiles

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
        from frasier.memory.listing import find_memory

        async with self.database.transaction() as tx:
            memory = await find_memory(tx, caller, name)
            return memory, await use_case(tx, caller, memory.id, *args, **kwargs)

    async def save(
        self, caller: Caller, new: NewMemory, *, gate: bool | None = None, dry_run: bool = False
    ) -> Saved:
        """Remembers `new` in one of the caller's scopes; its words are findable at once, its vector follows.

        Unless `gate` is off, what resembles it is reinforced, updated, superseded or linked, and the answer says
        which. Raises InvalidInput, NotAllowed.
        """
        from frasier.memory.saving import admit_and_save

        caller.allow([new.scope])
        gated = self.settings.gate if gate is None else gate
        async with self.database.transaction() as tx:
            saved = await admit_and_save(tx, caller, new, gate=gated, dry_run=dry_run)
        if saved.id is not None and not dry_run:
            self.encode_soon(saved.id, new.content)
        return saved

    def encode_soon(self, memory_id: UUID, content: str) -> None:
        """Makes the vector of what was just saved in the background, where it is short and this process stays.

        Other vectors that are owed are made by embed_due.
        """
        self._vectors.soon(memory_id, content)

    def leave_saves_to_others(self) -> None:
        """Encodes nothing in the background any more: this process ends with what it saves."""
        self._vectors.encode_saves = False

    async def recall(self, caller: Caller, request: RecallRequest) -> Answer:
        """What answers the request best, and why. Opens its own transactions.

        Where an arm cannot look, the others answer, and `degraded` says why. Raises InvalidInput and NotAllowed
        for a request that breaks a rule, NotFound for an unknown session of another's.
        """
        from frasier.memory.forgetting import mark_shown
        from frasier.memory.recalling import answer, sought
        from frasier.memory.sessions import SessionRules

        wanted = sought(caller, request, expand=self.settings.expansion)
        ranked, cache_hit = await self._ranking(wanted, request)
        rules = SessionRules(
            idle_s=self.settings.sessions.forget_after_s,
            deliveries_max=self.settings.sessions.deliveries_max,
        )
        async with self.database.transaction() as tx:
            given = await answer(
                tx,
                caller,
                wanted,
                request,
                ranked,
                counter=self.counter,
                rules=rules,
                dedupe=self.settings.sessions.dedupe,
                cache_hit=cache_hit,
                vectors=self._means.provider is not None and self._means.settings.fusion.vector > 0,
            )
        if request.track and given.hits:
            await self._note(mark_shown, [hit.memory.id for hit in given.hits])
        return given

    @property
    def rerank_off(self) -> bool:
        """Whether reranking is off for a while because it was too slow."""
        return self._means.patience.off

    async def note_fetched(self, memory_id: UUID) -> None:
        """Counts a use of a memory that somebody read whole, whom the caller has checked."""
        from frasier.memory.forgetting import mark_used

        await self._note(mark_used, [memory_id])

    async def _ranking(self, wanted: Sought, request: RecallRequest) -> tuple[Ranked, bool]:
        """The ranking from the cache, if nobody wrote to the scopes since, else a new one."""
        from frasier.memory.changes import unchanged_since
        from frasier.memory.recalling import make_ranking

        if not (request.cached and self.settings.cache):
            return (await make_ranking(self._means, wanted, request))[0], False
        key = (wanted, request.concepts, request.intent, request.min_state, request.rerank, request.limit)
        async with self._cache.alone(key):
            if (known := self._cache.get(key)) is not None:
                async with self.database.transaction() as tx:
                    if await unchanged_since(tx, wanted.scopes, known.seen):
                        return known.ranked, True
                self._cache.drop(key)
            ranked, seen = await make_ranking(self._means, wanted, request)
            if not ranked.degraded or self._means.provider is None:
                self._cache.put(key, ranked, seen)
            return ranked, False

    async def _note(
        self, mark: Callable[[Tx, Collection[UUID]], Awaitable[int]], memory_ids: Collection[UUID]
    ) -> None:
        """Notes what was read. Worth little beside the answer, so it neither waits for the disk nor fails it."""
        try:
            async with self.database.transaction() as tx:
                await _sql.run(tx, "commit_lazily")
                await mark(tx, memory_ids)
        except StoreError as error:
            log.warning("memory.use_not_counted", error=error.message)

    async def embed_due(self, *, limit: int = 256) -> int:
        """Makes the vectors that are owed, up to `limit`; returns how many. Opens its own transactions.

        0 where nothing is due, or nothing can be made now: embedding_status says which.
        """
        return (await self._vectors.round(limit=limit)).embedded

    async def embed_round(self, *, limit: int) -> EmbeddedCount:
        """Does what embed_due does, and says what failed and why it had to stop."""
        return await self._vectors.round(limit=limit)

    async def embed_briefly(self, within_s: float) -> None:
        """Makes owed vectors for somebody who waits, for `within_s` seconds at most; long texts are left to embed_due.

        A provider that does not answer a query in time is asked no more, and nothing is tried again.
        """
        await self._vectors.briefly(within_s)

    def vectors_outage(self) -> str | None:
        """Why no vectors can be made, as embed_due has met it here; empty while they are made or none are wanted, None
        where that has not been seen yet.
        """
        return "" if self._means.provider is None else self._vectors.outage

    async def tend_vectors(self) -> None:
        """Switches to a space that is complete, removes what is left of others and of deleted memories, and keeps the
        index. Takes its time.
        """
        from frasier.memory.embedding import tend_spaces

        await tend_spaces(self.database, self._means.store)

    async def forget_vectors(self, gone: Collection[int]) -> None:
        """Removes the vectors of memories by number, to be called once their deletion is committed.

        In PostgreSQL they went with the memories. A store elsewhere that cannot be reached now holds up nothing: what
        stays there is found and removed by tend_vectors.
        """
        if not gone or not self._means.store.external:
            return
        from frasier.memory.embedding import forget_vectors

        try:
            await forget_vectors(self.database, self._means.store, gone)
        except (ProviderError, StoreError) as error:
            log.warning("memory.vectors_left", memories=len(gone), error=error.message)

    async def release_if_idle(self) -> None:
        """Lets the encoder go where nobody needed it for a while."""
        if self._means.provider is not None:
            self._means.provider.release_if_idle()

    async def retry_embeddings(self, caller: Caller, scope: str | None = None) -> int:
        """Tries again at once what has no vector after failures, in one scope or in all of the caller's; how many."""
        from frasier.memory.embedding import retry_failed

        scopes = caller.allow([scope] if scope else [])
        async with self.database.transaction() as tx:
            return sum([await retry_failed(tx, name) for name in scopes])

    async def health(self) -> EngineHealth:
        """How it stands with the vectors and the parts that make and keep them. Asks nobody outside."""
        from frasier.memory.embedding import embedding_status

        async with self.database.transaction() as tx:
            status = await embedding_status(tx)
            inside = None if self._means.store.external else await self._means.store.check(tx)
        store = inside or await self._means.store.check(None)
        provider = self._means.provider
        circuit = provider.health() if provider is not None else None
        trouble = [
            *([] if store.ok else [store.detail]),
            *([f"Vectors are owed: {status.reason}"] if status.reason else []),
            *(["Vectors are owed for more than a day"] if status.overdue else []),
            *(
                [f"No vector after several tries: {plural(status.failed, 'memory', 'memories')}"]
                if status.failed
                else []
            ),
            *([circuit.last_error] if circuit and circuit.state != "closed" else []),
            *(["Reranking is off for a while: it was too slow"] if self.rerank_off else []),
        ]
        return EngineHealth(
            encoder=status.active.identity.model if status.active else "",
            circuit=str(circuit.state) if circuit else "none",
            pending=status.pending,
            retry=status.retry,
            failed=status.failed,
            oldest_pending_s=status.oldest_s,
            overdue=status.overdue,
            building=status.building.identity.model if status.building else "",
            store=store.detail,
            rerank_off=self.rerank_off,
            trouble=tuple(trouble),
        )

    async def check_key(self) -> str:
        """Ask a provider that was chosen for its vectors whether it takes the key: "" where it does, else a warning.

        Waits at most 3 s. Raises ConfigurationError (E050) only where the key is refused.
        """
        from frasier.memory.embedding import check_key

        provider = self._means.provider
        if provider is None or self.settings.embedding.provider in {"local", "none"}:
            return ""
        return await check_key(provider)

    async def check_encoder(self) -> str:
        """Asks the encoder once: "" where it works or none is set, else why memories are found by their words only.

        Raises ConfigurationError (E050) where its key is refused.
        """
        provider = self._means.provider
        if provider is None:
            return ""
        if self.settings.embedding.provider != "local":
            return await self.check_key()
        try:  # it has no key; that its files are there and whole is all that can be wrong
            await provider.identity()
        except ProviderError as error:
            return error.message
        return ""

    async def encoder_name(self) -> str:
        """Whose vectors are searched: the model's name, empty where there are none."""
        from frasier.memory.embedding import active_space

        async with self.database.transaction() as tx:
            space = await active_space(tx)
        return space.identity.model if space else ""

    async def close(self) -> None:
        """Lets go of the encoder, the store and the reranker; the database is its owner's."""
        await self._vectors.close()
        for part in (self._means.provider, self._means.store, self._means.reranker):
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
    """The engine of `make_engine`, closed at the end."""
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
    """An engine over `database`; close it. `provider` takes the place of the one that is set.

    Unless `encode_saves` is off, a short save gets its vector at once, in the background. `clock` is monotonic.
    `owner_url` connects as the role that owns the schema, which makes indexes; None where the database's does.
    """
    from frasier.memory.embedding import Breaker, EmbeddingChoice, TokenCounter, make_provider
    from frasier.memory.rerankers import make_reranker

    return MemoryEngine(
        database,
        settings,
        provider=Breaker(provider) if provider else make_provider(EmbeddingChoice(**_chosen(settings))),
        store=_store(settings.vector_store, owner_url),
        counter=TokenCounter(),
        reranker=make_reranker(settings.rerank),
        encode_saves=encode_saves,
        clock=clock,
    )


def _store(settings: VectorStoreSettings, owner_url: str | None) -> VectorStore:
    from frasier.memory.vectors import PgVectorStore, open_qdrant

    if settings.kind == "postgres":
        return PgVectorStore(owner_url=owner_url)
    key = settings.api_key.get_secret_value() if settings.api_key else None
    return open_qdrant(settings.url, api_key=key, prefix=settings.prefix)


def _chosen(settings: MemorySettings) -> dict[str, Any]:
    chosen = settings.embedding
    return {
        name: getattr(chosen, name)
        for name in (
            *("provider", "model", "base_url", "api_key", "dimension", "model_path", "threads"),
            *("query_timeout_s", "release_after_s"),
        )
    }
