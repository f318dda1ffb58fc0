"""A web server on loopback that answers as a test decides and records its requests."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self


@dataclass(frozen=True)
class Request:
    target: str
    headers: dict[str, str]
    method: str = "GET"
    body: bytes = b""

    @property
    def path(self) -> str:
        return self.target.partition("?")[0]


@dataclass(frozen=True)
class Reply:
    """The response of a path. A body that is an iterator is sent as it is produced, without a length."""

    body: bytes | str | AsyncIterator[bytes] = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    content_type: str | None = "text/html; charset=utf-8"


Route = Reply | Callable[[Request], Reply]


def page(body: str, *, title: str = "A page", **extra: str) -> Reply:
    """Return a small HTML page."""
    return Reply(f"<html><head><title>{title}</title></head><body>{body}</body></html>", headers=extra)


def plain(text: str) -> Reply:
    return Reply(text, content_type="text/plain")


def redirect(location: str, status: int = 302) -> Reply:
    return Reply(status=status, headers={"Location": location})


async def drip(part: bytes, *, pause_s: float) -> AsyncIterator[bytes]:
    """Yield `part` again and again, with a pause, until the reader closes the connection."""
    while True:
        yield part
        await asyncio.sleep(pause_s)


class WebServer:
    """A server, used as a context manager, that answers by `routes`, which map paths to replies; other paths give 404.

    With `tls` it serves https.
    """

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        self._tls = tls
        self.routes: dict[str, Route] = {}
        self.requests: list[Request] = []
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.Task[None]] = set()

    @property
    def port(self) -> int:
        assert self._server is not None
        return self._server.sockets[0].getsockname()[1]

    @property
    def authority(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def paths(self) -> list[str]:
        """The requested paths, in order, without robots.txt."""
        return [request.target for request in self.requests if request.path != "/robots.txt"]

    def url(self, path: str) -> str:
        return f"{'https' if self._tls else 'http'}://{self.authority}{path}"

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0, ssl=self._tls)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        for task in self._open:
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)
        await self._server.wait_closed()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._open.add(task)
        try:
            await self._answer(reader, writer)
        except (ConnectionError, asyncio.CancelledError, asyncio.IncompleteReadError):
            pass  # the reader hung up, as readers with limits do, or the test is over
        finally:
            self._open.discard(task)
            writer.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        first, *lines = head.rstrip().split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        method, target = first.split(" ")[:2]
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        request = Request(target=target, headers=headers, method=method, body=body)
        self.requests.append(request)
        route = self.routes.get(request.path, Reply("not here", status=404))
        reply = route if isinstance(route, Reply) else route(request)
        await self._send(reply, writer)

    async def _send(self, reply: Reply, writer: asyncio.StreamWriter) -> None:
        body = reply.body.encode() if isinstance(reply.body, str) else reply.body
        headers = {"Connection": "close", **reply.headers}
        if reply.content_type is not None:
            headers.setdefault("Content-Type", reply.content_type)
        if isinstance(body, bytes):
            headers.setdefault("Content-Length", str(len(body)))
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        writer.write(f"HTTP/1.1 {reply.status} X\r\n{lines}\r\n".encode("latin-1"))
        if isinstance(body, bytes):
            writer.write(body)
            await writer.drain()
            return
        async for part in body:
            writer.write(part)
            await writer.drain()
