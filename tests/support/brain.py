"""The HTTP API of the memory without a socket, over the database of the test."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx2

from frasier.interfaces.http import HttpRules, make_app
from frasier.memory import EmbeddingSettings, MemoryEngine, MemorySettings, issue_token, open_engine
from frasier.memory.embedding.types import EmbeddingProvider
from frasier.store import Database
from support.refusals import PARTS

BASE = "http://127.0.0.1:8764"
LEXICAL = MemorySettings(embedding=EmbeddingSettings(provider="none"))


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryApi:
    """The API; `client` sends the token of a caller with the scopes `shared` and `team`."""

    db: Database
    engine: MemoryEngine
    client: httpx2.AsyncClient
    token: str

    async def post(self, path: str, body: Any, **headers: str) -> httpx2.Response:
        return await self.client.post(f"/api/v1/{path}", json=body, headers=headers)

    async def get(self, path: str, **headers: str) -> httpx2.Response:
        return await self.client.get(f"/api/v1/{path}", headers=headers)

    async def stored(self) -> list[dict[str, Any]]:
        """Return every memory, oldest first."""
        async with self.db.transaction() as tx:
            cursor = await tx.execute("select * from memory_items order by num")
            return await cursor.fetchall()

    async def query(self, text: str, **more: Any) -> list[str]:
        """Return the texts found by a query."""
        answered = await self.post("query", {"query": text, **more})
        assert answered.status_code == 200, answered.text
        return [hit["text"] for hit in answered.json()["data"]["hits"]]

    async def caller(self, name: str, *scopes: str, founder: bool = False) -> dict[str, str]:
        """Return the headers of another caller."""
        async with self.db.transaction() as tx:
            return {"Authorization": f"Bearer {await issue_token(tx, name, scopes, founder=founder)}"}


@asynccontextmanager
async def open_memory_api(
    db: Database,
    tools: Any = None,
    *,
    settings: MemorySettings = LEXICAL,
    provider: EmbeddingProvider | None = None,
    **rules: Any,
) -> AsyncIterator[MemoryApi]:
    """Open the API with its rules; without `tools` it has none."""
    async with db.transaction() as tx:
        token = await issue_token(tx, "tester", ["shared", "team"])
    async with open_engine(db, settings, provider=provider) as engine:
        transport = httpx2.ASGITransport(app=make_app(engine, tools or {}, HttpRules(**rules)))
        headers = {"Authorization": f"Bearer {token}"}
        async with httpx2.AsyncClient(transport=transport, base_url=BASE, headers=headers) as client:
            yield MemoryApi(db=db, engine=engine, client=client, token=token)


def error_of(answered: httpx2.Response) -> dict[str, str]:
    """Return the error of a response, after checking its shape."""
    assert answered.headers["content-type"] == "application/json", answered.text
    assert set(answered.json()) == {"error"}
    error = answered.json()["error"]
    assert set(error) <= PARTS
    assert {"code", "message"} <= set(error)
    return error
