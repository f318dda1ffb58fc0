"""The files of one embedded server, all inside one directory."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

from psycopg.conninfo import make_conninfo

SUPERUSER = "postgres"
PORT = 5432
_SOCKET_NAME = f".s.PGSQL.{PORT}"
# sockaddr_un holds 108 bytes, the closing NUL included.
_SOCKET_PATH_BYTES_MAX = 107
_SHORT_PLACE = Path("/tmp")  # noqa: S108 - the directory's owner is verified before anybody connects
_SYSTEM_PLACE = Path("/var/lib/frasier")


def default_root(home: Path, *, explicit: bool = False) -> Path:
    """Return the directory of the server that belongs to this Frasier home.

    `explicit` says that the user set the home. As root PostgreSQL runs as another system user, who cannot enter
    root's own home, so the data of a default home, or of one that is closed to others, lies in the system's place,
    keyed by the home. Existing data stays where it is: a later chmod must not make it seem to vanish.
    """
    home = home.expanduser().resolve()
    beside = home / "postgres"
    if os.geteuid() != 0:
        return beside
    system = _SYSTEM_PLACE / hashlib.sha256(os.fsencode(home)).hexdigest()[:12]
    if not explicit or (system / "data").exists():
        return system
    return beside if beside.exists() or _open_to_others(home) else system


def _open_to_others(home: Path) -> bool:
    """Whether another user could enter `home`, or its nearest existing parent."""
    existing = [place for place in (home, *home.parents) if place.exists()]
    return all(place.stat().st_mode & 0o001 for place in existing)


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerLayout:
    """The paths inside a server's directory. As root the directory stays owned by root, so that the service user
    can neither swap the locks nor plant links; that user owns only `data` and `sockets`.
    """

    root: Path

    @property
    def data(self) -> Path:
        return self.root / "data"

    @property
    def configuration(self) -> Path:
        return self.root / "postgresql.conf"

    @property
    def log(self) -> Path:
        return self.root / "server.log"

    @property
    def start_lock(self) -> Path:
        """The lock held by the process that starts or stops the server."""
        return self.root / "start.lock"

    @property
    def users_lock(self) -> Path:
        """The lock held, shared, by every process that uses the server."""
        return self.root / "users.lock"

    @property
    def server_lock(self) -> Path:
        """The lock held by the server itself, through a descriptor that its processes inherit."""
        return self.root / "server.lock"

    @property
    def process_file(self) -> Path:
        return self.data / "postmaster.pid"

    @property
    def sockets(self) -> Path:
        """The socket's directory: inside the root, or at a short path if that one is unusable."""
        inside = self.root / "run"
        # libpq takes a comma for the end of a host.
        if len(os.fsencode(inside / _SOCKET_NAME)) <= _SOCKET_PATH_BYTES_MAX and "," not in str(inside):
            return inside
        return _SHORT_PLACE / f"frasier-{hashlib.sha256(os.fsencode(self.root)).hexdigest()[:16]}"

    def server_files(self) -> tuple[Path, ...]:
        """The files of a killed server, at which the next one would fail."""
        socket = self.sockets / _SOCKET_NAME
        return self.process_file, socket, socket.with_name(f"{_SOCKET_NAME}.lock")

    def conninfo(self, database: str) -> str:
        """Return the connection string of this package: as the superuser, regardless of the PG* environment."""
        return make_conninfo(
            host=str(self.sockets),
            hostaddr="",
            port=PORT,
            user=SUPERUSER,
            dbname=database,
            options="",
            connect_timeout=5,
        )
