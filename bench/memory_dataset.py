"""Dataset of the memory measurements: the synthetic corpus in a database, with its index and questions."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bench.commits import prepare_commits
from bench.memory_corpus import Corpus, Questions
from bench.memory_load import SCOPE, load
from bench.workspace import Urls
from frasier.memory.access import Caller
from frasier.memory.embedding.local import LocalEncoder
from frasier.memory.embedding.resilient_provider import Breaker
from frasier.memory.embedding.spaces import active_space, open_space
from frasier.memory.embedding.types import EncodedPart, EncodedQuery, ModelIdentity, TextToEncode
from frasier.memory.posting_backfill import refresh_statistics
from frasier.memory.recall.dependencies import RecallDependencies
from frasier.memory.recall.reranking import LatencyGuard
from frasier.memory.settings import MemorySettings
from frasier.memory.vectors.postgres import PgVectorStore
from frasier.memory.vectors.types import SpaceRef
from frasier.store import Database

CALLER = Caller(name="bench", scopes=(SCOPE,))


class PrecomputedQuestions:
    """An embedding provider with precomputed vectors of the questions, so that nothing is encoded."""

    def __init__(self, identity: ModelIdentity, *questions: Questions) -> None:
        self._identity = identity
        self._vectors: dict[str, NDArray[np.float32]] = {}
        for group in questions:
            self._vectors |= dict(zip(group.texts, group.vectors, strict=True))

    async def identity(self) -> ModelIdentity:
        return self._identity

    async def encode(self, documents: Sequence[TextToEncode]) -> list[list[EncodedPart]]:
        raise AssertionError(f"unexpected request to encode {len(documents)} documents")

    async def encode_query(self, text: str) -> EncodedQuery:
        return EncodedQuery(vector=self._vectors[text])

    async def projection_bytes(self) -> bytes | None:
        return None

    def use_projection(self, projection: bytes) -> None:
        assert projection, "the space was opened with a projection"

    def release_if_idle(self) -> bool:
        return False

    async def close(self) -> None:
        """Do nothing: nothing is open."""


@dataclass(frozen=True, slots=True)
class MemoryDataset:
    """A loaded database with questions: `warm_up` are asked first and not counted, `questions` are measured."""

    corpus: Corpus
    database: Database
    store: PgVectorStore
    space: SpaceRef
    identity: ModelIdentity
    warm_up: Questions
    questions: Questions

    def dependencies(self) -> RecallDependencies:
        """Return the dependencies of a recall, with precomputed questions in place of an encoder."""
        return RecallDependencies(
            database=self.database,
            settings=MemorySettings(),
            provider=Breaker(PrecomputedQuestions(self.identity, self.warm_up, self.questions)),
            store=self.store,
            reranker=None,
            latency_guard=LatencyGuard(500),
        )


@asynccontextmanager
async def open_dataset(urls: Urls, size: int, *, questions: int) -> AsyncIterator[MemoryDataset]:
    """Load `size` memories into the vector space of the local encoder, index and vacuum them."""
    prepare_commits(urls.owner)
    corpus = Corpus(size)
    async with Database(urls.app, connections=4) as database:
        encoder = LocalEncoder()
        identity, projection = await encoder.identity(), await encoder.projection_bytes()
        await encoder.close()
        async with database.transaction() as tx:
            await open_space(tx, identity, projection)
            space = await active_space(tx)
        assert space is not None
        load(urls.owner, corpus, space=space.id)
        store = PgVectorStore(owner_url=urls.owner)
        ref = SpaceRef(id=space.id, dimension=identity.dimension)
        await store.prepare(database, ref)
        async with database.transaction() as tx:
            await refresh_statistics(tx)
        yield MemoryDataset(
            corpus,
            database,
            store,
            ref,
            identity,
            warm_up=corpus.questions(max(questions // 3, 10), seed=1),
            questions=corpus.questions(questions, seed=2),
        )
