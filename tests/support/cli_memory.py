"""`frasier memory` at work: a program with a memory of its own that the tests of a file share."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from frasier.kernel.ids import new_id
from frasier.store.embedded import EmbeddedServer
from support.cli import FrasierProgram

TEMPLATE = "frasier_template"


class MemoryProgram:
    """Runs `frasier memory …`. Without an encoder, unless a test asks for it: most have nothing to do with vectors."""

    def __init__(self, frasier: FrasierProgram, notes: Path) -> None:
        self.frasier = frasier
        self.notes = notes
        self.environment = {
            "FRASIER_MEMORY__ROOTS": json.dumps([str(notes)]),
            "FRASIER_MEMORY__EMBEDDING__PROVIDER": "none",
            "FRASIER_MEMORY__RERANK__METHOD": "none",
        }

    def told(self, *arguments: str, given: str = "", **environment: str) -> str:
        """What a command says to a person."""
        return self.frasier("memory", *arguments, given=given, **(self.environment | environment)).out

    def refused(self, *arguments: str, code: int = 3, given: str = "") -> str:
        """What a command that refuses says on standard error, where it belongs."""
        ended = self.frasier("memory", *arguments, code=code, given=given, **self.environment)
        assert ended.out == ""
        assert "Traceback" not in ended.err
        return ended.err

    def envelope(self, *arguments: str, code: int = 0, given: str = "", **environment: str) -> Any:
        """What a command prints with --json: the tool's envelope, or the error."""
        return self.frasier.json(
            "memory", *arguments, code=code, given=given, **(self.environment | environment)
        )

    def error(self, *arguments: str, given: str = "") -> dict[str, str]:
        """The error of a command that refuses."""
        error: dict[str, str] = self.envelope(*arguments, code=3, given=given)["error"]
        return error

    def started(self, *arguments: str, given: int) -> subprocess.Popen[str]:
        """Starts a command whose standard input is that file descriptor; the caller ends it."""
        return subprocess.Popen(
            [sys.executable, "-m", "frasier", "memory", *arguments],
            stdin=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=self.frasier.home,
            env={**self.frasier._environment, **self.environment},
        )

    def saved(self, *arguments: str, given: str = "") -> str:
        """Saves a memory, and gives the end of its id, as people call it."""
        return str(self.envelope("save", *arguments, given=given)["data"]["id"])[-8:]


@contextmanager
def memory_program(server: EmbeddedServer, place: Path) -> Iterator[MemoryProgram]:
    """A program with a fresh database and an empty memory folder."""
    home, notes = place / "home", place / "notes"
    home.mkdir()
    notes.mkdir()
    name = f"t_{new_id().hex}"
    server.create_database(name, template=TEMPLATE)
    try:
        yield MemoryProgram(FrasierProgram(home, server.url("frasier_app", name)), notes)
    finally:
        server.drop_database(name)
