"""Directories of embedded servers under test, and facts about the servers in them."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg
from psycopg.conninfo import conninfo_to_dict

from frasier.store.embedded import EmbeddedServer
from support.embedded_client import EmbeddedClient
from support.scratch import SCRATCH

FAST = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "shared_buffers": "16MB"}
DEADLINE_S = 30


@contextmanager
def open_place() -> Iterator[Path]:
    """Create a directory that everybody can enter; remove it and any server below it at the end."""
    directory = Path(tempfile.mkdtemp(prefix="frasier-embedded-", dir=SCRATCH))
    directory.chmod(0o755)
    try:
        yield directory
    finally:
        for data in directory.glob("**/PG_VERSION"):
            if data.parent.name == "data":
                EmbeddedServer(data.parent.parent).stop()
        shutil.rmtree(directory)


@contextmanager
def prepared_root() -> Iterator[Path]:
    """Return the directory of a server that was created and stopped."""
    with open_place() as place:
        with EmbeddedServer(place / "pg", settings=FAST):
            pass
        yield place / "pg"


def query(url: str, statement: str) -> list[tuple[object, ...]]:
    with psycopg.connect(url, autocommit=True) as connection:
        cursor = connection.execute(statement)
        return cursor.fetchall() if cursor.description else []


def sockets_of(server: EmbeddedServer) -> Path:
    return Path(str(conninfo_to_dict(server.url())["host"]))


def initdb_in(root: Path) -> int | None:
    for process in Path("/proc").iterdir():
        if process.name.isdigit():
            with suppress(OSError):
                arguments = (process / "cmdline").read_bytes().split(b"\0")
                if arguments[0].endswith(b"/initdb") and any(
                    str(root).encode() in part for part in arguments
                ):
                    return int(process.name)
    return None


def wait_until(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + DEADLINE_S
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        os.sched_yield()


def client(root: Path, **options: object) -> EmbeddedClient:
    return EmbeddedClient(root, FAST, **options)  # type: ignore[arg-type]
