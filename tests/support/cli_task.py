"""`frasier task` with a board and its members, which the tests of a file share."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Awaitable, Callable, Iterator
from contextlib import chdir, contextmanager
from pathlib import Path
from typing import Any, TypeVar
from unittest.mock import patch

from frasier.kernel.ids import new_id
from frasier.memory import EmbeddingSettings, MemorySettings
from frasier.memory.settings import RerankSettings
from frasier.store import Database
from frasier.store.embedded import EmbeddedServer
from support.cli import FrasierProgram, ProgramResult
from support.in_process_cli import BoardAlone, run_inside
from support.team import member, open_search_session, save_lesson

T = TypeVar("T")

TEMPLATE = "frasier_template"
ROLES = {"anna": "pdsa", "lia": "liaison"}
_QUIET = MemorySettings(embedding=EmbeddingSettings(provider="none"), rerank=RerankSettings(method="none"))


class TaskProgram:
    """The commands `frasier task …` and `frasier board`, run as a member or as the founder (`boss`).

    A command runs inside the process of the test, which takes a tenth of the time. With `real`, the first run of each
    command is the real program, to test the start itself.
    """

    def __init__(self, frasier: FrasierProgram, url: str, *, real: bool = True) -> None:
        self.frasier = frasier
        self.url = url
        self.tokens: dict[str, str] = {}
        self._real = real
        self._started: set[str] = set()
        self._inside = BoardAlone(url, _QUIET)

    def run(
        self, who: str, *arguments: str, code: int = 0, given: str = "", group: str = "task"
    ) -> ProgramResult:
        whole = [group, *arguments] if group else list(arguments)
        first = " ".join(whole[:2])
        if self._real and first not in self._started:
            self._started.add(first)
            ended = self.frasier(*whole, code=code, given=given, **self.of(who))
        else:
            with chdir(self.frasier.home), patch.dict(os.environ, self.of(who)):
                ended = run_inside(self._inside, whole, given=given.encode())
        assert ended.code == code, f"{arguments} ended with {ended.code}\n{ended.out}\n{ended.err}"
        return ended

    def add(self, who: str, role: str) -> None:
        """Add a member of the board, as whom commands can run."""
        added = self.run("boss", "member", "add", who, "--role", role, "--board", "kettle")
        self.tokens[who] = added.out.strip()

    def of(self, who: str) -> dict[str, str]:
        """Return the environment of a member; that of the founder is empty."""
        return {"FRASIER_TOKEN": self.tokens[who]} if who != "boss" else {}

    def output(self, who: str, *arguments: str, given: str = "") -> str:
        return self.run(who, *arguments, given=given).out

    def refused(self, who: str, *arguments: str, code: int = 3) -> str:
        ended = self.run(who, *arguments, code=code)
        assert ended.out == ""
        assert "Traceback" not in ended.err
        return ended.err

    def json(self, who: str, *arguments: str, code: int = 0) -> Any:
        ended = self.run(who, *arguments, "--json", code=code)
        assert ended.out.count("\n") == 1, ended.out
        return json.loads(ended.out)

    def data(self, who: str, *arguments: str) -> dict[str, Any]:
        """Run a command with --json and return the data of the envelope."""
        found: dict[str, Any] = self.json(who, *arguments)
        assert set(found) == {"summary", "data", "hints", "meta"}
        return found["data"]

    def error(self, who: str, *arguments: str) -> dict[str, str]:
        found: dict[str, str] = self.json(who, *arguments, code=3)["error"]
        return found

    def board(self, *arguments: str, who: str = "boss", code: int = 0) -> str:
        return self.run(who, "board", *arguments, code=code, group="").out

    def watching(self, *arguments: str, who: str = "boss") -> Any:
        """Run a long-running command while the body runs."""
        return self.frasier.running(*arguments, **self.of(who))

    def create(self, *options: str, name: str = "", title: str = "") -> str:
        """Create a task with a new name."""
        name = name or f"t-{new_id().hex[-8:]}"
        texts = ("--title", title or f"Title of {name}", "--description", "A kettle that whistles.")
        self.output("lia", "create", name, *texts, "--criterion", "It whistles.", *options)
        return name

    def ready(self, *options: str, **named: str) -> str:
        name = self.create("--field", "depends_on_reviewed=true", *options, **named)
        self.output("lia", "move", name, "ready")
        return name

    def asked(self, who: str) -> str:
        """Open a session in which the member just searched the memory."""
        return self._with_database(lambda db: open_search_session(db, member(f"token:{who}")))

    def learned(self, who: str) -> str:
        """Save a memory of the member."""
        return self._with_database(lambda db: save_lesson(db, member(f"token:{who}")))

    def _with_database(self, use: Callable[[Database], Awaitable[T]]) -> T:
        async def run() -> T:
            async with Database(self.url, connections=2) as database:
                return await use(database)

        return asyncio.run(run())


@contextmanager
def task_program(server: EmbeddedServer, place: Path, *, real: bool = True) -> Iterator[TaskProgram]:
    """Create a board `kettle` with a designer and a liaison in its own database; see TaskProgram for `real`."""
    home = place / "home"
    home.mkdir()
    name = f"t_{new_id().hex}"
    server.create_database(name, template=TEMPLATE)
    try:
        url = server.url("frasier_app", name)
        program = TaskProgram(FrasierProgram(home, url), url, real=real)
        program.output("boss", "board", "make", "kettle")
        for who, role in ROLES.items():
            program.add(who, role)
        yield program
    finally:
        server.drop_database(name)
