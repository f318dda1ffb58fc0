"""How PostgreSQL is reached: a pool, and transactions. Nothing else in the product opens a connection."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Self, TypeAlias

import psycopg
from psycopg import AsyncConnection
from psycopg.rows import DictRow, dict_row
from psycopg_pool import AsyncConnectionPool, PoolClosed, PoolTimeout

from frasier.kernel.boundary import transaction_open
from frasier.kernel.errors import DatabaseUnreachable, Stale
from frasier.kernel.log import mask_url

Tx: TypeAlias = AsyncConnection[DictRow]
"""An open transaction. A use case takes it first, so that its caller can join several into one."""

_SESSION_SETTINGS = {"jit": "off", "TimeZone": "UTC", "idle_in_transaction_session_timeout": "60s"}
_SET_LOCAL = "select " + ", ".join(
    f"set_config('{name}', '{value}', true)" for name, value in _SESSION_SETTINGS.items()
)


def unreachable(url: str, error: Exception) -> DatabaseUnreachable:
    """The error that tells a person that the database at `url` does not answer, without its password."""
    reason = mask_url(str(error)).strip().splitlines()
    return DatabaseUnreachable(
        f"The database does not answer: {reason[0] if reason else type(error).__name__}",
        kept="Everything committed before is in the database.",
        hint="Check `frasier db url` and FRASIER_DATABASE_URL, then `frasier doctor`.",
    )


class Database:
    """A pool of connections to one database.

    `url` is anything libpq accepts. Behind a pooler in transaction mode set `pooled`: then settings are local
    to each transaction and nothing is prepared on the server.
    """

    def __init__(self, url: str, *, connections: int = 8, pooled: bool = False) -> None:
        self.url = url
        self._pooled = pooled
        options = (
            "" if pooled else " ".join(f"-c {name}={value}" for name, value in _SESSION_SETTINGS.items())
        )
        kwargs: dict[str, Any] = {"row_factory": dict_row, "connect_timeout": 5}
        if options:
            kwargs["options"] = options
        if pooled:
            kwargs["prepare_threshold"] = None
        self._pool: AsyncConnectionPool[Tx] = AsyncConnectionPool(
            url,
            connection_class=AsyncConnection[DictRow],
            kwargs=kwargs,
            min_size=1,
            max_size=connections,
            max_idle=60,
            open=False,
            timeout=15,
            reconnect_timeout=10,
            check=AsyncConnectionPool.check_connection,
        )

    async def open(self) -> Self:
        """Connects; raises DatabaseUnreachable at once where nobody answers."""
        try:
            async with await AsyncConnection.connect(self.url, connect_timeout=5):
                pass
        except psycopg.OperationalError as error:
            raise unreachable(self.url, error) from error
        await self._pool.open()
        return self

    async def close(self) -> None:
        await self._pool.close()

    async def __aenter__(self) -> Self:
        return await self.open()

    async def __aexit__(self, *_exc: object) -> None:
        await self.close()

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Tx]:
        """One transaction: committed at the end of the body, rolled back when the body raises.

        Raises DatabaseUnreachable when the connection breaks, and Stale when PostgreSQL found that another
        session moved the same rows; after either, nothing of the body is stored.
        """
        try:
            with transaction_open():
                async with self._pool.connection() as connection, connection.transaction():
                    if self._pooled:
                        await connection.execute(_SET_LOCAL)
                    yield connection
        except (psycopg.errors.SerializationFailure, psycopg.errors.DeadlockDetected) as error:
            raise Stale("Another session moved the same rows first.", hint="Try again.") from error
        except (psycopg.OperationalError, psycopg.InterfaceError, PoolTimeout, PoolClosed) as error:
            raise unreachable(self.url, error) from error
