"""A real PgBouncer in transaction mode in front of the test server."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import psycopg
from psycopg.conninfo import conninfo_to_dict

from frasier.store.embedded import EmbeddedServer
from support.embedded_places import sockets_of, wait_until
from support.programs import needs_program
from support.scratch import SCRATCH

SERVER_CONNECTIONS = 3  # fewer than the program has of its own, so that they are really shared
_CONFIGURATION = """
[databases]
* = host={host} port={port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {listen}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = {folder}/users
pool_mode = transaction
default_pool_size = {connections}
max_client_conn = 200
ignore_startup_parameters = {ignored}
"""
PASSWORD = "geheim"


class Pooler:
    """A running pooler. `url` connects to a database through it."""

    def __init__(self, port: int) -> None:
        self._port = port

    def url(self, database: str, role: str = "frasier_app", password: str = PASSWORD) -> str:
        return f"postgresql://{role}:{password}@127.0.0.1:{self._port}/{quote(database, safe='')}"

    def answers(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self._port), timeout=1).close()
        except OSError:
            return False
        return True


@contextmanager
def open_pooler(server: EmbeddedServer, *, ignored: str = "") -> Iterator[Pooler]:
    """Start PgBouncer as the owner of the server's socket; it refuses to run as root.

    It accepts and drops the startup parameters in `ignored`, and refuses others that it does not know.
    """
    program = needs_program("pgbouncer")
    sockets = sockets_of(server)
    folder = Path(tempfile.mkdtemp(prefix="frasier-pooler-", dir=SCRATCH))
    folder.chmod(0o755)
    with socket.create_server(("127.0.0.1", 0)) as free_socket:
        port = free_socket.getsockname()[1]
    (folder / "users").write_text(f'"frasier_app" "{PASSWORD}"\n"frasier_owner" "{PASSWORD}"\n')
    (folder / "pgbouncer.ini").write_text(
        _CONFIGURATION.format(
            host=sockets,
            port=conninfo_to_dict(server.url())["port"],
            listen=port,
            folder=folder,
            connections=SERVER_CONNECTIONS,
            ignored=ignored,
        )
    )
    owner = sockets.stat()
    identity = {"user": owner.st_uid, "group": owner.st_gid, "extra_groups": []} if os.geteuid() == 0 else {}
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            [program, folder / "pgbouncer.ini"], stdout=log, stderr=log, cwd="/", **identity
        )
    pooler = Pooler(port)
    try:
        wait_until(lambda: pooler.answers() or process.poll() is not None)
        assert process.poll() is None, (folder / "log").read_text()
        yield pooler
    finally:
        process.send_signal(signal.SIGINT)
        process.wait()
        shutil.rmtree(folder)


def advisory_locks(url: str) -> int:
    """Return the number of session advisory locks in the database of `url`."""
    with psycopg.connect(url, autocommit=True) as connection:
        row = connection.execute(
            "select count(*) from pg_locks where locktype = 'advisory'"
            " and database = (select oid from pg_database where datname = current_database())"
        ).fetchone()
        return int(row[0]) if row else 0
