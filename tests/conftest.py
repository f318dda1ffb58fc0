"""A real PostgreSQL for every test: one embedded server per process, one fresh database per test."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import hypothesis
import psycopg
import pytest
import stamina
from psycopg.sql import SQL, Identifier

import frasier.board  # noqa: F401 (adds its processes)
from frasier.kernel.ids import new_id
from frasier.kernel.logging_setup import configure_logging
from frasier.store import Database, migrate
from frasier.store.embedded import EmbeddedServer
from support.database_clock import offset_clock
from support.scratch import SCRATCH

if TYPE_CHECKING:
    from support.board_team import Team

# The server is discarded after the tests, so nothing has to survive a power cut. synchronous_commit stays on: then the
# kernel has every commit before it is acknowledged, and a killed server loses none. While autovacuum analyzes a table of
# any database, events are withheld from their readers, as beside any transaction that writes.
FAST = {"fsync": "off", "full_page_writes": "off", "shared_buffers": "64MB", "autovacuum": "off"}
TEMPLATE = "frasier_template"


def pytest_configure() -> None:
    # Where the tests run in the background of a shell, a program that they start would ignore Ctrl-C, too.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(SCRATCH))
    # An example that takes longer than usual says that the machine is busy. `make test-all` looks for new examples.
    hypothesis.settings.register_profile("suite", deadline=None, derandomize=True, database=None)
    hypothesis.settings.register_profile("random", deadline=None)
    hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "suite"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that `tests/long_tests.txt` names."""
    tests = Path(__file__).parent
    named = set((tests / "long_tests.txt").read_text("utf-8").splitlines())
    for item in items:
        if f"{item.path.relative_to(tests.parent).as_posix()}::{_function_of(item)}" in named:
            item.add_marker(pytest.mark.long)


def _function_of(item: pytest.Item) -> str:
    return getattr(item, "originalname", None) or item.name


@pytest.fixture(autouse=True)
def _default_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Start every test with default settings and an empty home, whatever the machine has configured."""
    for name in list(os.environ):
        if name.startswith("FRASIER_") or name in {"OPENROUTER_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL"}:
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))


@pytest.fixture(autouse=True, scope="session")
def _reduce_logging_and_retries() -> None:
    stamina.set_testing(True, attempts=2)
    configure_logging("error")


@pytest.fixture(scope="session")
def server() -> Iterator[EmbeddedServer]:
    """The embedded PostgreSQL of this test process, with a migrated template database."""
    # Not below pytest's own folder: its name is too long for a socket, and root's is closed to the service user.
    root = Path(tempfile.mkdtemp(prefix="frasier-test-", dir=SCRATCH))
    root.chmod(0o755)
    server = EmbeddedServer(root / "pg", settings=FAST)
    server.start()
    try:
        server.create_database(TEMPLATE)
        asyncio.run(migrate(server.url("frasier_owner", TEMPLATE)))
        yield server
    finally:
        server.stop()
        server.release()
        shutil.rmtree(root, ignore_errors=True)


@pytest.fixture(scope="session")
def maker(server: EmbeddedServer) -> Iterator[psycopg.Connection]:
    """A connection to create databases with: thousands of tests need one each, so creating one must be quick."""
    with psycopg.connect(server.url("postgres", "postgres"), autocommit=True) as connection:
        yield connection


@pytest.fixture(scope="session")
def finished_databases() -> list[str]:
    """The databases of finished tests that are not dropped yet, oldest first."""
    return []


@pytest.fixture
def new_database(maker: psycopg.Connection, finished_databases: list[str]) -> Iterator[Callable[[], str]]:
    """A function that creates a fresh, migrated, empty database and returns its name.

    It is dropped two tests later: PostgreSQL sleeps for a tenth of a second where a connection is just ending.
    """
    while len(finished_databases) > 2:
        maker.execute(SQL("drop database {} with (force)").format(Identifier(finished_databases.pop(0))))
    created: list[str] = []

    def create() -> str:
        name = f"t_{new_id().hex}"
        # file_copy is the faster strategy when nothing waits for the disk.
        statement = SQL("create database {} template {} strategy file_copy owner frasier_owner")
        maker.execute(statement.format(Identifier(name), Identifier(TEMPLATE)))
        created.append(name)
        return name

    yield create
    finished_databases.extend(created)


@pytest.fixture
def database_name(new_database: Callable[[], str]) -> str:
    """Create a database for the test and return its name."""
    return new_database()


@pytest.fixture
def fresh_database(server: EmbeddedServer, new_database: Callable[[], str]) -> Callable[[], str]:
    """A function that creates another database and returns its address, as `database_url` does."""
    return lambda: server.url("frasier_app", new_database())


@pytest.fixture
def database_url(server: EmbeddedServer, database_name: str) -> str:
    return server.url("frasier_app", database_name)


@pytest.fixture
def owner_url(server: EmbeddedServer, database_name: str) -> str:
    """The database as the owner of its tables, who may do what the program may not."""
    return server.url("frasier_owner", database_name)


@pytest.fixture
async def db(database_url: str) -> AsyncIterator[Database]:
    """The pool of a fresh database, as the application's role."""
    async with Database(database_url) as database:
        yield database


@pytest.fixture
def noon(owner_url: str) -> datetime:
    """Set the clock of the database to noon in UTC, so that the day does not end during the test; return that time."""
    now = datetime.now(UTC)
    noon = now.replace(hour=12, minute=0, second=0, microsecond=0)
    offset_clock(owner_url, noon - now)
    return noon


@pytest.fixture
async def team(db: Database) -> AsyncIterator[Team]:
    """A team with a board over a fresh database."""
    from support.board_team import open_team  # imports what most tests do without

    async with open_team(db) as team:
        yield team
