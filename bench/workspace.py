"""The environment of the measurements: a directory of its own, a durable server in it, and no settings."""

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
    """One database: as the application sees it, and as the owner of the schema does."""

    app: str
    owner: str


class Workspace:
    """A temporary directory and what is started in it; everything is gone afterwards."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    @cached_property
    def server(self) -> EmbeddedServer:
        """An embedded server as the product configures it: every commit is on disk before it returns."""
        server = EmbeddedServer(self.directory / "pg")
        server.start()
        return server

    @cached_property
    def environment(self) -> dict[str, str]:
        """For programs that are started: nothing of the person's own settings, keys or home."""
        foreign = ("FRASIER_", "OPENROUTER_", "OPENAI_")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
        return {**kept, "HOME": str(self.directory)}

    @contextmanager
    def database(self) -> Iterator[Urls]:
        """A fresh database with the schema, dropped at the end."""
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
        """An empty directory that the database's system user can enter, too."""
        made = Path(tempfile.mkdtemp(prefix=f"{name}-", dir=self.directory))
        made.chmod(0o755)
        try:
            yield made
        finally:
            shutil.rmtree(made)

    def clear(self) -> None:
        if "server" in self.__dict__:
            self.server.stop()
            self.server.release()
        shutil.rmtree(self.directory)


@contextmanager
def open_ground() -> Iterator[Workspace]:
    directory = Path(tempfile.mkdtemp(prefix="frasier-bench-"))
    directory.chmod(0o755)
    workspace = Workspace(directory)
    try:
        yield workspace
    finally:
        workspace.clear()
