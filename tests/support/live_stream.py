"""The live stream of the page inside a test, and what the script of the page does with its patches."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from lxml import html as lxml_html

from support.founder_page import Browser


class Tab:
    """A tab that shows a page and applies the patches of a stream to it."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.address = address
        self._browser = browser
        self.document = browser.document
        self.place = int(self.document.body.get("data-sequence"))
        self.patches = 0
        self.reloads = 0

    async def catch_up(self) -> None:
        """Fetch what changed since the page was made, as the script does once it listens."""
        asked = {"page": self.address, "after": str(self.place)}
        answer = await self._browser.client.get("/live/since", params=asked)
        assert answer.status_code == 200, answer.text
        self.apply(answer.text)
        self.place = max(self.place, int(answer.headers["x-sequence"]))

    def hear(self, event: str, place: int, data: str) -> None:
        """Apply a message of the stream."""
        if event == "reload":
            self.reloads += 1
        elif event == "patch":
            address, _, html = data.partition("\n")
            if address == self.address:
                self.patches += 1
                self.apply(html)
                self.place = max(self.place, place)

    def apply(self, html: str) -> None:
        for new in lxml_html.fragments_fromstring(html) if html.strip() else ():
            old = self.document.xpath("//*[@id=$id]", id=new.get("id"))
            assert old, f"the page has no element {new.get('id')}"
            new.tail = old[0].tail
            old[0].getparent().replace(old[0], new)

    @property
    def visible_html(self) -> str:
        """The page as it is shown, without what tells patches from each other."""
        return visible_html(self.document)


def visible_html(document: lxml_html.HtmlElement) -> str:
    """Return a page as text that is equal for equal pages."""
    document.body.attrib.pop("data-sequence", None)
    return lxml_html.tostring(document, encoding="unicode")


class Stream:
    """An open stream of server-sent events; messages go to the tabs in the order in which they arrive."""

    def __init__(self, *tabs: Tab) -> None:
        self.tabs = tabs
        self.opened = asyncio.Event()
        self.heard = asyncio.Event()
        self.ended = asyncio.Event()
        self._text = ""

    async def send(self, message: dict[str, Any]) -> None:
        if message["type"] != "http.response.body":
            return
        self._text += message.get("body", b"").decode()
        while "\n\n" in self._text:
            block, _, self._text = self._text.partition("\n\n")
            self._take(block)
        if not message.get("more_body"):
            self.ended.set()

    def _take(self, block: str) -> None:
        self.opened.set()
        fields: dict[str, list[str]] = {}
        for line in block.split("\n"):
            name, _, value = line.partition(":")
            fields.setdefault(name, []).append(value.removeprefix(" "))
        if "event" in fields:
            for tab in self.tabs:
                tab.hear(fields["event"][0], int(fields["id"][0]), "\n".join(fields["data"]))
            self.heard.set()


@asynccontextmanager
async def listening(browser: Browser, *tabs: Tab, query: bytes = b"") -> AsyncIterator[Stream]:
    """Open the stream of a browser; httpx2 cannot, because its transport waits for the end of a response."""
    transport = browser.client._transport
    assert isinstance(transport, httpx2.ASGITransport)
    stream, gone = Stream(*tabs), asyncio.Event()
    request = browser.client.build_request("GET", "/live")
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": "/live",
        "raw_path": b"/live",
        "query_string": query,
        "root_path": "",
        "headers": [(name.lower(), value) for name, value in request.headers.raw],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 8764),
    }
    asked = False

    async def receive() -> dict[str, Any]:
        nonlocal asked
        if not asked:
            asked = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await gone.wait()
        return {"type": "http.disconnect"}

    running = asyncio.create_task(transport.app(scope, receive, stream.send))
    try:
        async with asyncio.timeout(10):
            await stream.opened.wait()
        yield stream
    finally:
        gone.set()
        await running
