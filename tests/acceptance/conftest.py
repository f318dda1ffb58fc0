"""Fixtures of the program as people use it, over the database of the test."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from frasier.store import Database
from frasier.store.embedded import EmbeddedServer
from support.attacked_board import AttackedBoard, open_attacked_board
from support.board_team import open_team
from support.cli import FrasierProgram
from support.cli_memory import MemoryProgram, memory_program
from support.cli_task import TaskProgram, task_program
from support.inspector import install_inspector
from support.memory_client import MemoryClient, open_database, open_memory_client
from support.organisation import write_documents
from support.scratch import SCRATCH


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """An empty home."""
    home = tmp_path / "frasier-home"
    home.mkdir()
    return home


@pytest.fixture
def frasier(home: Path, database_url: str) -> FrasierProgram:
    """The `frasier` program, in an empty home, over a fresh database."""
    return FrasierProgram(home, database_url)


@pytest.fixture
def alone() -> Iterator[FrasierProgram]:
    """The program with a database of its own, in a folder that its server may live in."""
    home = Path(tempfile.mkdtemp(prefix="fr-", dir=SCRATCH))
    home.chmod(0o755)
    try:
        yield FrasierProgram(home, None)
    finally:
        shutil.rmtree(home, ignore_errors=True)


@pytest.fixture(scope="session")
def inspector(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Install the official MCP inspector and return the command that starts it."""
    return install_inspector(tmp_path_factory.mktemp("inspector"))


@pytest.fixture(scope="module")
async def database(server: EmbeddedServer) -> AsyncIterator[Database]:
    """A fresh database for all tests of a module."""
    async with open_database(server) as database:
        yield database


@pytest.fixture
async def memory_client(database: Database) -> AsyncIterator[MemoryClient]:
    """A client of the memory in the module's database."""
    async with open_memory_client(database) as memory_client:
        yield memory_client


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder of memory files."""
    folder = tmp_path / "memories"
    folder.mkdir()
    return folder


@pytest.fixture(scope="module")
def memory(server: EmbeddedServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[MemoryProgram]:
    """The program `frasier memory` over a fresh database, for all tests of a module."""
    with memory_program(server, tmp_path_factory.mktemp("memory")) as program:
        yield program


@pytest.fixture(scope="module")
def kettle(server: EmbeddedServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TaskProgram]:
    """The program `frasier task` with a board over a fresh database, for all tests of a module."""
    with task_program(server, tmp_path_factory.mktemp("kettle")) as program:
        yield program


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    """A folder with the documents of the example mission."""
    return write_documents(tmp_path / "drinks")


@pytest.fixture(scope="module")
async def attacked_board(server: EmbeddedServer) -> AsyncIterator[AttackedBoard]:
    """A board whose tools a module attacks with arguments that nobody would give."""
    async with open_database(server) as db, open_team(db) as team:
        yield await open_attacked_board(team)
