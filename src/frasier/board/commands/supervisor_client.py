"""Client of the supervisor: starts a command under it, and ends everything of the command with the block."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path
from typing import IO

from frasier.board.commands.declared_command import DeclaredCommand, program_path
from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvalidInput

_SUPERVISOR = Path(__file__).with_name("supervisor.py")
_END_S = 5.0
_DRAIN_S = 2.0
_PIECE_BYTES = 2**16
_STATUS_BYTES_MAX = 4_000


class SupervisorReport(asyncio.Protocol):
    """The supervisor's report. `over` is done when the supervisor has ended, and with it all that it can reach.

    No task reads it: a program that ends cancels its tasks all at once, and still has to know when this is over.
    """

    def __init__(self) -> None:
        self.over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._status = bytearray()

    def data_received(self, data: bytes) -> None:
        self._status += data[: _STATUS_BYTES_MAX - len(self._status)]

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - the protocol's signature
        if not self.over.done():
            self.over.set_result(None)

    def number_after(self, word: str) -> int | None:
        """Return the number reported after `word`, 0 if there is none; None if `word` was not reported."""
        for line in self._status.decode("utf-8", "replace").splitlines():
            word_read, _, number = line.partition(" ")
            if word_read == word and number.removeprefix("-").isdecimal() is (number != ""):
                return int(number or "0")
        return None

    @property
    def has_ended(self) -> bool:
        return any(
            self.number_after(word) is not None for word in ("refused", "ended", "timed_out", "stopped")
        )


@asynccontextmanager
async def supervised(
    command: DeclaredCommand, take: Callable[[bytes], Awaitable[None]]
) -> AsyncIterator[SupervisorReport]:
    """Run `command` at most as long as the block. `take` gets its output, and the command waits while `take` is busy.

    After the block its process group has been killed, and under Linux everything else that it had started, and reaped.
    Raises InvalidInput if the supervisor itself cannot be started.
    """
    child = _start(command)
    assert child.stdin is not None
    assert child.stdout is not None
    assert child.stderr is not None
    report = SupervisorReport()
    printed = asyncio.ensure_future(_read(child.stdout, take))
    try:
        await asyncio.get_running_loop().connect_read_pipe(lambda: report, child.stderr)
        yield report
    finally:
        child.stdin.close()  # which tells the supervisor to end all, and is told by the kernel where we are killed
        try:
            await _await_end(child, report, printed)
        finally:
            printed.cancel()
            # Otherwise it is ending all by itself while we are cancelled once more, and nobody waits for it.
            if report.over.done():
                child.wait()


async def _await_end(
    child: subprocess.Popen[bytes], report: SupervisorReport, printed: asyncio.Future[None]
) -> None:
    await asyncio.wait({report.over}, timeout=_END_S)
    if not report.has_ended:
        # The command has killed or stopped its supervisor. Its group can be reached without it.
        if leader := report.number_after("started"):
            with suppress(OSError):
                os.killpg(leader, signal.SIGKILL)
        child.kill()
        await asyncio.wait({report.over}, timeout=_END_S)
    # The whole output is in the pipe by now. Its end comes at once, unless a process that could not be reached holds it
    # open.
    await asyncio.wait({printed}, timeout=_DRAIN_S)
    if printed.done():
        printed.result()


async def _read(pipe: IO[bytes], take: Callable[[bytes], Awaitable[None]]) -> None:
    reader = asyncio.StreamReader()
    with closing(pipe):
        transport, _ = await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader), pipe
        )
        with closing(transport):
            while data := await reader.read(_PIECE_BYTES):
                await take(data)


def _start(command: DeclaredCommand) -> subprocess.Popen[bytes]:
    # Isolated and without site: no variable and no folder of the command influences the supervisor.
    interpreter = [sys.executable, "-I", "-S", "-X", "utf8", str(_SUPERVISOR)]
    limits = [str(command.timeout_s), str(command.memory_mb << 20)]
    try:
        return subprocess.Popen(  # noqa: S603 - our own program; it starts what the founder declared
            [*interpreter, *limits, *command.arguments],
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=command.folder,
            env=_environment(),
            start_new_session=True,  # a Ctrl-C in our terminal does not reach it
        )
    except OSError as error:
        raise InvalidInput(
            f"The command could not be started: {error.strerror or error}.",
            kept="Nothing was run.",
            hint="Whoever declared it must fix it.",
            advice=Advice("command.declare", to="declare it again"),
        ) from error


def _environment() -> dict[str, str]:
    # Only these: some of our variables are secrets.
    return {
        "PATH": program_path(),
        "HOME": os.environ.get("HOME", "/"),
        "LANG": os.environ.get("LANG", "C.UTF-8"),
        "TMPDIR": tempfile.gettempdir(),
    }
