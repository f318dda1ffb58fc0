"""The contents of a fresh server: two roles, and databases with pgvector."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import psycopg
from psycopg import Connection
from psycopg.sql import SQL, Identifier

from frasier.kernel.errors import DatabaseUnreachable
from frasier.store.embedded.paths import SUPERUSER, ServerLayout
from frasier.store.error_translation import DatabaseFull, disk_hint, unreachable

OWNER_ROLE = "frasier_owner"
APP_ROLE = "frasier_app"
DATABASE = "frasier"

_NAMED = 12
_CONNECTED = """
select coalesce(nullif(application_name, ''), 'unnamed'), count(*) from pg_stat_activity
where backend_type = 'client backend' and pid <> pg_backend_pid() group by 1 order by 2 desc, 1
"""
_DATABASE_OWNER = "select rolname from pg_database join pg_roles on pg_roles.oid = datdba where datname = %s"


def provision(layout: ServerLayout) -> None:
    """Create missing roles and the database; one query if they exist."""
    with _connect(layout, SUPERUSER) as connection:
        if _owner_of(connection, DATABASE) == OWNER_ROLE:
            return
        for role in (OWNER_ROLE, APP_ROLE):
            if not connection.execute("select from pg_roles where rolname = %s", [role]).rowcount:
                connection.execute(
                    SQL("create role {} login nosuperuser nocreatedb nocreaterole").format(Identifier(role))
                )
        if _owner_of(connection, DATABASE) is None:
            _create(connection, DATABASE, template="template0")
        _complete(layout, connection, DATABASE)


def create_database(layout: ServerLayout, name: str, template: str | None) -> None:
    """Create a database of the owner role: a copy of `template`, or an empty one with pgvector."""
    with _connect(layout, SUPERUSER) as connection:
        _create(connection, name, template=template or "template0")
        _complete(layout, connection, name)


def drop_database(layout: ServerLayout, name: str) -> None:
    """Drop the database if it exists, cutting off its connections."""
    with _connect(layout, SUPERUSER) as connection:
        connection.execute(SQL("drop database if exists {} with (force)").format(Identifier(name)))


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectedProcesses:
    """The number of connections of each process, by the name that it gave itself, of at most `limit`."""

    limit: int
    connections: Mapping[str, int]

    @property
    def count(self) -> int:
        return sum(self.connections.values())

    def __str__(self) -> str:
        most = [f"{name}: {count}" for name, count in list(self.connections.items())[:_NAMED]]
        left = len(self.connections) - len(most)
        further = [f"{left} more processes"] if left > 0 else []
        return f"{self.count} of {self.limit} connections are in use ({', '.join([*most, *further])})"


def connected_processes(layout: ServerLayout) -> ConnectedProcesses:
    """Count the connections of every process but this one. The superuser may connect where nobody else can."""
    with _connect(layout, SUPERUSER) as connection:
        rows = connection.execute(_CONNECTED).fetchall()
        [(limit,)] = connection.execute("select current_setting('max_connections')::int").fetchall()
    return ConnectedProcesses(limit=limit, connections=dict(rows))


def _create(connection: Connection, name: str, *, template: str) -> None:
    connection.execute(SQL("create database {} template {}").format(Identifier(name), Identifier(template)))


def _complete(layout: ServerLayout, connection: Connection, name: str) -> None:
    """Add pgvector, then the owner: a database with that owner is complete, even after a crash."""
    with _connect(layout, name) as inside:
        inside.execute("create extension if not exists vector")
    connection.execute(SQL("alter database {} owner to {}").format(Identifier(name), Identifier(OWNER_ROLE)))


def _owner_of(connection: Connection, database: str) -> str | None:
    row = connection.execute(_DATABASE_OWNER, [database]).fetchone()
    return None if row is None else str(row[0])


def _connect(layout: ServerLayout, database: str) -> Connection:
    try:
        return psycopg.connect(layout.conninfo(database), autocommit=True)
    except psycopg.OperationalError as error:
        if isinstance(full := unreachable(error), DatabaseFull):
            raise full from error
        raise DatabaseUnreachable(
            f"PostgreSQL in {layout.root} refused a connection: {error}", hint=disk_hint(error)
        ) from error
