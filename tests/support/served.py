"""A server on a real socket: the program as a process, or a server in a thread of the test."""

from __future__ import annotations

import asyncio
import queue
import re
import signal
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import httpx2

from frasier.interfaces.http import serve_memory
from frasier.interfaces.mcp import serve_http
from frasier.interfaces.operations.memory.registry import MEMORY_OPERATIONS, memory_tools
from frasier.interfaces.server_settings import ServerSettings, connection_limits
from frasier.memory import open_engine
from frasier.store import Database
from support.brain import LEXICAL
from support.cli import DEADLINE_S

_ADDRESS = re.compile(r"served at (http://[^\s;]+)")


class Address:
    """The address of a server."""

    def __init__(self, said: str) -> None:
        self.base = _ADDRESS.findall(said)[0]
        self.host = urlsplit(self.base).hostname or ""
        self.port = urlsplit(self.base).port or 0

    def client(self, token: str = "") -> httpx2.Client:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return httpx2.Client(base_url=self.base + "/", headers=headers, timeout=DEADLINE_S)

    def connect(self) -> socket.socket:
        """Open a connection without sending anything."""
        return socket.create_connection((self.host, self.port), timeout=DEADLINE_S)


class Served(Address):
    """A running server: its address, its output so far, and its process."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        assert process.stderr is not None
        self.process = process
        self.said = ""
        while "served at" not in self.said:
            line = process.stderr.readline()
            assert line, f"the program ended: {self.said}"
            self.said += line
        super().__init__(self.said)

    def end(self, number: int = signal.SIGTERM) -> tuple[str, str]:
        """Stop the server and check that it ends cleanly; return its output since it was served."""
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=DEADLINE_S)
        assert self.process.returncode == 0, err
        return out, err


@contextmanager
def serving_inside(url: str, protocol: str, **settings: Any) -> Iterator[Address]:
    """Serve the memory over HTTP (`protocol` "http" or "mcp") in a thread of the test, with these ServerSettings."""
    said: queue.Queue[str] = queue.Queue()
    stop = asyncio.Event()
    limits = connection_limits(ServerSettings(**settings))

    async def serve() -> None:
        async with Database(url) as database, open_engine(database, LEXICAL) as engine:
            loops.append(asyncio.get_running_loop())
            options: Any = {"limits": limits, "stop": stop, "announce": said.put}
            if protocol == "mcp":
                await serve_http(engine, memory_tools(MEMORY_OPERATIONS), port=0, **options)
            else:
                await serve_memory(engine, MEMORY_OPERATIONS, host="127.0.0.1", port=0, **options)

    loops: list[asyncio.AbstractEventLoop] = []
    thread = threading.Thread(target=lambda: asyncio.run(serve()), name="served")
    thread.start()
    try:
        line = said.get(timeout=DEADLINE_S)
        while "served at" not in line:
            line = said.get(timeout=DEADLINE_S)
        yield Address(line)
    finally:
        loops[0].call_soon_threadsafe(stop.set)
        thread.join(DEADLINE_S)
    assert not thread.is_alive(), "the server does not stop"
