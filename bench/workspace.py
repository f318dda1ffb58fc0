"""Isolated environment of the measurements: a temporary directory, a durable server in it, default settings."""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from frasier.kernel.ids import new_id
from frasier.store import migrate
from frasier.store.embedded import EmbeddedServer

_OWNER = "frasier_owner"
_APP = "frasier_app"


@dataclass(frozen=True, slots=True)
class Urls:
    """The URLs of one database: for the application, and for the owner of the schema."""

    app: str
    owner: str


class Workspace:
    """A temporary directory with the servers started in it; clear() removes everything."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    @cached_property
    def server(self) -> EmbeddedServer:
        """An embedded server, configured as in the product: every commit is on disk before it returns."""
        server = EmbeddedServer(self.directory / "pg")
        server.start()
        return server

    @cached_property
    def environment(self) -> dict[str, str]:
        """The environment of child processes, without the settings, keys and home of the user."""
        foreign = ("FRASIER_", "OPENROUTER_", "OPENAI_")
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
        return {**inherited, "HOME": str(self.directory)}

    @contextmanager
    def database(self) -> Iterator[Urls]:
        """Create a database with the schema; drop it at the end."""
        name = f"bench_{new_id().hex}"
        self.server.create_database(name)
        try:
            urls = Urls(app=self.server.url(_APP, name), owner=self.server.url(_OWNER, name))
            asyncio.run(migrate(urls.owner))
            yield urls
        finally:
            self.server.drop_database(name)

    @contextmanager
    def folder(self, name: str) -> Iterator[Path]:
        """Create an empty directory that the system user of the database can enter, too; remove it at the end."""
        path = Path(tempfile.mkdtemp(prefix=f"{name}-", dir=self.directory))
        path.chmod(0o755)
        try:
            yield path
        finally:
            shutil.rmtree(path)

    def clear(self) -> None:
        """Stop the server and remove the directory."""
        if "server" in self.__dict__:
            self.server.stop()
            self.server.release()
        shutil.rmtree(self.directory)


@contextmanager
def open_workspace() -> Iterator[Workspace]:
    """Create a workspace and clear it at the end."""
    directory = Path(tempfile.mkdtemp(prefix="frasier-bench-"))
    directory.chmod(0o755)
    workspace = Workspace(directory)
    try:
        yield workspace
    finally:
        workspace.clear()
