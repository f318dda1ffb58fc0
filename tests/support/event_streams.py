"""Streams of server-sent events, read as a browser reads them."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx2


@dataclass(frozen=True, slots=True)
class Message:
    """A message that a client dispatches: the last id so far, the name of the event and its data."""

    id: str
    event: str
    data: str

    @property
    def json(self) -> Any:
        return json.loads(self.data)


class MessageParser:
    """The parser of the HTML standard: lines end with CR, LF or both, a blank one dispatches."""

    def __init__(self) -> None:
        self.last_id = ""
        self.comments = 0
        self._rest = ""
        self._event, self._data = "", list[str]()

    def feed(self, text: str) -> list[Message]:
        """Take what was received, and return the messages that it completes."""
        *lines, self._rest = (self._rest + text).replace("\r\n", "\n").replace("\r", "\n").split("\n")
        return [message for line in lines if (message := self._line(line)) is not None]

    def _line(self, line: str) -> Message | None:
        if not line:
            message = Message(self.last_id, self._event or "message", "\n".join(self._data))
            dispatched, self._event, self._data = bool(self._data), "", []
            return message if dispatched else None
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if not name:
            self.comments += 1
        elif name == "id" and "\0" not in value:
            self.last_id = value
        elif name == "event":
            self._event = value
        elif name == "data":
            self._data.append(value)
        return None


class Stream:
    """An open stream. `parser` knows the last id and counts the comments."""

    def __init__(self, response: httpx2.Response) -> None:
        self.response = response
        self.parser = MessageParser()
        self._texts = response.aiter_text()
        self._messages: deque[Message] = deque()

    async def receive(self) -> bool:
        """Wait for the next part, and parse it; False at the end of the stream."""
        async for text in self._texts:
            self._messages += self.parser.feed(text)
            return True
        return False

    async def messages(self) -> AsyncIterator[Message]:
        """Yield the messages until the stream ends."""
        while self._messages or await self.receive():
            while self._messages:
                yield self._messages.popleft()

    async def read(self, count: int) -> list[Message]:
        """Read so many messages; fail if the stream ends before."""
        while len(self._messages) < count:
            assert await self.receive(), f"the stream ended after {len(self._messages)} messages"
        return [self._messages.popleft() for _ in range(count)]

    async def until(self, condition: Callable[[MessageParser], bool]) -> None:
        """Wait until the parser meets a condition, without a message."""
        while not condition(self.parser):
            assert await self.receive(), "the stream ended"
            assert not self._messages


@asynccontextmanager
async def open_stream(client: httpx2.AsyncClient, query: str = "", **headers: str) -> AsyncIterator[Stream]:
    """Open the stream of events."""
    async with client.stream("GET", f"/api/v1/events/stream{query}", headers=headers) as response:
        yield Stream(response)
