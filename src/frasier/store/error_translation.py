"""Translation of errors of PostgreSQL and its driver into errors of the product, with advice."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg

from frasier.kernel.advice import Advice
from frasier.kernel.errors import (
    DatabaseUnreachable,
    FrasierError,
    LeaseLost,
    SchemaMismatch,
    Stale,
    StoreError,
)
from frasier.kernel.logging_setup import mask_url

ADDRESSES = "FRASIER_DATABASE_URL, and FRASIER_DATABASE__OWNER_URL and FRASIER_DATABASE__DIRECT_URL where set"
"""The settings that hold the address of a database."""

_HINTS = (
    ("does not support SSL", "Remove sslmode from the address, or switch TLS on in the server."),
    (
        "no pg_hba.conf entry|SSL (connection )?is required|SSL required",
        "Add sslmode=require to the address where the server wants TLS, or let an administrator admit this client.",
    ),
    (
        'authentication failed|no password supplied|role ".*" does not exist',
        f"Correct the user and the password ({ADDRESSES}).",
    ),
    (
        'database ".*" does not exist|no such database',
        f"Create the database, or correct its name ({ADDRESSES}).",
    ),
)
# The reason where the embedded server does not run: no socket where store/embedded/paths.py has it.
_EMBEDDED_STOPPED = re.compile(
    r'"(/tmp/frasier-[0-9a-f]{16}|.*/(postgres|[0-9a-f]{12})/run)/\.s\.PGSQL\.5432".* No such file or directory'
)
# PostgreSQL, and a pooler, when as many sessions as they allow are open.
_FULL = re.compile(
    "too many clients already|remaining connection slots are reserved|too many connections for"
    "|no more connections allowed"
)
_NO_SPACE = "No space left on device"
# The memory engine alone may meet a database that nobody has migrated; the programs migrate theirs.
_OF_MEMORY = 'relation "memory_'
# Raised by functions of the schema if a row has changed since the caller read it: another session was first, or the
# attempt has lost its task.
_MOVED_FIRST, _LEASE_LOST = "FR001", "FR002"


class DatabaseFull(DatabaseUnreachable):
    """The database accepts no more connections. `connected` says how many there are, and whose, where that is known."""

    def __init__(self, connected: str = "") -> None:
        super().__init__(
            "The database accepts no more connections: too many processes are connected."
            + (f" {connected}." if connected else ""),
            kept="Everything committed before is in the database.",
            hint="End processes that are not needed, such as servers of agents that have finished, and try again. A"
            " database server of your own may also allow more (max_connections).",
            advice=Advice("doctor.run", to="see what is connected"),
        )


@contextmanager
def translated_errors() -> Iterator[None]:
    """Translate errors of the body that an operator or a retry can resolve into errors of the product.

    A defect, such as a broken constraint, is raised unchanged.
    """
    try:
        yield
    except psycopg.Error as error:
        if (translated := _translated(error)) is None:
            raise
        raise translated from error


def _translated(error: psycopg.Error) -> FrasierError | None:
    if isinstance(error, (psycopg.errors.SerializationFailure, psycopg.errors.DeadlockDetected)):
        return Stale(
            "Another session changed the same rows first.",
            kept="Nothing of this was stored.",
            hint="Try again.",
        )
    if error.sqlstate in (_MOVED_FIRST, _LEASE_LOST):
        return _refused_by_function(error)
    if _connection_lost(error):
        return unreachable(error)
    if isinstance(error, psycopg.errors.UndefinedTable) and _OF_MEMORY in failure_reason(error):
        return SchemaMismatch(
            f"The schema is missing or not up to date: {failure_reason(error)}",
            kept="Nothing of this was stored.",
            advice=Advice("database.migrate", to="bring it up to date"),
        )
    if isinstance(error, psycopg.OperationalError):
        return StoreError(
            f"PostgreSQL could not continue: {failure_reason(error)}",
            kept="Nothing of this was stored; everything committed before is.",
            hint=disk_hint(error),
            advice=Advice("doctor.run", to="see the state of the database"),
        )
    return None


def _refused_by_function(error: psycopg.Error) -> FrasierError:
    """Build the error for a refusal by a function of the schema; its detail holds `task` and `attempt` as JSON."""
    facts = json.loads(error.diag.message_detail or "{}")
    if error.sqlstate == _LEASE_LOST:
        return LeaseLost(
            f"Attempt {facts['attempt']} of {facts.get('task') or 'the task'} does not hold the task any more.",
            kept="What the attempt stored before stays; nothing was written now.",
            hint="Look at the task again; if it is free, it can be claimed anew.",
            facts=facts,
        )
    return Stale(
        f"{facts.get('task') or 'The task'} was changed by somebody else first.",
        kept="What the others wrote is kept; nothing of yours was written.",
        hint="Look at it again and decide anew.",
        facts=facts,
    )


def _connection_lost(error: psycopg.Error) -> bool:
    if isinstance(error, psycopg.InterfaceError):
        return True
    # Class 08: connection; 57P: the server is stopping or starting; 25P03: it cut off an idle transaction.
    if (error.sqlstate or "").startswith(("08", "57P", "25P03")):
        return True
    return isinstance(error, psycopg.OperationalError) and error.sqlstate is None


def unreachable(error: Exception) -> DatabaseUnreachable:
    """Build the error that says why the database does not answer, without a password."""
    reason = failure_reason(error)
    if _FULL.search(reason):
        return DatabaseFull()
    known = disk_hint(error) or next((hint for pattern, hint in _HINTS if re.search(pattern, reason)), "")
    stopped = _EMBEDDED_STOPPED.search(reason)
    return DatabaseUnreachable(
        f"The database does not answer: {reason}",
        kept="Everything committed before is in the database.",
        hint=known or f"Check {ADDRESSES}.",
        advice=Advice("database.start", to="start the embedded server")
        if stopped
        else ()
        if known
        else Advice("doctor.run", to="look at the parts"),
    )


def disk_hint(error: Exception) -> str:
    """Return what to do where PostgreSQL met a full disk; empty where it did not. A refused connection has no code."""
    is_full = isinstance(error, psycopg.errors.DiskFull) or _NO_SPACE in str(error)
    return "Make room on the disk of the database; it goes on by itself." if is_full else ""


def failure_reason(error: Exception) -> str:
    """Return the first line of the message of PostgreSQL or its driver, without a password."""
    lines = mask_url(str(error)).strip().splitlines()
    return lines[0] if lines else type(error).__name__
