"""What the commands need from the composition root."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import asyncio

    from frasier.interfaces.memory_tools import MemoryTool
    from frasier.interfaces.services import Services
    from frasier.memory import Caller, MemorySettings
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


class Application(Protocol):
    """The program's parts, each made when a command first asks for it."""

    def place(self) -> Place:
        """Where things are; nothing is started."""
        ...

    def memory_settings(self) -> MemorySettings:
        """What is set of the memory engine."""
        ...

    async def serve_memory(
        self,
        services: Services,
        *,
        host: str,
        port: int,
        allowed_hosts: Sequence[str],
        allowed_origins: Sequence[str],
        stop: asyncio.Event,
        announce: Callable[[str], None],
    ) -> None:
        """Serves the memory over HTTP until `stop` is set. What a person should know goes to `announce`."""
        ...

    async def serve_mcp(
        self,
        services: Services,
        *,
        tools: Mapping[str, MemoryTool[Any]],
        caller: Caller,
        port: int | None,
        stop: asyncio.Event,
        announce: Callable[[str], None],
    ) -> None:
        """Serves tools of the memory to MCP hosts until `stop` is set: over HTTP where there is a port."""
        ...

    def services(self) -> AbstractAsyncContextManager[Services]:
        """The services of this process: starts the database where needed, stops it at the end."""
        ...

    def server(self) -> EmbeddedServer:
        """The embedded server of the home, not started."""
        ...
