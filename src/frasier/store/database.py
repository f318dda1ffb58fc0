"""How PostgreSQL is reached: a pool, and transactions. Nothing else in the product opens a connection."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from contextvars import ContextVar
from functools import lru_cache
from typing import Self

import psycopg
from psycopg.pq import TransactionStatus
from psycopg.sql import SQL, Literal
from psycopg_pool import AsyncConnectionPool, PoolClosed, PoolTimeout

from frasier.kernel.boundary import transaction_open
from frasier.kernel.errors import (
    DatabaseUnreachable,
    FrasierError,
    InvariantBroken,
    LeaseLost,
    Stale,
    StoreError,
)
from frasier.store.connection import (
    SESSION_SETTINGS,
    connect,
    connection_arguments,
    failure_reason,
    unreachable,
)
from frasier.store.session import Session, Tx

# What our own functions raise where a row is not the one any more that the caller looked at.
_RAISED = {"FR001": Stale, "FR002": LeaseLost}

# How the pool's check, which takes no argument of ours, begins a transaction.
_begin_with: ContextVar[bytes] = ContextVar("begin_with", default=b"begin")


class Database:
    """A pool of connections to one database.

    `url` is anything libpq accepts. Behind a pooler in transaction mode set `pooled`: then settings are local
    to each transaction and nothing is prepared on the server.
    """

    def __init__(self, url: str, *, connections: int = 8, pooled: bool = False) -> None:
        self.url = url
        self._pooled = pooled
        self._always_set = SESSION_SETTINGS if pooled else {}
        self._pool: AsyncConnectionPool[Tx] = AsyncConnectionPool(
            url,
            connection_class=Session,
            kwargs=connection_arguments(url, pooled=pooled),
            min_size=1,
            max_size=connections,
            max_idle=60,
            open=False,
            timeout=15,
            reconnect_timeout=10,
            check=self._begin,
        )

    async def open(self) -> Self:
        """Connect; raise at once, with the cause, what the pool would try again until its time-out hides it.

        Raises DatabaseUnreachable, and ConfigurationError as `connect` does.
        """
        async with await connect(self.url, pooled=self._pooled):
            pass
        await self._pool.open()
        return self

    async def close(self) -> None:
        await self._pool.close()

    async def __aenter__(self) -> Self:
        return await self.open()

    async def __aexit__(self, *_exc: object) -> None:
        await self.close()

    @asynccontextmanager
    async def transaction(self, settings: Mapping[str, str] | None = None) -> AsyncIterator[Tx]:
        """One transaction: committed at the end of the body, rolled back when the body raises.

        `settings` of PostgreSQL hold in this transaction alone, and cost no statement of their own.

        Raises DatabaseUnreachable when the connection breaks, Stale when PostgreSQL found that another session
        moved the same rows (LeaseLost where a lease went with them), and StoreError when it cannot go on (a full
        disk, a time-out of its own). Nothing of the body is stored then, but for a connection that broke at the very
        commit: whether that was done only the database knows, which is why every move names the state that it expects.
        """
        try:
            with transaction_open(), _beginning_with({**self._always_set, **(settings or {})}):
                asked_to_end = _cancellations()
                async with self._pool.connection() as connection:
                    if _cancellations() > asked_to_end:
                        raise asyncio.CancelledError
                    async with _whole(connection):
                        yield connection
        except (psycopg.errors.SerializationFailure, psycopg.errors.DeadlockDetected) as error:
            raise Stale(
                "Another session moved the same rows first.",
                kept="Nothing of this was stored.",
                hint="Try again.",
            ) from error
        except PoolTimeout as error:
            raise await self._cause_of_waiting() from error
        except PoolClosed as error:
            raise unreachable(error) from error
        except psycopg.Error as error:
            if error.sqlstate in _RAISED:
                raise _raised(error) from error
            if (known := _store_error(error)) is None:
                raise
            raise known from error

    async def _cause_of_waiting(self) -> FrasierError:
        """Why the pool had no connection in time, which it does not say itself: what meets one more attempt."""
        try:
            async with await connect(self.url, pooled=self._pooled):
                pass
        except FrasierError as cause:
            return cause
        return DatabaseUnreachable(
            f"All {self._pool.max_size} connections of this process to the database are in use.",
            kept="Everything committed before is in the database.",
            hint="Try again, or allow more with FRASIER_DATABASE__CONNECTIONS.",
        )

    async def _begin(self, connection: Tx) -> None:
        """Opens the transaction before the pool hands the connection out.

        BEGIN is also the proof that the connection lives: a dead one is replaced before the body has begun.
        """
        try:
            await connection.execute(_begin_with.get(), prepare=False)
        except psycopg.OperationalError:
            await self._pool.drain()  # what cut this connection off has most likely cut off the others too
            raise
        except asyncio.CancelledError:
            # Who asked is gone, BEGIN may have arrived all the same: what was begun is ended where it was begun.
            with suppress(psycopg.Error):  # it broke instead: the pool replaces it
                await connection.rollback()
            raise


@asynccontextmanager
async def _whole(connection: Tx) -> AsyncIterator[None]:
    """Sends what the body asked for by later, when it has ended well; else nothing of that is left for others."""
    try:
        yield
        _check_open(connection)
        await connection.commit_with_calls()
    finally:
        connection.drop_calls()


def _cancellations() -> int:
    """How often the running task was asked to end.

    A request that meets the connection which the task waits for is lost: the pool waits with `asyncio.wait_for`, which
    in Python 3.11 gives its result in such a case and says nothing of the request.
    """
    task = asyncio.current_task()
    return task.cancelling() if task else 0


@contextmanager
def _beginning_with(settings: Mapping[str, str]) -> Iterator[None]:
    token = _begin_with.set(_begin(tuple(settings.items())))
    try:
        yield
    finally:
        _begin_with.reset(token)


@lru_cache(maxsize=256)
def _begin(settings: tuple[tuple[str, str], ...]) -> bytes:
    """BEGIN and the settings that hold until its end, in one message."""
    if not settings:
        return b"begin"
    set_locally = SQL("set_config({}, {}, true)")
    calls = SQL(", ").join(set_locally.format(Literal(name), Literal(value)) for name, value in settings)
    return SQL("begin; select {}").format(calls).as_bytes(None)


def _check_open(connection: Tx) -> None:
    """Refuses to take a transaction for committed that PostgreSQL has given up because of a swallowed error."""
    status = connection.info.transaction_status
    if status is TransactionStatus.UNKNOWN:
        raise psycopg.OperationalError("the connection was lost")
    if status is not TransactionStatus.INTRANS:
        raise InvariantBroken("a statement failed and its error was swallowed: nothing can be committed")


def _raised(error: psycopg.Error) -> FrasierError:
    """What a function of the schema refused, in its own words."""
    said = error.diag
    raised = _RAISED[error.sqlstate or ""]
    return raised(said.message_primary or "", kept=said.message_detail or "", hint=said.message_hint or "")


def _store_error(error: psycopg.Error) -> StoreError | None:
    """What an error of PostgreSQL or its connection means to a caller; None for a defect of ours."""
    if isinstance(error, psycopg.InterfaceError):
        return unreachable(error)
    # Class 08: connection; 57P: the server is stopping or starting; 25P03: it cut off an idle transaction.
    if (error.sqlstate or "").startswith(("08", "57P", "25P03")):
        return unreachable(error)
    if isinstance(error, psycopg.OperationalError):
        if error.sqlstate is None:
            return unreachable(error)
        return StoreError(
            f"PostgreSQL could not go on: {failure_reason(error)}",
            kept="Nothing of this was stored; everything committed before is.",
            hint="`frasier doctor` shows the state of the database.",
        )
    return None
