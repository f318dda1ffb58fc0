"""Fixtures of the tests in a browser: Chromium, and the program over the database of the test."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import Browser

from support.browser import chromium as started_chromium
from support.cli import FrasierProgram
from support.organisation import write_documents


@pytest.fixture(scope="session")
async def chromium() -> AsyncIterator[Browser]:
    async with started_chromium() as browser:
        yield browser


@pytest.fixture
def frasier(tmp_path: Path, database_url: str) -> FrasierProgram:
    """The program in an empty home, over a fresh database."""
    home = tmp_path / "frasier-home"
    home.mkdir()
    return FrasierProgram(home, database_url)


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    """A folder with the documents of the example mission."""
    return write_documents(tmp_path / "drinks")


@pytest.fixture(params=["with JavaScript", "without"])
def scripted(request: pytest.FixtureRequest) -> bool:
    """Run a test with and without JavaScript."""
    return request.param == "with JavaScript"
