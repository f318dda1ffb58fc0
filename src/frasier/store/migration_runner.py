r"""Migrations: numbered SQL files, forward only, checksummed, each applied whole or not at all.

A line `\ir functions/NAME.sql` runs a file of functions, the only place of their text. A change of that file comes with
a migration that runs it again. A migration whose first line is `-- no-transaction` holds one statement that cannot run
in a transaction (`create index concurrently`) and can be repeated: it is not undone when it is interrupted.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files

import psycopg

from frasier.kernel.advice import Advice
from frasier.kernel.errors import SchemaMismatch, StoreError
from frasier.kernel.logging_setup import get_logger
from frasier.kernel.text import digest
from frasier.store.connection import connect
from frasier.store.deferred import Connection, Tx
from frasier.store.error_translation import disk_hint, failure_reason, unreachable
from frasier.store.sql_statements import Statements

log = get_logger()
_sql = Statements("frasier.store")

LOCK_TIMEOUT = "10s"
"""The time that a statement of a migration waits for a table: other sessions queue behind it meanwhile."""
STATEMENT_TIMEOUT = "15min"
"""The time that a statement of a migration may take. A migration that needs more sets it for itself."""

_TURN_S = 0.1
_NO_TRANSACTION = "-- no-transaction\n"
_INCLUDE = re.compile(r"^\\ir (functions/\w+\.sql)$", re.MULTILINE)

_BOOKKEEPING = """
create table if not exists store_migrations (
    name text primary key,
    sha256 text not null,
    applied_at timestamptz not null
)
"""

# The application may write everything except the audit log, to which it appends through append_event and adds seals.
_GRANTS = """
do $$
declare
    partition regclass;
begin
    if exists (select from pg_roles where rolname = 'frasier_app' and rolname <> current_user) then
        grant usage on schema public to frasier_app;
        grant select, insert, update, delete on all tables in schema public to frasier_app;
        grant usage on all sequences in schema public to frasier_app;
        revoke insert, update, delete, truncate
            on events, store_event_streams, store_migrations, store_test_databases from frasier_app;
        revoke update, delete, truncate on store_event_seals from frasier_app;
        for partition in select inhrelid::regclass from pg_inherits where inhparent = 'events'::regclass loop
            execute format('revoke all on %s from frasier_app', partition);
        end loop;
    end if;
end $$
"""


@dataclass(frozen=True)
class Migration:
    """One file of migrations. `source` is its own text, which its checksum covers."""

    name: str
    source: str

    @cached_property
    def functions(self) -> dict[str, str]:
        """The files of functions that it runs, by name, as they are now."""
        return {name: _text(name) for name in _INCLUDE.findall(self.source)}

    @property
    def sql(self) -> str:
        """The text of the file with that of the functions."""
        return _INCLUDE.sub(lambda line: self.functions[line.group(1)], self.source)

    @property
    def sha256(self) -> str:
        return digest(self.source)

    @property
    def in_transaction(self) -> bool:
        return not self.source.startswith(_NO_TRANSACTION)

    def checksums(self) -> dict[str, str]:
        """The checksums of the file and of the functions that it runs, by name."""
        return {self.name: self.sha256} | {name: digest(text) for name, text in self.functions.items()}


def known_migrations() -> list[Migration]:
    """Return the migrations of this program, in order."""
    folder = files("frasier.store").joinpath("migrations")
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".sql"))
    return [Migration(name, _text(name)) for name in names]


def _text(name: str) -> str:
    return files("frasier.store").joinpath("migrations", name).read_text("utf-8")


@dataclass(frozen=True, slots=True)
class History:
    """A comparison of the migrations that a database has with those that this program knows.

    `unknown` are names that the program does not know; `changed` are those with other contents. `development` says that
    the database was made by a development version, before the first release: no migration upgrades it.
    """

    pending: tuple[Migration, ...]
    unknown: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    development: bool = False


def compare_history(applied: Mapping[str, str]) -> History:
    """Compare `applied`, checksums by name, with the migrations that this program knows."""
    known = known_migrations()
    pending = tuple(migration for migration in known if migration.name not in applied)
    checksums = {name: sha256 for migration in known for name, sha256 in migration.checksums().items()}
    renewed = {name for migration in pending for name in migration.functions}
    first = known[0]
    return History(
        pending,
        unknown=tuple(name for name in applied if name not in checksums),
        changed=tuple(
            name
            for name, sha256 in applied.items()
            if checksums.get(name, sha256) != sha256 and name not in renewed
        ),
        development=applied.get(first.name, first.sha256) != first.sha256,
    )


def version_before(applied: Sequence[str]) -> int:
    """Return the version from which a database was updated by applying these migrations: the number of the last one
    before them; 0 for one that was empty.
    """
    return _number(applied[0]) - 1


def version_after(applied: Sequence[str]) -> int:
    """Return the version of a database to which these migrations were applied."""
    return _number(applied[-1])


def _number(migration: str) -> int:
    return int(migration.partition("_")[0])


def known_names() -> tuple[str, ...]:
    """Return the names of the migrations that this program knows.

    Read them at the start of a process that runs on: its files may be replaced by those of a newer program.
    """
    return tuple(migration.name for migration in known_migrations())


async def check_schema(tx: Tx, known: Sequence[str]) -> None:
    """Raise SchemaMismatch if the database has migrations besides the `known` ones."""
    rows = await _sql.all(tx, "unknown_migrations", known=list(known))
    if rows:
        raise SchemaMismatch(
            f"A newer Frasier has updated the database, to {rows[-1]['name']}, which this one does not know.",
            kept="Everything that was stored before is kept; what was begun goes on at the next start.",
            hint="Start this again with the new version.",
        )


def _check_history(history: History) -> None:
    nothing = "Nothing was changed."
    if history.development:
        raise SchemaMismatch(
            "This database was made by an earlier development version of Frasier, which cannot be upgraded.",
            kept=nothing,
            hint="Keep it for the version that made it, and export from there what you need; then start with a new home"
            " (FRASIER_HOME) or an empty database (FRASIER_DATABASE_URL).",
        )
    if history.unknown:
        raise SchemaMismatch(
            f"The database has migration {history.unknown[0]}, which this program does not know.",
            kept=nothing,
            hint="A newer Frasier wrote this database: upgrade this one.",
        )
    if history.changed:
        raise SchemaMismatch(
            f"Migration {history.changed[0]} was applied with other contents than this program has.",
            kept=nothing,
            hint="Restore the file as it was released; a change needs a migration of its own.",
        )


async def migrate(owner_url: str) -> list[str]:
    """Bring the schema up to date and return the names of the migrations that were applied.

    `owner_url` must be a direct connection (no pooler) of the role that owns the schema. Any number of processes may
    call this at once: the first applies, the others wait and find nothing to do.

    Raises SchemaMismatch if this program cannot have made the schema or the role may not change it, DatabaseUnreachable
    if the server does not answer, ConfigurationError for a pooler, and StoreError if PostgreSQL refuses a migration;
    then those before it are applied, and nothing of this one, unless it runs outside of a transaction.
    """
    try:
        async with await connect(owner_url) as connection:
            applied = await _apply_pending(connection)
    except psycopg.OperationalError as error:
        raise unreachable(error) from error
    except psycopg.errors.InsufficientPrivilege as error:
        raise SchemaMismatch(
            f"The schema is missing or not up to date, and this role cannot change it: {failure_reason(error)}",
            kept="Nothing was changed.",
            hint="Use the address of the role that owns the database.",
            advice=Advice("database.migrate", to="bring the schema up to date"),
        ) from error
    if applied:
        log.info("schema.migrated", applied=applied)
    return applied


async def _apply_pending(connection: Connection) -> list[str]:
    if not await _pending(connection):
        return []
    async with _turn(connection):
        await connection.execute(_BOOKKEEPING)
        pending = await _pending(connection)  # another process may have applied them meanwhile
        for migration in pending:
            await _apply(connection, migration)
    return [migration.name for migration in pending]


async def _pending(connection: Connection) -> Sequence[Migration]:
    """Return the migrations that are left to apply: mostly none, which costs two short statements and no lock."""
    cursor = await connection.execute("select to_regclass('store_migrations') is not null as present")
    row = await cursor.fetchone()
    if row is None or not row["present"]:
        return known_migrations()
    cursor = await connection.execute("select name, sha256 from store_migrations")
    history = compare_history({row["name"]: row["sha256"] for row in await cursor.fetchall()})
    _check_history(history)
    return history.pending


@asynccontextmanager
async def _turn(connection: Connection) -> AsyncIterator[None]:
    """Hold the lock of migrations, acquired by polling: a waiting statement would hold a snapshot, for whose end
    `create index concurrently` waits in turn.
    """
    lock = "hashtext('frasier migrations')"
    while True:
        cursor = await connection.execute(f"select pg_try_advisory_lock({lock}) as taken".encode())
        row = await cursor.fetchone()
        if row is not None and row["taken"]:
            break
        await asyncio.sleep(_TURN_S)
    try:
        yield
    finally:
        if not connection.closed:
            await connection.execute(f"select pg_advisory_unlock({lock})".encode())


async def _apply(connection: Connection, migration: Migration) -> None:
    try:
        if migration.in_transaction:
            async with connection.transaction():
                await connection.execute(f"set local lock_timeout = '{LOCK_TIMEOUT}'".encode())
                await connection.execute(f"set local statement_timeout = '{STATEMENT_TIMEOUT}'".encode())
                await connection.execute(migration.sql.encode())
                await _record(connection, migration)
        else:
            await connection.execute(migration.sql.encode())
            async with connection.transaction():
                await _record(connection, migration)
    except psycopg.Error as error:
        raise StoreError(
            f"Migration {migration.name} failed: {str(error).splitlines()[0]}",
            kept="Every migration before it is applied; nothing of this one is."
            if migration.in_transaction
            else "Every migration before it is applied; this one can be repeated.",
            hint=_hint(error),
        ) from error


def _hint(error: psycopg.Error) -> str:
    """Return what makes a refused migration possible. Only a superuser may create an extension that is not trusted."""
    if full := disk_hint(error):
        return full
    if "extension" in str(error):
        return "Let an administrator install pgvector on the server and run `create extension vector` in the database."
    return "The role of FRASIER_DATABASE__OWNER_URL must own the database, on PostgreSQL 15 or newer."


async def _record(connection: Connection, migration: Migration) -> None:
    for name, sha256 in migration.checksums().items():
        await connection.execute(
            "insert into store_migrations (name, sha256, applied_at) values (%s, %s, frasier_now())"
            " on conflict (name) do update set sha256 = excluded.sha256, applied_at = excluded.applied_at",
            (name, sha256),
        )
    await connection.execute(_GRANTS)
