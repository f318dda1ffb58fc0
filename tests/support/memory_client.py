"""A client of the memory as an agent uses it: every act is a tool call over a real database.

async with open_memory_client(db) as memory_client:
    crane = await memory_client.save("The harbour crane was repaired.")
    assert await memory_client.found("harbour crane") == [crane]

Every client has its own scopes, so that many can share one database.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from frasier.interfaces.advice import ToolCalls
from frasier.interfaces.operations import Envelope, OperationContext
from frasier.interfaces.operations.memory.registry import MEMORY_OPERATIONS
from frasier.kernel.ids import new_id
from frasier.memory import Caller, EmbeddingSettings, MemoryEngine, MemorySettings, open_engine
from frasier.memory.embedding.types import (
    EmbeddingProvider,
    EncodedPart,
    EncodedQuery,
    ModelIdentity,
    TextToEncode,
)
from frasier.store import Database
from frasier.store.embedded import EmbeddedServer
from support.call_tool import call_tool
from support.embedding_server import bag_of_words

NO_VECTORS = MemorySettings(embedding=EmbeddingSettings(provider="none"))

DIMENSION = 64


async def _nothing() -> None:
    return None


@dataclass
class WordVectors:
    """An embedding provider in which texts with the same words are near each other; `asked` has its queries.

    A document of several paragraphs has a part for each. `watch` is awaited before anything is encoded.
    """

    asked: list[str] = field(default_factory=list)
    watch: Callable[[], Awaitable[None]] = _nothing

    async def identity(self) -> ModelIdentity:
        return ModelIdentity(provider="test", model="words", dimension=DIMENSION)

    async def encode(self, documents: Sequence[TextToEncode]) -> list[list[EncodedPart]]:
        await self.watch()
        return [
            [EncodedPart(vector=_vector(part)) for part in document.text.split("\n\n")]
            for document in documents
        ]

    async def encode_query(self, text: str) -> EncodedQuery:
        self.asked.append(text)
        await self.watch()
        return EncodedQuery(vector=_vector(text))

    async def projection_bytes(self) -> bytes | None:
        return None

    def use_projection(self, projection: bytes) -> None:
        raise AssertionError("there are no states to project")

    def release_if_idle(self) -> bool:
        return False

    async def close(self) -> None:
        return None


def _vector(text: str) -> Any:
    vector = np.array(bag_of_words(text, DIMENSION), dtype=np.float32)
    return vector / np.linalg.norm(vector)


@dataclass(frozen=True)
class MemoryClient:
    """An engine and a caller, whose every act is a tool call."""

    engine: MemoryEngine
    caller: Caller

    @property
    def home(self) -> str:
        """The scope of saves that name none."""
        return self.caller.home

    @property
    def team(self) -> str:
        """The other scope of the caller."""
        return self.caller.scopes[1]

    @property
    def session(self) -> str:
        """Return the id of a new session."""
        return f"session-{self.home[-32:]}"

    def of(self, name: str, *, founder: bool = False, scopes: tuple[str, ...] = ()) -> MemoryClient:
        """Return a client of the same memory for another caller."""
        return replace(self, caller=Caller(name=name, scopes=scopes or self.caller.scopes, founder=founder))

    @property
    def founder(self) -> MemoryClient:
        return self.of("founder", founder=True)

    def set_to(self, **changed: Any) -> MemoryClient:
        """Return a client of the same memory with other settings."""
        return replace(self, engine=self.engine.configured(self.engine.settings.model_copy(update=changed)))

    async def ask(self, tool: str, **arguments: Any) -> Envelope[dict[str, Any]]:
        around = OperationContext(engine=self.engine, caller=self.caller, dialect=ToolCalls())
        return await call_tool(MEMORY_OPERATIONS, around, tool, arguments)

    async def __call__(self, tool: str, **arguments: Any) -> dict[str, Any]:
        return (await self.ask(tool, **arguments)).data

    async def save(self, content: str, **fields: Any) -> str:
        """Save a memory even if it resembles others, and return its id."""
        return str((await self("memory_save", content=content, force=True, **fields))["id"])

    async def search(self, query: str, **fields: Any) -> list[dict[str, Any]]:
        return list((await self("memory_search", query=query, **fields))["results"])

    async def found(self, query: str, **fields: Any) -> list[str]:
        return [hit["id"] for hit in await self.search(query, **fields)]

    async def rows(self, text: str, *values: Any) -> list[dict[str, Any]]:
        """Return rows of the database, for facts that no tool returns."""
        async with self.engine.database.transaction() as tx:
            cursor = await tx.execute(text.encode(), values)
            return [dict(row) for row in await cursor.fetchall()] if cursor.description else []

    async def age(self, memory_id: str, days: float) -> None:
        """Set the times of a memory so many days back: when it was learned and last used."""
        for change in (
            (
                "update memory_items set created_at = now() - %s * interval '1 day',"
                " last_seen_at = now() - %s * interval '1 day' where id = %s"
            ),
            (
                "update memory_strengths set reviewed_at = now() - %s * interval '1 day',"
                " accessed_at = now() - %s * interval '1 day' where memory_id = %s"
            ),
        ):
            await self.rows(change, days, days, memory_id)


@asynccontextmanager
async def open_memory_client(
    db: Database, settings: MemorySettings = NO_VECTORS, *, provider: EmbeddingProvider | None = None
) -> AsyncIterator[MemoryClient]:
    """Open a client over `db` for an agent."""
    mark = new_id().hex
    agent = Caller(name="agent:one", scopes=(f"project:{mark}", f"team:{mark}"))
    async with open_engine(db, settings, provider=provider) as engine:
        yield MemoryClient(engine, agent)


@asynccontextmanager
async def open_database(server: EmbeddedServer) -> AsyncIterator[Database]:
    """Open a database for many clients: one for each would take longer than all their tests."""
    name = f"desks_{new_id().hex}"
    await asyncio.to_thread(server.create_database, name, template="frasier_template")
    try:
        async with Database(server.url("frasier_app", name)) as database:
            yield database
    finally:
        await asyncio.to_thread(server.drop_database, name)
