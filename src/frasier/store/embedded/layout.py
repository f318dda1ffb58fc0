"""What lies where: the files of one embedded server, all inside one directory of its own."""

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
    """The directory of the server that belongs to this Frasier home.

    `explicit` says that a person named the home. As root PostgreSQL runs as another system user, who cannot
    enter root's own home, so the data of an unnamed home, or of a named one that is closed to others, lies in the
    system's place, keyed by the home. Data that exists is never left behind: a later chmod must not make it
    seem to vanish.
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
    """Whether another user could enter `home`, or the place where it would be made."""
    existing = [place for place in (home, *home.parents) if place.exists()]
    return all(place.stat().st_mode & 0o001 for place in existing)


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerLayout:
    """The paths inside a server's directory. As root the directory stays root's own, so that the service user
    can neither swap the locks nor plant links; only `data` and `sockets` are that user's.
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
        """Held by whoever starts or stops the server."""
        return self.root / "start.lock"

    @property
    def users_lock(self) -> Path:
        """Held, shared, by every process that uses the server."""
        return self.root / "users.lock"

    @property
    def server_lock(self) -> Path:
        """Held by the server itself: a descriptor that its processes inherit."""
        return self.root / "server.lock"

    @property
    def process_file(self) -> Path:
        return self.data / "postmaster.pid"

    @property
    def sockets(self) -> Path:
        """The socket's directory: inside the root, or where such a path cannot be used, in a short place."""
        inside = self.root / "run"
        # libpq takes a comma for the end of a host.
        if len(os.fsencode(inside / _SOCKET_NAME)) <= _SOCKET_PATH_BYTES_MAX and "," not in str(inside):
            return inside
        return _SHORT_PLACE / f"frasier-{hashlib.sha256(os.fsencode(self.root)).hexdigest()[:16]}"

    def server_files(self) -> tuple[Path, ...]:
        """What a running server leaves behind when it is killed, and a next one trips over."""
        socket = self.sockets / _SOCKET_NAME
        return self.process_file, socket, socket.with_name(f"{_SOCKET_NAME}.lock")

    def conninfo(self, database: str) -> str:
        """How this package itself connects: as the superuser, whatever the PG* environment says."""
        return make_conninfo(
            host=str(self.sockets),
            hostaddr="",
            port=PORT,
            user=SUPERUSER,
            dbname=database,
            options="",
            connect_timeout=5,
        )
