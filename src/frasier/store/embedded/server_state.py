"""Liveness of the server: it serves when it answers; it is dead when none of its processes is left.

A process id proves neither: a zombie has one, and after a restart of a container it belongs to another process.
"""

from __future__ import annotations

import os
from contextlib import suppress
from enum import StrEnum
from pathlib import Path

from psycopg import pq

from frasier.kernel.errors import ConfigurationError
from frasier.store.embedded import locks
from frasier.store.embedded.paths import ServerLayout


class ServerState(StrEnum):
    """The state of the server, by the answer of its socket."""

    SERVING = "serving"
    BUSY = "busy"
    """Alive, but starting, recovering or stopping."""
    SILENT = "silent"


_ANSWERS = {pq.Ping.OK: ServerState.SERVING, pq.Ping.REJECT: ServerState.BUSY}


def ask(layout: ServerLayout) -> ServerState:
    """Probe the socket. Takes some milliseconds if a server answers."""
    try:
        sockets, data = layout.sockets.lstat(), layout.data.stat()
    except FileNotFoundError:
        return ServerState.SILENT
    if sockets.st_uid == 0 != data.st_uid:
        return ServerState.SILENT  # root created the directory and was killed before it changed the owner
    if sockets.st_uid != data.st_uid:
        # In a shared place another user could have planted a server.
        raise ConfigurationError(
            f"{layout.sockets} belongs to another user than the database in {layout.data}.",
            hint=f"Remove {layout.sockets} while no PostgreSQL runs there, or choose a shorter FRASIER_HOME.",
        )
    reply = pq.PGconn.ping(layout.conninfo("postgres").encode())
    return _ANSWERS.get(pq.Ping(reply), ServerState.SILENT)


def residents(data: Path) -> list[int]:
    """Return the processes whose working directory is the data directory: the server and all its children."""
    try:
        home = data.stat()
    except FileNotFoundError:
        return []
    return [
        int(entry.name)
        for entry in Path("/proc").iterdir()
        if entry.name.isdigit() and _lives_in(entry, home)
    ]


def _lives_in(process: Path, home: os.stat_result) -> bool:
    # An ended process or a zombie has no directory; one that hides it does not belong to the data's owner.
    with suppress(FileNotFoundError, ProcessLookupError, PermissionError):
        return os.path.samestat((process / "cwd").stat(), home)
    return False


def postmaster(layout: ServerLayout) -> int | None:
    """Return the id of the server's first process, or None if none is proven to be it."""
    try:
        first_line = layout.process_file.read_text().partition("\n")[0]
        home = layout.data.stat()
    except FileNotFoundError:
        return None
    if not first_line.isdigit() or not _lives_in(Path("/proc") / first_line, home):
        return None
    return int(first_line)


def is_alive(layout: ServerLayout) -> bool:
    """Whether any process of the server is left. The caller holds the start lock."""
    # The lock is cheaper to test and covers other containers; the scan covers servers started by hand.
    return locks.is_held(layout.server_lock) or bool(residents(layout.data))
