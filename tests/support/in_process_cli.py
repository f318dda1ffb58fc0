"""`frasier memory` and `task` inside the process of the test: the same commands and exit codes, without the start."""

from __future__ import annotations

import io
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, chdir
from functools import cache
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import typer

from frasier.app import Program
from frasier.board import BoardEngine
from frasier.interfaces.cli import program
from frasier.memory import MemorySettings, open_engine
from frasier.memory.embedding.token_counts import TokenCounter
from frasier.store import Database
from support.cli import ProgramResult
from support.team import NotificationRecorder, StubLinkChecker

_COUNTER = TokenCounter()  # a tenth of a second to load, which a new one would take with every command


class MemoryAlone(Program):
    """The program with only the services of memory commands, over a migrated database."""

    def __init__(self, url: str, settings: MemorySettings, **opened_with: Any) -> None:
        """Create the program; `opened_with` is passed to open_engine, such as a scripted provider."""
        self._url = url
        self._memory = settings
        self._opened_with = opened_with

    def memory_settings(self) -> MemorySettings:
        return self._memory

    @asynccontextmanager
    async def services(self) -> AsyncIterator[Any]:
        async with (
            Database(self._url, connections=2) as database,
            open_engine(database, self._memory, **self._opened_with) as engine,
        ):
            engine.counter = _COUNTER
            yield SimpleNamespace(in_transaction=database.in_transaction, memory=engine)


class BoardAlone(MemoryAlone):
    """MemoryAlone with the board; every link resolves. `told` collects the notifications to the founder."""

    def __init__(
        self, url: str, settings: MemorySettings, *, told: NotificationRecorder | None = None
    ) -> None:
        super().__init__(url, settings)
        self._told = told or NotificationRecorder()

    @asynccontextmanager
    async def services(self) -> AsyncIterator[Any]:
        async with super().services() as services:
            services.board = BoardEngine(
                database=services.memory.database,
                links=StubLinkChecker(),
                direct_url=self._url,
                notify_founder=self._told,
            )
            yield services


@cache
def commands() -> Any:
    """Return all commands, built once."""
    return typer.main.get_command(program.cli)


def run_inside(application: Program, arguments: Sequence[str], *, given: bytes = b"") -> ProgramResult:
    """Run a command with `given` on standard input, in an empty folder, as it may write a file."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="strict") for _ in range(2))
    stdin = io.TextIOWrapper(io.BytesIO(given), encoding="utf-8")
    with (
        TemporaryDirectory() as folder,
        chdir(folder),
        patch.object(program, "cli", commands()),
        patch.object(sys, "argv", ["frasier", *arguments]),
        patch.object(sys, "stdin", stdin),
        patch.object(sys, "stdout", out),
        patch.object(sys, "stderr", err),
    ):
        code: object = 0
        try:
            program.run_program(application)
        except SystemExit as ended:
            code = ended.code
    texts = []
    for stream in (out, err):
        stream.flush()
        texts.append(stream.buffer.getvalue().decode("utf-8"))
    return ProgramResult(code if isinstance(code, int) else int(code is not None), *texts)
