"""`frasier memory` with a memory of its own, which the tests of a file share."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from pathlib import Path
from typing import Any

from frasier.kernel.ids import new_id
from frasier.memory import EmbeddingSettings, MemorySettings
from frasier.memory.settings import RerankSettings
from frasier.store.embedded import EmbeddedServer
from support.cli import FrasierProgram, ProgramResult
from support.in_process_cli import MemoryAlone, run_inside

TEMPLATE = "frasier_template"


class MemoryProgram:
    """The commands `frasier memory …`, without an encoder unless a test asks for it: most tests need no vectors.

    A command runs inside the process of the test, which takes a tenth of the time. A command with its own environment is
    the real program, and so is the first run of each, to test the start itself.
    """

    def __init__(self, frasier: FrasierProgram, notes: Path, url: str) -> None:
        self.frasier = frasier
        self.notes = notes
        self._started: set[str] = set()
        self._inside = MemoryAlone(
            url,
            MemorySettings(
                roots=(notes,),
                embedding=EmbeddingSettings(provider="none"),
                rerank=RerankSettings(method="none"),
            ),
        )
        self.environment = {
            "FRASIER_MEMORY__ROOTS": json.dumps([str(notes)]),
            "FRASIER_MEMORY__EMBEDDING__PROVIDER": "none",
            "FRASIER_MEMORY__RERANK__METHOD": "none",
        }

    def output(self, *arguments: str, given: str = "", **environment: str) -> str:
        """Run a command and return its output for people."""
        return self._run(*arguments, given=given, **environment).out

    def refused(self, *arguments: str, code: int = 3, given: str = "") -> str:
        """Run a command that is refused and return its standard error; check that standard output is empty."""
        ended = self._run(*arguments, code=code, given=given)
        assert ended.out == ""
        assert "Traceback" not in ended.err
        return ended.err

    def envelope(self, *arguments: str, code: int = 0, given: str = "", **environment: str) -> Any:
        """Run a command with --json and return its envelope, or its error."""
        ended = self._run(*arguments, "--json", code=code, given=given, **environment)
        assert ended.out.count("\n") == 1, ended.out
        return json.loads(ended.out)

    def _run(self, *arguments: str, code: int = 0, given: str = "", **environment: str) -> ProgramResult:
        if environment or arguments[0] not in self._started:
            self._started.add(arguments[0])
            told = self.environment | environment
            return self.frasier("memory", *arguments, code=code, given=given, **told)
        with chdir(self.frasier.home):
            ended = run_inside(self._inside, ["memory", *arguments], given=given.encode())
        assert ended.code == code, f"{arguments} ended with {ended.code}\n{ended.out}\n{ended.err}"
        return ended

    def error(self, *arguments: str, given: str = "") -> dict[str, str]:
        """Run a command that is refused with --json and return the error."""
        error: dict[str, str] = self.envelope(*arguments, code=3, given=given)["error"]
        return error

    def started(self, *arguments: str, given: int) -> subprocess.Popen[str]:
        """Start a command whose standard input is that file descriptor; the caller ends it."""
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
        """Save a memory and return the end of its id, as people write it."""
        return str(self.envelope("save", *arguments, given=given)["data"]["id"])[-8:]


@contextmanager
def memory_program(server: EmbeddedServer, place: Path) -> Iterator[MemoryProgram]:
    """Create a program with a fresh database and an empty memory folder."""
    home, notes = place / "home", place / "notes"
    home.mkdir()
    notes.mkdir()
    name = f"t_{new_id().hex}"
    server.create_database(name, template=TEMPLATE)
    try:
        url = server.url("frasier_app", name)
        yield MemoryProgram(FrasierProgram(home, url), notes, url)
    finally:
        server.drop_database(name)
