"""Over standard input and output, to the one program that started us. It is never the founder."""

from __future__ import annotations

import asyncio
import json
import os
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TypeAlias, cast

import anyio
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCError

from frasier.interfaces.mcp.liveness import LiveSessions
from frasier.interfaces.mcp.refusing import refusal_of, too_long
from frasier.interfaces.mcp.server import make_server
from frasier.interfaces.tools import Offer, kept_up
from frasier.memory import Caller, MemoryEngine, upkeep

_READ_BYTES = 1 << 16
_LINE_BYTES_MAX = 2 * 1024 * 1024
_LINES_WAITING_MAX = 64
_SURROGATE = r"\ud"

_Send: TypeAlias = Callable[[SessionMessage], Awaitable[None]]


async def serve_stdio(
    engine: MemoryEngine, offer: Offer, who: Callable[[], Awaitable[Caller]], *, stop: asyncio.Event
) -> None:
    """Serves until standard input ends or `stop` is set, each call on behalf of whom `who` then names.

    While it serves, whatever else in this process writes to standard output reaches standard error.
    """
    sessions = LiveSessions(engine)
    server = make_server(engine, offer, lambda _context: who(), sessions)
    async with kept_up([*upkeep(engine), sessions.job()]):
        with _standard_input() as lines:
            async with stdio_server(stdin=cast("anyio.AsyncFile[str]", lines)) as (requests, answers):
                lines.refuse_to(answers.send)
                serving = asyncio.create_task(
                    server.run(requests, answers, server.create_initialization_options()), name="mcp"
                )
                stopping = asyncio.create_task(stop.wait(), name="mcp-stop")
                await asyncio.wait({serving, stopping}, return_when=asyncio.FIRST_COMPLETED)
                # First of all: a cancellation that meets the SDK at an unlucky moment may get lost in its task groups,
                # and then it is the end of the lines that ends it.
                lines.end()
                for task in (serving, stopping):
                    task.cancel()
                with suppress(asyncio.CancelledError):
                    await serving


def readable(line: bytes) -> str:
    """The line as text, with a question mark for each half of a surrogate pair.

    A host that cuts a text within a pair sends one, spelled as JSON allows. The SDK takes such a line for no message,
    and leaves the host without an answer for ever.
    """
    text = line.decode("utf-8", "replace")
    if _SURROGATE in text.lower():
        with suppress(ValueError, RecursionError):  # no JSON at all: what becomes of that is the SDK's part
            return json.dumps(json.loads(text), ensure_ascii=False).encode("utf-8", "replace").decode()
    return text


class _Lines:
    """The lines of a file descriptor. A thread reads them, which nothing waits for when the program ends."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._loop = asyncio.get_running_loop()
        self._waiting: asyncio.Queue[str | JSONRPCError | None] = asyncio.Queue(_LINES_WAITING_MAX)
        self._ended = False
        self._refuse: asyncio.Future[_Send] = self._loop.create_future()
        threading.Thread(target=self._read, name="mcp-stdin", daemon=True).start()

    def end(self) -> None:
        """No more lines, whatever may still come."""
        self._ended = True
        with suppress(asyncio.QueueFull):
            self._waiting.put_nowait(None)

    def refuse_to(self, send: _Send) -> None:
        """Where to send the answers to lines that are no messages."""
        self._refuse.set_result(send)

    async def __aiter__(self) -> AsyncIterator[str]:
        while not self._ended and (line := await self._waiting.get()) is not None:
            refusal = refusal_of(line) if isinstance(line, str) else line
            if refusal is not None:
                await (await self._refuse)(SessionMessage(refusal))
            elif isinstance(line, str) and line.strip():
                yield line

    def _read(self) -> None:
        with suppress(RuntimeError, OSError):  # the loop or the descriptor is gone: so are we
            for line in _whole_lines(self._descriptor):
                self._hand_over(too_long(_LINE_BYTES_MAX) if line is None else readable(line))
            self._hand_over(None)

    def _hand_over(self, line: str | JSONRPCError | None) -> None:
        """Waits while too many lines wait already."""
        asyncio.run_coroutine_threadsafe(self._waiting.put(line), self._loop).result()


def _whole_lines(descriptor: int) -> Iterator[bytes | None]:
    """Each line, and None in the place of one that is too long, of which no more than that is kept."""
    pieces: list[bytes] = []
    held = 0
    while chunk := os.read(descriptor, _READ_BYTES):
        first, *others = chunk.split(b"\n")
        for number, piece in enumerate((first, *others)):
            if number:
                yield b"".join(pieces) if held <= _LINE_BYTES_MAX else None
                pieces, held = [], 0
            held += len(piece)
            if held <= _LINE_BYTES_MAX:
                pieces.append(piece)
    if held:
        yield b"".join(pieces) if held <= _LINE_BYTES_MAX else None


@contextmanager
def _standard_input() -> Iterator[_Lines]:
    """Standard input for us alone: what this process starts meanwhile reads nothing of it."""
    ours = os.dup(0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    # Not closed in the end: the thread may still wait in it, and another file must not get its number.
    yield _Lines(ours)
