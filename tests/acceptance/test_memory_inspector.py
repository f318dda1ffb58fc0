"""The protocol's own inspector lists and calls our tools, over both transports."""

from __future__ import annotations

import json
import os
import pwd
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from frasier.interfaces.memory_tools import TOOLS
from frasier.memory import issue_token
from frasier.store import Database
from support.cli import DEADLINE_S, FrasierProgram, read_until

INSPECTOR = "@modelcontextprotocol/inspector@2.12.0"
INSTALL_S = 300
WITHOUT_VECTORS = {"FRASIER_MEMORY__EMBEDDING__PROVIDER": "none"}

pytestmark = [pytest.mark.slow, pytest.mark.timeout(INSTALL_S + 300)]


@pytest.fixture(scope="module")
def inspector(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The command that starts the inspector without its pages, installed from the npm registry."""
    npm = shutil.which("npm")
    if npm is None or shutil.which("npx") is None:
        pytest.skip("npx is not installed")
    folder = tmp_path_factory.mktemp("inspector")
    # The tests' own HOME is empty: the machine's knows the registry and has a cache.
    home = {"HOME": pwd.getpwuid(os.getuid()).pw_dir}
    installed = subprocess.run(
        [npm, "install", "--no-audit", "--no-fund", "--prefix", str(folder), INSPECTOR],
        env={**os.environ, **home},
        capture_output=True,
        text=True,
        timeout=INSTALL_S,
    )
    if installed.returncode:
        pytest.skip(f"the inspector cannot be installed: {installed.stderr.strip()[-300:]}")
    return [str(folder / "node_modules" / ".bin" / "mcp-inspector"), "--cli"]


def inspect(inspector: list[str], target: list[str], home: Path, *options: str) -> dict[str, Any]:
    """What the inspector prints for one request."""
    ended = subprocess.run(
        [*inspector, *options, "--", *target],
        env={**os.environ, "HOME": str(home)},
        capture_output=True,
        text=True,
        timeout=DEADLINE_S * 2,
        cwd=home,
    )
    assert ended.returncode == 0, f"{ended.stdout}\n{ended.stderr}"
    said: dict[str, Any] = json.loads(ended.stdout)
    return said


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
    assert {tool["name"] for tool in listed["tools"]} == set(TOOLS)
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
    assert {tool["name"] for tool in listed["tools"]} == set(TOOLS)
    call = ("--method", "tools/call", "--tool-name", "memory_stats")
    counted = inspect(inspector, [address], home, *call, *header)
    assert counted["structuredContent"]["data"]["total"] == 0
