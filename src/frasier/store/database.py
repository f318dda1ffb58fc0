"""The pool of connections to PostgreSQL, and the transactions on it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from functools import lru_cache
from typing import Concatenate, ParamSpec, Protocol, Self, TypeVar

import psycopg
from psycopg.pq import TransactionStatus
from psycopg.sql import SQL, Literal
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from frasier.kernel.errors import DatabaseUnreachable, InvariantBroken
from frasier.kernel.transaction_guard import transaction_open
from frasier.store.connection import SESSION_SETTINGS, connect, connection_arguments
from frasier.store.deferred import Connection, Tx
from frasier.store.error_translation import translated_errors
from frasier.store.precondition import begin_conditional, end_condition, has_changed, joined_transaction
from frasier.store.write_marker import defer_mark

P = ParamSpec("P")
T = TypeVar("T")


_PROBE_AFTER_S = 1.0  # a wait for a connection that is longer may be one for a lost server


class InTransaction(Protocol):
    """A function that runs one use case in a transaction of its own; see Database.in_transaction."""

    async def __call__(
        self, use_case: Callable[Concatenate[Tx, P], Awaitable[T]], *args: P.args, **kwargs: P.kwargs
    ) -> T: ...


class Database:
    """A pool of connections to one database. Nothing else in the product opens connections for its use cases.

    `url` is anything libpq accepts. Behind a pooler in transaction mode set `pooled`: then settings are local
    to each transaction and nothing is prepared on the server.
    """

    def __init__(self, url: str, *, connections: int = 8, pooled: bool = False) -> None:
        self.url = url
        self._pooled = pooled
        self._always_set = SESSION_SETTINGS if pooled else {}
        self._pool: AsyncConnectionPool[Tx] = AsyncConnectionPool(
            url,
            connection_class=Connection,
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
        """Connect; raise the cause of a failure at once, which the pool would hide behind retries and its time-out.

        Raises DatabaseUnreachable, and ConfigurationError as `connect` does.
        """
        await self._probe()
        await self._pool.open()
        return self

    async def close(self) -> None:
        """Close every connection."""
        await self._pool.close()

    async def __aenter__(self) -> Self:
        return await self.open()

    async def __aexit__(self, *_exc: object) -> None:
        await self.close()

    @asynccontextmanager
    async def transaction(self, settings: Mapping[str, str] | None = None) -> AsyncIterator[Tx]:
        """Run the body in one transaction: commit it at the end, roll it back when the body raises.

        Each step costs one round trip:

        1. BEGIN, as the check of the pool (`_begin`): a connection that does not answer it is replaced by another one
           before the body runs.
        2. `settings` of PostgreSQL that hold until the end of this transaction, where there are any (`_set_locally`).
           A condition of the request is checked then, by reading in this same transaction (`precondition.py`).
        3. The body: one for each statement. Deferred calls (`deferred.py`) travel together, in front of the next one.
        4. COMMIT, with the calls that are still deferred (`Connection.commit`). A rollback discards them.

        So a move that reads its task takes three.

        Raises DatabaseUnreachable when the connection breaks, Stale when PostgreSQL found that another session
        moved the same rows (LeaseLost where a lease went with them), and StoreError when it cannot go on (a full
        disk, a time-out of its own). Nothing of the body is stored then, but for a connection that broke at the very
        commit: only the database knows whether it was applied, which is why every move names the state that it expects.
        """
        if (joined := joined_transaction()) is not None:
            yield joined
            return
        local = tuple({**self._always_set, **(settings or {})}.items())
        with translated_errors(), transaction_open():
            async with self._connection() as connection:
                if local:
                    await connection.execute(_set_locally(local), prepare=False)
                tag = await begin_conditional(connection)
                yield connection
                _check_open(connection)
                changed = await has_changed(connection, tag)
                defer_mark(connection)
                await connection.commit()
                if changed:
                    end_condition()

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[Tx]:
        """Lend a live connection of the pool, in a transaction; what a body leaves open is rolled back."""
        asked_to_end = _cancellations()
        async with AsyncExitStack() as stack:
            try:
                try:
                    connection = await stack.enter_async_context(self._pool.connection(_PROBE_AFTER_S))
                except PoolTimeout:
                    await self._probe()
                    connection = await stack.enter_async_context(self._pool.connection())
            except PoolTimeout as error:
                raise DatabaseUnreachable(
                    f"All {self._pool.max_size} connections of this process to the database are in use.",
                    kept="Everything committed before is in the database.",
                    hint="Try again, or allow more with FRASIER_DATABASE__CONNECTIONS.",
                ) from error
            if _cancellations() > asked_to_end:
                raise asyncio.CancelledError
            yield connection

    async def _begin(self, connection: Tx) -> None:
        """Begin a transaction. The pool replaces a connection that does not answer, and tries the next."""
        try:
            await connection.execute(b"begin", prepare=False)
        except psycopg.OperationalError:
            await self._pool.drain()  # the other connections were most likely cut off too
            raise
        except asyncio.CancelledError:
            await connection.rollback()
            raise

    async def in_transaction(
        self, use_case: Callable[Concatenate[Tx, P], Awaitable[T]], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run `use_case(tx, *args, **kwargs)` in a transaction of its own. Raises as `transaction` does."""
        async with self.transaction() as tx:
            return await use_case(tx, *args, **kwargs)

    async def _probe(self) -> None:
        """Raise the cause if the server cannot be reached: the pool would wait for it as for a busy connection."""
        async with await connect(self.url, pooled=self._pooled):
            pass


def _cancellations() -> int:
    """Count the requests to cancel the running task.

    One that meets the connection which the task waits for is lost: the pool waits with `asyncio.wait_for`, which in
    Python 3.11 returns its result in such a case and swallows the request.
    """
    task = asyncio.current_task()
    return task.cancelling() if task else 0


@lru_cache(maxsize=256)
def _set_locally(settings: tuple[tuple[str, str], ...]) -> bytes:
    """Return the statement that sets `settings` until the transaction ends."""
    set_locally = SQL("set_config({}, {}, true)")
    calls = SQL(", ").join(set_locally.format(Literal(name), Literal(value)) for name, value in settings)
    return SQL("select {}").format(calls).as_bytes(None)


def _check_open(connection: Tx) -> None:
    """Refuse to commit a transaction that PostgreSQL has given up because of an error that the body swallowed."""
    status = connection.info.transaction_status
    if status is TransactionStatus.UNKNOWN:
        raise psycopg.OperationalError("the connection was lost")
    if status is not TransactionStatus.INTRANS:
        raise InvariantBroken("a statement failed and its error was swallowed: nothing can be committed")
