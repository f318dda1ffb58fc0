"""The HTTP API of the organisation without a socket, over the database of the test, with a client for each credential."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2

from frasier.interfaces.http import make_app
from frasier.interfaces.operations.memory.registry import MEMORY_OPERATIONS
from frasier.interfaces.operations.organisation.registry import ORGANISATION_OPERATIONS
from frasier.interfaces.operations.tasks.registry import TASK_OPERATIONS
from frasier.interfaces.services import Services
from frasier.memory import issue_token
from support.brain import BASE
from support.organisation import organisation

OPERATIONS = {**ORGANISATION_OPERATIONS, **TASK_OPERATIONS, **MEMORY_OPERATIONS}


@dataclass(frozen=True, slots=True, kw_only=True)
class OrganisationApi:
    """The API: `founder` and `observer` hold the founder's and a read-only token, `member` an ordinary one.

    `anonymous` has none.
    """

    services: Services
    founder: httpx2.AsyncClient
    observer: httpx2.AsyncClient
    member: httpx2.AsyncClient
    anonymous: httpx2.AsyncClient

    async def call(self, operation: str, **arguments: Any) -> dict[str, Any]:
        """Return the data of an operation that the founder runs."""
        return (await self.answer(operation, **arguments))["data"]

    async def answer(self, operation: str, **arguments: Any) -> dict[str, Any]:
        """Return the envelope of an operation that the founder runs."""
        answered = await self.ask(self.founder, operation, **arguments)
        assert answered.status_code == 200, answered.text
        return answered.json()

    @staticmethod
    async def ask(client: httpx2.AsyncClient, operation: str, **arguments: Any) -> httpx2.Response:
        """Run an operation as the holder of that client's token."""
        return await client.post(f"/api/v1/tools/{operation}", json=arguments)


@asynccontextmanager
async def open_organisation_api(
    database_url: str, home: Path, **changes: Any
) -> AsyncIterator[OrganisationApi]:
    """Open the API of an organisation; `changes` are those of its settings."""
    async with AsyncExitStack() as stack:
        services = await stack.enter_async_context(organisation(database_url, home, **changes))
        app = make_app(services.memory, OPERATIONS, board=services.board, services=services)

        async def client(token: str | None) -> httpx2.AsyncClient:
            headers = {"Authorization": f"Bearer {token}"} if token else {}
            transport = httpx2.ASGITransport(app=app)
            return await stack.enter_async_context(
                httpx2.AsyncClient(transport=transport, base_url=BASE, headers=headers)
            )

        async def token(name: str, **rights: bool) -> str:
            return await services.in_transaction(issue_token, name, ["shared"], **rights)

        yield OrganisationApi(
            services=services,
            founder=await client(await token("founders-laptop", founder=True)),
            observer=await client(await token("watcher", read_only=True)),
            member=await client(await token("scout")),
            anonymous=await client(None),
        )
