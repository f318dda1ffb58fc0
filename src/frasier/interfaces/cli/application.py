"""What the commands need from the composition root."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import asyncio

    from frasier.board import Board
    from frasier.interfaces.mcp_startup import Wire
    from frasier.interfaces.services import Services
    from frasier.interfaces.tools import Backend, Offer, Tool
    from frasier.memory import MemoryEngine, MemorySettings
    from frasier.store.embedded import EmbeddedServer


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where the home and the database are. `database_url` is None for the embedded server, which lives in
    `server_root` and stays running between commands while the file `keep_running` exists. `pooled` says that
    `database_url` goes through a pooler, and `direct_url` past it.
    """

    home: Path
    database_url: str | None
    direct_url: str | None
    owner_url: str | None
    pooled: bool
    server_root: Path
    keep_running: Path


class ServeMemory(Protocol):
    """Serves tools over HTTP until `stop` is set. What a person should know goes to `announce`."""

    async def __call__(
        self,
        engine: MemoryEngine,
        tools: Mapping[str, Tool[Any]],
        *,
        board: Board | None = None,
        host: str,
        port: int,
        allowed_hosts: Iterable[str],
        allowed_origins: Iterable[str],
        stop: asyncio.Event,
        announce: Callable[[str], None],
    ) -> None: ...


class ServeMcpHttp(Protocol):
    """Serves what is offered to MCP hosts over HTTP until `stop` is set."""

    async def __call__(
        self,
        engine: MemoryEngine,
        offer: Offer,
        *,
        board: Board | None = None,
        port: int,
        stop: asyncio.Event,
        announce: Callable[[str], None],
    ) -> None: ...


class ServeMcpStdio(Protocol):
    """Serves what is offered to the host behind `wire`, until it is gone or `stop` is set."""

    async def __call__(
        self,
        wire: Wire,
        offer: Offer,
        open_backend: Callable[[], AbstractAsyncContextManager[Backend]],
        *,
        stop: asyncio.Event,
        report: Callable[[Exception | None], None],
    ) -> None: ...


class Application(Protocol):
    """The program's parts, each made when a command first asks for it.

    The composition root has them. Of the other interfaces it hands over what they export, as it is: one transport
    does not import another.
    """

    def place(self) -> Place:
        """Where things are; nothing is started."""
        ...

    def memory_settings(self) -> MemorySettings:
        """What is set of the memory engine."""
        ...

    def memory_server(self) -> ServeMemory:
        """What serves the memory over HTTP."""
        ...

    def mcp_http_server(self) -> ServeMcpHttp:
        """Give the server of tools for MCP hosts over HTTP."""
        ...

    def mcp_stdio_server(self) -> ServeMcpStdio:
        """Give the server of tools for the MCP host that started this process; load it, which takes a second."""
        ...

    def services(self) -> AbstractAsyncContextManager[Services]:
        """The services of this process: starts the database where needed, stops it at the end."""
        ...

    def server(self) -> EmbeddedServer:
        """The embedded server of the home, not started."""
        ...
