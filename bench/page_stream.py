"""The stream of the founder's page, read without a browser."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from urllib.parse import urlencode
from uuid import UUID

from bench.page_server import PageServer
from frasier.kernel.ids import new_id

_DEADLINE_S = 30.0
_CARD_BYTES = 64


class PageStream:
    """An open stream; it keeps no more of what it has read than the end, in which a card may begin."""

    def __init__(self, reader: asyncio.StreamReader) -> None:
        self._reader = reader
        self._read = b""

    async def wait_for(self, questions: Collection[UUID]) -> None:
        """Read until the cards of these questions came."""
        awaited = {f'id="question-{question}"'.encode() for question in questions}
        async with asyncio.timeout(_DEADLINE_S):
            while awaited := {card for card in awaited if card not in self._read}:
                received = await self._reader.read(1 << 20)
                assert received, "the stream ended"
                self._read = self._read[-_CARD_BYTES:] + received


@asynccontextmanager
async def open_stream_of(
    server: PageServer, address: str, *, alone: bool = False
) -> AsyncIterator[PageStream]:
    """Load a page, open the stream that keeps it current, and say, as its script does, that a tab shows it; one that is
    `alone` says also that there is no other, as the only tab of a browser does.
    """
    _, page = await asyncio.to_thread(server.get, address)
    sequence = re.search(rb'data-sequence="(\d+)"', page)
    assert sequence, f"{address} is no page"
    name = new_id().hex
    tab = urlencode({"page": address, "tab": name})
    host, _, port = server.host.rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    try:
        target = f"/live?{urlencode({'tabs': name})}" if alone else "/live"
        request = f"GET {target} HTTP/1.1\r\nHost: {server.host}\r\nCookie: {server.cookie}\r\n\r\n"
        writer.write(request.encode())
        answer = await reader.readuntil(b"\r\n\r\n")
        assert answer.startswith(b"HTTP/1.1 200"), answer
        await asyncio.to_thread(server.get, f"/live/since?{tab}&after={sequence[1].decode()}")
        yield PageStream(reader)
    finally:
        writer.close()
        await asyncio.to_thread(server.leave, tab)


async def ms_until_sent(stream: PageStream, server: PageServer, count: int) -> float:
    """Ask questions at once; return the milliseconds from the commit until the last of them came."""
    asked, committed_at = await server.ask(count)
    await stream.wait_for(asked)
    return (time.time() - committed_at) * 1_000
