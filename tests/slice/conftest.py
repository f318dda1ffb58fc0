"""A shared database for tests that only need a board without tasks."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from frasier.kernel.ids import new_id
from frasier.store import Database
from frasier.store.embedded import EmbeddedServer


@pytest.fixture(scope="session")
async def _shared_database(server: EmbeddedServer) -> AsyncIterator[Database]:
    name = f"shared_{new_id().hex}"
    server.create_database(name, template="frasier_template")
    async with Database(server.url("frasier_app", name), connections=16) as database:
        yield database
    server.drop_database(name)


@pytest.fixture
async def board(_shared_database: Database) -> Database:
    """A migrated database without tasks, effects and leases; creating one for each test would cost far more.

    Events and memories of earlier tests are still there: select them by stream, task or agent. A test that changes the
    schema needs `db`, a database of its own.
    """
    async with _shared_database.transaction() as tx:
        await tx.execute("delete from workflow_tasks")
        await tx.execute("delete from store_effects")
        await tx.execute("delete from store_leases")
    return _shared_database
