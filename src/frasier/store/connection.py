"""Open one connection to PostgreSQL, and check that it reaches the server itself."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from traceback import clear_frames
from typing import Any, TypeVar

import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import dict_row

from frasier.kernel.advice import Advice
from frasier.kernel.errors import ConfigurationError, DatabaseUnreachable
from frasier.store.array_parameters import ADAPTERS
from frasier.store.deferred import Connection
from frasier.store.error_translation import ADDRESSES, failure_reason, unreachable
from frasier.store.process_identity import application_name

Opened = TypeVar("Opened")

SESSION_SETTINGS = {
    "jit": "off",
    "max_parallel_workers_per_gather": "0",
    "timezone": "UTC",
    "idle_in_transaction_session_timeout": "60s",
}

_CONNECT_S = 2  # a command says within 3 s that the database is lost
_POSTGRES_MIN = 15
_NOTHING = "Nothing was changed."
_POOLER = "unsupported startup parameter"
_POOLER_HINT = (
    "For a pooler in transaction mode set FRASIER_DATABASE__POOLED=true and FRASIER_DATABASE__DIRECT_URL, an address of"
    " the application's role that reaches the server itself. FRASIER_DATABASE__OWNER_URL must reach it, too."
)
_DIRECT_HINT = (
    "Set it to an address of the application's role that reaches the server behind the pooler, with the name that the"
    " database has there."
)


class PoolerFound(ConfigurationError):
    """The address of a pooler in place of that of the server itself."""


def connection_arguments(url: str, *, pooled: bool) -> dict[str, Any]:
    """Return the arguments of every connection to `url`.

    A pooler accepts no settings when a connection opens, and may lose prepared statements between transactions.
    """
    arguments: dict[str, Any] = {
        "row_factory": dict_row,
        "connect_timeout": _CONNECT_S,
        "autocommit": True,
        "context": ADAPTERS,
    }
    if pooled:
        return arguments | {"prepare_threshold": None}
    settings = " ".join(f"-c {name}={value}" for name, value in SESSION_SETTINGS.items())
    options = f"{conninfo_to_dict(url).get('options') or ''} {settings}".strip()
    return arguments | {"options": options, "fallback_application_name": application_name()}


async def opened(connecting: Awaitable[Opened]) -> Opened:
    """Await a connection that the driver opens; a failure or a cancellation closes what is half open at once.

    The driver's frames hold the half-open connection, and the traceback of a cancellation holds the frames, in a cycle:
    without this the connection would stay open until the garbage collector comes by.
    """
    try:
        return await connecting
    except BaseException as error:
        clear_frames(error.__traceback__)
        raise


async def connect(url: str, *, pooled: bool = False) -> Connection:
    """Open a connection in autocommit, directly to the server unless it is `pooled`.

    Raises DatabaseUnreachable with the server's own message, PoolerFound for an unconfigured pooler,
    and ConfigurationError for a server that is too old.
    """
    try:
        connection = await opened(Connection.connect(url, **connection_arguments(url, pooled=pooled)))
        try:
            await _check(connection, pooled=pooled)
        except BaseException:
            await connection.close()
            raise
    except psycopg.errors.ConnectionTimeout as error:
        raise _unanswered(url, pooled=pooled) from error
    except psycopg.OperationalError as error:
        if _POOLER in str(error):
            raise PoolerFound(
                f"The database is behind a pooler: {failure_reason(error)}",
                kept=_NOTHING,
                hint=_POOLER_HINT,
            ) from error
        raise unreachable(error) from error
    return connection


async def _check(connection: Connection, *, pooled: bool) -> None:
    version = connection.info.server_version // 10_000
    if version < _POSTGRES_MIN:
        raise ConfigurationError(
            f"The database runs on PostgreSQL {version}, which is too old.",
            kept=_NOTHING,
            hint=f"Use PostgreSQL {_POSTGRES_MIN} or newer.",
        )
    if pooled:
        return
    name = "idle_in_transaction_session_timeout"
    cursor = await connection.execute(
        "select current_setting(%s)::interval = %s::interval as arrived",
        (name, SESSION_SETTINGS[name]),
    )
    row = await cursor.fetchone()
    if row is None or not row["arrived"]:
        raise PoolerFound(
            f"The database is behind a pooler: settings of a session on {connection.info.host}, port"
            f" {connection.info.port}, do not reach PostgreSQL.",
            kept=_NOTHING,
            hint=_POOLER_HINT,
        )


async def check_direct(database_url: str, direct_url: str) -> None:
    """Raise ConfigurationError where `direct_url` goes through a pooler, or to another database than `database_url`,
    which does go through one.
    """
    try:
        # Directly first: a server that is down refuses that at once, and a pooler in front of it lets its clients wait.
        identities = [await _identity(direct_url, pooled=False), await _identity(database_url, pooled=True)]
    except PoolerFound as error:
        raise PoolerFound(
            f"FRASIER_DATABASE__DIRECT_URL is the address of a pooler ({_place(direct_url)}).",
            kept=_NOTHING,
            hint=_DIRECT_HINT,
        ) from error
    except psycopg.errors.InsufficientPrivilege:
        return  # a hardened server does not identify itself
    except psycopg.OperationalError as error:
        raise unreachable(error) from error
    if identities[0] != identities[1]:
        raise ConfigurationError(
            "FRASIER_DATABASE__DIRECT_URL leads to another database than FRASIER_DATABASE_URL.",
            kept=_NOTHING,
            hint=_DIRECT_HINT,
        )


async def _identity(url: str, *, pooled: bool) -> Mapping[str, Any] | None:
    """Return the cluster and the database that an address leads to, as the server reports them."""
    async with await connect(url, pooled=pooled) as connection:
        cursor = await connection.execute(
            "select system_identifier, (select oid from pg_catalog.pg_database where datname = current_database())"
            " from pg_catalog.pg_control_system()"
        )
        return await cursor.fetchone()


def _unanswered(url: str, *, pooled: bool) -> DatabaseUnreachable:
    """Build the error for an address that does not answer in time; the driver does not name it."""
    pooler = "Check whether the pooler there reaches its server; its log says why not. " if pooled else ""
    return DatabaseUnreachable(
        f"The database does not answer: no session began at {_place(url)} within {_CONNECT_S} s.",
        kept="Everything committed before is in the database.",
        hint=f"{pooler}Check {ADDRESSES}.",
        advice=Advice("doctor.run", to="look at the parts"),
    )


def _place(url: str) -> str:
    """Return the host and port of an address, as far as it names them."""
    parts = conninfo_to_dict(url)
    return (
        f"{parts.get('host') or parts.get('hostaddr') or 'the usual host'}, port {parts.get('port') or 5432}"
    )
