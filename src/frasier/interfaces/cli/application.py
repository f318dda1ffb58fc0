"""What the commands need from the composition root."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import asyncio

    from frasier.interfaces.services import Services
    from frasier.interfaces.tools import Offer
    from frasier.memory import Caller, MemoryEngine, MemorySettings
    from frasier.store.embedded import EmbeddedServer


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where the home and the database are. `database_url` is None for the embedded server, which lives in
    `server_root` and stays running between commands while the file `keep_running` exists.
    """

    home: Path
    database_url: str | None
    owner_url: str | None
    server_root: Path
    keep_running: Path


class ServeMemory(Protocol):
    """Serves what is offered over HTTP until `stop` is set. What a person should know goes to `announce`."""

    async def __call__(
        self,
        engine: MemoryEngine,
        offer: Offer,
        *,
        host: str,
        port: int,
        allowed_hosts: Iterable[str],
        allowed_origins: Iterable[str],
        stop: asyncio.Event,
        announce: Callable[[str], None],
    ) -> None: ...


class ServeMcp(Protocol):
    """Serves what is offered to MCP hosts until `stop` is set: over HTTP where there is a port, else for `who`."""

    async def __call__(
        self,
        engine: MemoryEngine,
        offer: Offer,
        who: Callable[[], Awaitable[Caller]],
        *,
        port: int | None,
        stop: asyncio.Event,
        announce: Callable[[str], None],
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

    def mcp_server(self) -> ServeMcp:
        """What serves tools to MCP hosts."""
        ...

    def services(self) -> AbstractAsyncContextManager[Services]:
        """The services of this process: starts the database where needed, stops it at the end."""
        ...

    def server(self) -> EmbeddedServer:
        """The embedded server of the home, not started."""
        ...
