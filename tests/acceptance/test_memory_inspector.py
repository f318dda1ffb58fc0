"""The protocol's own inspector lists and calls our tools, over both transports."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from frasier.interfaces.operations.memory.registry import MEMORY_OPERATIONS
from frasier.memory import issue_token
from frasier.store import Database
from support.cli import DEADLINE_S, FrasierProgram, read_until
from support.inspector import INSTALL_S, inspect

WITHOUT_VECTORS = {"FRASIER_MEMORY__EMBEDDING__PROVIDER": "none"}

pytestmark = [pytest.mark.slow, pytest.mark.timeout(INSTALL_S + 300)]


@pytest.fixture
def address(frasier: FrasierProgram) -> Iterator[str]:
    options = ("memory", "mcp", "--http", "--port", "0", "--all")
    with frasier.running(*options, **WITHOUT_VECTORS) as process:
        said = read_until(process.stderr, "http://")
        yield next(word.rstrip(";") for word in said.split() if word.startswith("http://"))
        process.send_signal(signal.SIGTERM)
        assert process.wait(DEADLINE_S) == 0


def test_the_inspector_lists_and_calls_over_standard_input_and_output(
    inspector: list[str], frasier: FrasierProgram, home: Path
) -> None:
    environment = {**frasier._environment, **WITHOUT_VECTORS, "HOME": str(home)}
    given = [f"{name}={value}" for name, value in environment.items()]
    target = ["/usr/bin/env", *given, sys.executable, "-m", "frasier", "memory", "mcp", "--all"]
    # --strict ends with an error where a schema is one that some host cannot take.
    listed = inspect(inspector, target, home, "--method", "tools/list", "--strict")
    assert {tool["name"] for tool in listed["tools"]} == set(MEMORY_OPERATIONS)
    content = "content=The inspector looked at the memory."
    saved = inspect(
        inspector, target, home, "--method", "tools/call", "--tool-name", "memory_save", "--tool-arg", content
    )
    assert saved["structuredContent"]["data"]["action"] == "created"


async def test_the_inspector_lists_and_calls_over_http(
    inspector: list[str], address: str, db: Database, home: Path
) -> None:
    async with db.transaction() as tx:
        token = await issue_token(tx, "inspector", ["shared"])
    header = ("--transport", "http", "--header", f"Authorization: Bearer {token}")
    listed = inspect(inspector, [address], home, "--method", "tools/list", *header)
    assert {tool["name"] for tool in listed["tools"]} == set(MEMORY_OPERATIONS)
    call = ("--method", "tools/call", "--tool-name", "memory_stats")
    counted = inspect(inspector, [address], home, *call, *header)
    assert counted["structuredContent"]["data"]["total"] == 0
