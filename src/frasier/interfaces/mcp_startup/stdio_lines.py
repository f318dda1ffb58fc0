"""Standard input and output as a host speaks over them, a message a line, for us alone."""

from __future__ import annotations

import asyncio
import json
import os
import select
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from enum import Enum, auto
from typing import TypeAlias

from frasier.interfaces.mcp_startup.first_answers import FirstAnswers

LINE_BYTES_MAX = 2 * 1024 * 1024
_READ_BYTES = 1 << 16
_LINES_WAITING_MAX = 64
_SURROGATE = r"\ud"


class Mark(Enum):
    """Marks that take the place of a line."""

    TOO_LONG = auto()
    END = auto()


Line: TypeAlias = str | Mark


class Wire:
    """The lines that a host sends, but for those that `first` answers, and the way back to it.

    A thread reads and answers them, which nothing waits for when the program ends. `gone` is set when the host is, and
    has asked nothing that is not answered yet.
    """

    def __init__(self, first: FirstAnswers, *, source: int, target: int) -> None:
        self.gone = asyncio.Event()
        self._first = first
        self._source = source
        self._target = target
        self._writing = threading.Lock()
        self._loop = asyncio.get_running_loop()
        self._waiting: asyncio.Queue[Line] = asyncio.Queue(_LINES_WAITING_MAX)
        self._ended = False
        threading.Thread(target=self._read, name="mcp-stdin", daemon=True).start()

    def take_over(self) -> list[str]:
        """Leave every line to the caller from now on; return those that were answered and that it has to know."""
        return self._first.take_over()

    async def __aiter__(self) -> AsyncIterator[str | Mark]:
        while not self._ended and (line := await self._waiting.get()) is not Mark.END:
            yield line

    def is_read(self) -> bool:
        """Whether the host may still read, although it has closed its side: not after `end`."""
        reader = select.poll()
        reader.register(self._target, select.POLLERR)
        return not (self._ended or reader.poll(0))

    def end(self) -> None:
        """No more lines, whatever may still come."""
        self._ended = True
        with suppress(asyncio.QueueFull):
            self._waiting.put_nowait(Mark.END)

    def write(self, answer: bytes) -> None:
        """Send whole lines, from any thread. A host that reads no more is gone."""
        with self._writing:
            try:
                while answer:
                    answer = answer[os.write(self._target, answer) :]
            except OSError:
                self._loop.call_soon_threadsafe(self._leave)

    def _leave(self) -> None:
        self.gone.set()
        self.end()

    def _read(self) -> None:
        with suppress(RuntimeError):  # the loop is gone: so are we
            try:
                for line in _whole_lines(self._source):
                    self._take(Mark.TOO_LONG if line is None else readable(line))
            except OSError:
                pass  # the descriptor is: no more lines
            finally:
                if self._waiting.empty():
                    self._loop.call_soon_threadsafe(self.gone.set)
                self._hand_over(Mark.END)

    def _take(self, line: Line) -> None:
        answer = self._first.answer(line) if isinstance(line, str) and line.strip() else None
        if answer is None:
            self._hand_over(line)
        else:
            self.write(answer)

    def _hand_over(self, line: Line) -> None:
        """Wait while too many lines wait already."""
        asyncio.run_coroutine_threadsafe(self._waiting.put(line), self._loop).result()


def open_wire(first: FirstAnswers) -> Wire:
    """The wire of this process. What else it or its children read or write is nothing, and standard error.

    The descriptors stay open until the process ends: the thread may wait in one, and no other file must get its number.
    """
    source, target, nothing = os.dup(0), os.dup(1), os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return Wire(first, source=source, target=target)


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


def _whole_lines(descriptor: int) -> Iterator[bytes | None]:
    """Each line, and None in the place of one that is too long, of which no more than that is kept."""
    pieces: list[bytes] = []
    held = 0
    while chunk := os.read(descriptor, _READ_BYTES):
        first, *others = chunk.split(b"\n")
        for number, piece in enumerate((first, *others)):
            if number:
                yield b"".join(pieces) if held <= LINE_BYTES_MAX else None
                pieces, held = [], 0
            held += len(piece)
            if held <= LINE_BYTES_MAX:
                pieces.append(piece)
    if held:
        yield b"".join(pieces) if held <= LINE_BYTES_MAX else None
