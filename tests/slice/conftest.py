"""A shared database for tests that only need a board without tasks, and what several tests build of the memory."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from frasier.kernel.ids import new_id
from frasier.memory.files.allowed_paths import Roots
from frasier.store import Database
from frasier.store.embedded import EmbeddedServer
from support.memory_set import MemorySet

if TYPE_CHECKING:
    from support.brain import MemoryApi


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


@pytest.fixture
def memory_set(board: Database) -> MemorySet:
    """A caller's memories in the shared database."""
    return MemorySet(db=board)


@pytest.fixture
async def brain(db: Database) -> AsyncIterator[MemoryApi]:
    """The memory over HTTP, over a fresh database."""
    from support.brain import open_memory_api  # imports what most tests do without

    async with open_memory_api(db) as brain:
        yield brain


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of memory files."""
    (tmp_path / "memories").mkdir()
    return tmp_path / "memories"


@pytest.fixture
def roots(folder: Path) -> Roots:
    return Roots([folder])
