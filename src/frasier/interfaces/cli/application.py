"""What the commands need from the composition root."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from frasier.interfaces.services import Services
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

    def services(self) -> AbstractAsyncContextManager[Services]:
        """The services of this process: starts the database where needed, stops it at the end."""
        ...

    def server(self) -> EmbeddedServer:
        """The embedded server of the home, not started."""
        ...
