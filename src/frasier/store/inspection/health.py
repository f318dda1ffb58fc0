"""The condition of a database, for its operator: server, schema, and the protection of the audit log."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from psycopg import errors

from frasier.store.database import Database
from frasier.store.deferred import Tx
from frasier.store.migration_runner import compare_history
from frasier.store.sql_statements import Statements

_sql = Statements("frasier.store.inspection")


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """The condition of a database. `vector` is the version of pgvector, None where it is missing; `bytes` is the size.

    `pending` are migrations of this program that were not applied; `foreign` are applied ones that it does not
    know, or knows with other contents. `development` is true of a database that an earlier development version made,
    which nothing upgrades.
    """

    version: str
    vector: str | None
    role: str
    database: str
    bytes: int
    connections: int
    applied: tuple[str, ...]
    pending: tuple[str, ...]
    foreign: tuple[str, ...]
    development: bool


class EventGuard(StrEnum):
    """The protection of events against the role of this connection."""

    PRIVILEGE = "privilege"
    """The role lacks the right, as it should."""
    TRIGGER = "trigger"
    """The role owns the table; only a trigger, which it could drop, protects it."""
    NOTHING = "nothing"


async def condition_of(database_url: str, *, pooled: bool = False) -> Condition:
    """Read the condition of the database at an address, with or without our schema."""
    async with Database(database_url, pooled=pooled) as database, database.transaction() as tx:
        row = await _sql.one(tx, "server_condition")
        has_schema = row.pop("has_schema")
        applied = {
            migration["name"]: migration["sha256"]
            for migration in (await _sql.all(tx, "applied_migrations") if has_schema else [])
        }
    history = compare_history(applied)
    return Condition(
        **row,
        applied=tuple(name for name in applied if not name.startswith("functions/")),
        pending=tuple(migration.name for migration in history.pending),
        foreign=history.unknown + history.changed,
        development=history.development,
    )


async def event_guard(tx: Tx) -> EventGuard:
    """Determine what protects events against changes, by an attempt that is rolled back."""
    try:
        async with tx.transaction(force_rollback=True):
            await _sql.run(tx, "touch_newest_event")
    except errors.InsufficientPrivilege:
        return EventGuard.PRIVILEGE
    except errors.RaiseException:
        return EventGuard.TRIGGER
    return EventGuard.NOTHING
