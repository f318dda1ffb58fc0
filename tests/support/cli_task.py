"""`frasier task` at work: a board with its members that the tests of a file share, and who acts on it."""

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
from support.cli import Ended, FrasierProgram
from support.in_process_cli import BoardAlone, run_inside
from support.team import asked, learned, member

T = TypeVar("T")

TEMPLATE = "frasier_template"
ROLES = {"anna": "pdsa", "lia": "liaison"}
_QUIET = MemorySettings(embedding=EmbeddingSettings(provider="none"), rerank=RerankSettings(method="none"))


class TaskProgram:
    """Runs `frasier task …` and `frasier board` as a member, or as the founder (`boss`).

    A command runs inside the test's process, which takes a tenth of the time; where it is to be `real`, each one's first
    run is the real program, for the start itself.
    """

    def __init__(self, frasier: FrasierProgram, url: str, *, real: bool = True) -> None:
        self.frasier = frasier
        self.url = url
        self.tokens: dict[str, str] = {}
        self._real = real
        self._started: set[str] = set()
        self._inside = BoardAlone(url, _QUIET)

    def run(self, who: str, *arguments: str, code: int = 0, given: str = "", group: str = "task") -> Ended:
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
        """A member of the board, who acts from now on."""
        added = self.run("boss", "member", "add", who, "--role", role, "--board", "kettle")
        self.tokens[who] = added.out.strip()

    def of(self, who: str) -> dict[str, str]:
        """The environment of a member; the founder has none."""
        return {"FRASIER_TOKEN": self.tokens[who]} if who != "boss" else {}

    def told(self, who: str, *arguments: str, given: str = "") -> str:
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
        """The data of a tool's envelope, which is all that is printed with --json."""
        found: dict[str, Any] = self.json(who, *arguments)
        assert set(found) == {"summary", "data", "hints", "meta"}
        return found["data"]

    def error(self, who: str, *arguments: str) -> dict[str, str]:
        found: dict[str, str] = self.json(who, *arguments, code=3)["error"]
        return found

    def board(self, *arguments: str, who: str = "boss", code: int = 0) -> str:
        return self.run(who, "board", *arguments, code=code, group="").out

    def watching(self, *arguments: str, who: str = "boss") -> Any:
        """A command that goes on, as a context."""
        return self.frasier.running(*arguments, **self.of(who))

    def create(self, *options: str, name: str = "", title: str = "") -> str:
        """A task with a name of its own."""
        name = name or f"t-{new_id().hex[-8:]}"
        texts = ("--title", title or f"Title of {name}", "--description", "A kettle that whistles.")
        self.told("lia", "create", name, *texts, "--criterion", "It whistles.", *options)
        return name

    def ready(self, *options: str, **named: str) -> str:
        name = self.create("--field", "depends_on_reviewed=true", *options, **named)
        self.told("lia", "move", name, "ready")
        return name

    def asked(self, who: str) -> str:
        """A session in which the member asked the memory just now."""
        return self._with_database(lambda db: asked(db, member(f"token:{who}")))

    def learned(self, who: str) -> str:
        """A memory that the member saved just now."""
        return self._with_database(lambda db: learned(db, member(f"token:{who}")))

    def _with_database(self, use: Callable[[Database], Awaitable[T]]) -> T:
        async def run() -> T:
            async with Database(self.url, connections=2) as database:
                return await use(database)

        return asyncio.run(run())


@contextmanager
def task_program(server: EmbeddedServer, place: Path, *, real: bool = True) -> Iterator[TaskProgram]:
    """A board `kettle` with a designer and a liaison, in a database of its own. `real` is as TaskProgram's."""
    home = place / "home"
    home.mkdir()
    name = f"t_{new_id().hex}"
    server.create_database(name, template=TEMPLATE)
    try:
        url = server.url("frasier_app", name)
        program = TaskProgram(FrasierProgram(home, url), url, real=real)
        program.told("boss", "board", "make", "kettle")
        for who, role in ROLES.items():
            program.add(who, role)
        yield program
    finally:
        server.drop_database(name)
