"""Migrations: numbered, checksummed SQL files, forward only; pending ones are applied all or none."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from importlib.resources import files

import psycopg
import structlog

from frasier.kernel.errors import SchemaMismatch, StoreError
from frasier.store.connection import connect
from frasier.store.deferred import Connection
from frasier.store.error_translation import unreachable

log = structlog.get_logger()

_BOOKKEEPING = """
create table if not exists store_migrations (
    name text primary key,
    sha256 text not null,
    applied_at timestamptz not null default now()
)
"""

# The application may write everything but the audit trail: it appends to that through append_event and adds seals.
_GRANTS = """
do $$ begin
    if exists (select from pg_roles where rolname = 'frasier_app' and rolname <> current_user) then
        grant usage on schema public to frasier_app;
        grant select, insert, update, delete on all tables in schema public to frasier_app;
        grant usage on all sequences in schema public to frasier_app;
        revoke insert, update, delete, truncate
            on events, store_event_streams, store_migrations from frasier_app;
        revoke update, delete, truncate on store_event_seals from frasier_app;
    end if;
end $$
"""


@dataclass(frozen=True, slots=True)
class Migration:
    name: str
    sql: str

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.sql.encode()).hexdigest()


def known_migrations() -> list[Migration]:
    """The migrations of this program, in order."""
    folder = files("frasier.store").joinpath("migrations")
    found = [
        Migration(entry.name, entry.read_text("utf-8"))
        for entry in folder.iterdir()
        if entry.name.endswith(".sql")
    ]
    return sorted(found, key=lambda migration: migration.name)


def _check_history(known: list[Migration], applied: dict[str, str]) -> None:
    by_name = {migration.name: migration for migration in known}
    for name, sha256 in applied.items():
        if name not in by_name:
            raise SchemaMismatch(
                f"The database has migration {name}, which this program does not know.",
                kept="Nothing was changed.",
                hint="A newer Frasier wrote this database: upgrade this one.",
            )
        if by_name[name].sha256 != sha256:
            raise SchemaMismatch(
                f"Migration {name} was applied with other contents than this program has.",
                kept="Nothing was changed.",
                hint="Restore the file as it was released; a change needs a migration of its own.",
            )


async def migrate(owner_url: str) -> list[str]:
    """Bring the schema up to date; return the names of the migrations that were applied.

    `owner_url` must be a direct connection (no pooler) of the role that owns the schema. Any number of
    processes may call this at once: the first applies, the others wait and find nothing to do.

    Raises SchemaMismatch where the schema is not one that this program can have made, DatabaseUnreachable where
    the server does not answer, ConfigurationError for a pooler, and StoreError where PostgreSQL refuses a migration;
    then nothing was changed.
    """
    try:
        async with await connect(owner_url) as connection:
            await connection.set_autocommit(False)
            applied = await _apply_pending(connection)
    except psycopg.OperationalError as error:
        raise unreachable(error) from error
    if applied:
        log.info("schema.migrated", applied=applied)
    return applied


async def _apply_pending(connection: Connection) -> list[str]:
    known = known_migrations()
    if await _up_to_date(connection, known):
        return []
    await connection.rollback()  # holds nothing while it waits for its turn
    await connection.execute("select pg_advisory_xact_lock(hashtext('frasier migrations'))")
    # A migration that waits for a table makes everybody wait behind it; rather fail and be run again.
    await connection.execute("set local lock_timeout = '10s'")
    await connection.execute(_BOOKKEEPING)
    applied = await _history(connection)
    _check_history(known, applied)
    pending = [migration for migration in known if migration.name not in applied]
    for migration in pending:
        try:
            await connection.execute(migration.sql.encode())
        except psycopg.Error as error:
            raise StoreError(
                f"Migration {migration.name} failed: {str(error).splitlines()[0]}",
                kept="Nothing was changed.",
                hint="The role of FRASIER_DATABASE__OWNER_URL must own the database, on PostgreSQL 15 or newer.",
            ) from error
        await connection.execute(
            "insert into store_migrations (name, sha256) values (%s, %s)", (migration.name, migration.sha256)
        )
    if pending:
        await connection.execute(_GRANTS)
    return [migration.name for migration in pending]


async def _history(connection: Connection) -> dict[str, str]:
    cursor = await connection.execute("select name, sha256 from store_migrations")
    return {row["name"]: row["sha256"] for row in await cursor.fetchall()}


async def _up_to_date(connection: Connection, known: list[Migration]) -> bool:
    """Whether nothing is pending: the common case, which should cost one query and no lock."""
    cursor = await connection.execute("select to_regclass('store_migrations') is not null as there")
    row = await cursor.fetchone()
    if row is None or not row["there"]:
        return False
    applied = await _history(connection)
    _check_history(known, applied)
    return len(applied) == len(known)
