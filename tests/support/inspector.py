"""The official MCP inspector without its web pages: one request per run, through its npm package."""

from __future__ import annotations

import json
import os
import pwd
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from support.cli import DEADLINE_S

PACKAGE = "@modelcontextprotocol/inspector@2.12.0"
INSTALL_S = 300


def install_inspector(folder: Path) -> list[str]:
    """Install the inspector into the folder from npm and return its command; skip the test if that is impossible."""
    npm = shutil.which("npm")
    if npm is None or shutil.which("npx") is None:
        pytest.skip("npx is not installed")
    # The tests' own HOME is empty: the machine's knows the registry and has a cache.
    home = {"HOME": pwd.getpwuid(os.getuid()).pw_dir}
    installed = subprocess.run(
        [npm, "install", "--no-audit", "--no-fund", "--prefix", str(folder), PACKAGE],
        env={**os.environ, **home},
        capture_output=True,
        text=True,
        timeout=INSTALL_S,
    )
    if installed.returncode:
        pytest.skip(f"the inspector cannot be installed: {installed.stderr.strip()[-300:]}")
    return [str(folder / "node_modules" / ".bin" / "mcp-inspector"), "--cli"]


def inspect(inspector: Sequence[str], target: Sequence[str], home: Path, *options: str) -> dict[str, Any]:
    """Run the inspector for one request and return what it prints."""
    ended = subprocess.run(
        [*inspector, *options, "--", *target],
        env={**os.environ, "HOME": str(home)},
        capture_output=True,
        text=True,
        timeout=DEADLINE_S * 2,
        cwd=home,
    )
    assert ended.returncode == 0, f"{ended.stdout}\n{ended.stderr}"
    document: dict[str, Any] = json.loads(ended.stdout)
    return document
