"""The interface of the composition root that commands use."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import asyncio

    from starlette.types import ASGIApp

    from frasier.board import BoardEngine
    from frasier.interfaces.mcp_startup import Wire
    from frasier.interfaces.operations import AnyOperation, Backend, ToolSet
    from frasier.interfaces.services import Services
    from frasier.kernel.setting_names import SettingNames
    from frasier.llm import LlmSettings
    from frasier.memory import MemoryEngine, MemorySettings
    from frasier.store import InTransaction
    from frasier.store.embedded import EmbeddedServer


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Location of the home and of the database.

    `database_url` is None for the embedded server, which lives in `server_root` and keeps running between commands
    while the file `keep_running` exists. `pooled` says that `database_url` goes through a pooler, `direct_url`
    bypasses it.
    """

    home: Path
    database_url: str | None
    direct_url: str | None
    owner_url: str | None
    pooled: bool
    server_root: Path
    keep_running: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Installation:
    """The present settings that `frasier init` asks about, and the file that it writes."""

    settings_file: Path
    llm: LlmSettings
    search: str
    search_url: str


class ServeMemory(Protocol):
    """Serve tools over HTTP until `stop` is set. Notices for people go to `announce`."""

    async def __call__(
        self,
        engine: MemoryEngine,
        tools: Mapping[str, AnyOperation] | Callable[[], Mapping[str, AnyOperation]],
        *,
        board: BoardEngine | None = None,
        services: Services | None = None,
        pages: ASGIApp | None = None,
        keeps_up: bool = True,
        host: str,
        port: int,
        allowed_hosts: Iterable[str],
        allowed_origins: Iterable[str],
        stop: asyncio.Event,
        announce: Callable[[str], None],
        on_served: Callable[[str], Awaitable[None]] | None = None,
    ) -> None: ...


class MakePages(Protocol):
    """Make the founder's page over the services; its streams end when `stop` is set."""

    def __call__(self, services: Services, stop: asyncio.Event) -> ASGIApp: ...


class ServeMcpHttp(Protocol):
    """Serve the offered tools to MCP hosts over HTTP until `stop` is set."""

    async def __call__(
        self,
        engine: MemoryEngine,
        tool_set: ToolSet,
        *,
        board: BoardEngine | None = None,
        services: Services | None = None,
        port: int,
        stop: asyncio.Event,
        announce: Callable[[str], None],
    ) -> None: ...


class ServeMcpStdio(Protocol):
    """Serve the offered tools to the MCP host behind `wire`, until it disconnects or `stop` is set."""

    async def __call__(
        self,
        wire: Wire,
        tool_set: ToolSet,
        open_backend: Callable[[], AbstractAsyncContextManager[Backend]],
        *,
        stop: asyncio.Event,
        report: Callable[[Exception | None], None],
    ) -> None: ...


class Application(Protocol):
    """The program's parts, each created when a command first asks for it. The composition root implements it.

    It passes on the exports of the other interfaces unchanged: one transport does not import another.
    """

    def place(self) -> Place:
        """Return the locations; start nothing."""
        ...

    def setting_names(self) -> SettingNames:
        """Return the names of the settings that are set, also where they are wrong."""
        ...

    def installation(self) -> Installation:
        """Return the present settings that can be asked about."""
        ...

    def memory_settings(self) -> MemorySettings:
        """Return the settings of the memory engine."""
        ...

    def memory_server(self) -> ServeMemory:
        """Return the server of the memory over HTTP."""
        ...

    def pages(self) -> MakePages:
        """Return the maker of the founder's page."""
        ...

    def mcp_http_server(self) -> ServeMcpHttp:
        """Return the server of tools for MCP hosts over HTTP."""
        ...

    def mcp_stdio_server(self) -> ServeMcpStdio:
        """Return the server of tools for the MCP host that started this process. Importing it takes a second."""
        ...

    def services(
        self, settings_file: Path | None = None, *, for_one_host: bool = False
    ) -> AbstractAsyncContextManager[Services]:
        """Open the services of this process: start the database if needed, and stop it at the end. Another file of
        settings may be named. A process `for_one_host` keeps few connections.
        """
        ...

    def reader(self) -> AbstractAsyncContextManager[InTransaction | None]:
        """Open the database for reading as it is, None if the embedded server does not run; start nothing."""
        ...

    def server(self) -> EmbeddedServer:
        """Return the embedded server of the home, not started."""
        ...
