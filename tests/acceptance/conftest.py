"""Fixtures of the program as people use it, over the database of the test."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.cli import FrasierProgram
from support.inspector import install_inspector


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


@pytest.fixture(scope="session")
def inspector(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Install the official MCP inspector and return the command that starts it."""
    return install_inspector(tmp_path_factory.mktemp("inspector"))
