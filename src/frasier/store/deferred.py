"""Deferred calls: writes whose result no caller needs, buffered and sent in one round trip.

Most of what a use case writes is one call of a function of the schema each: an event, a marker, an effect. `tx.defer`
buffers such a call. The buffer is flushed, in order, as one `select f(…), g(…)`:

1. before the next statement, which therefore sees what the calls wrote (`_Cursor`, `_ServerCursor`);
2. before a savepoint begins or ends, so that they are kept or given up with it (`Connection.transaction`);
3. with COMMIT, in one pipeline (`Connection.commit`).

A rollback discards it. `Database.transaction` shows how these steps make up a transaction.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import lru_cache
from typing import Any, LiteralString, NamedTuple, Self, TypeAlias, cast

from psycopg import AsyncConnection, AsyncCopy, AsyncCursor, AsyncServerCursor, AsyncTransaction
from psycopg.abc import Params
from psycopg.rows import DictRow

from frasier.kernel.errors import InvariantBroken

# A long statement is sent in parts of one wording, which PostgreSQL prepares once.
_CALLS_PER_STATEMENT = 8
# The description of a named statement, then the call.
_CALL = re.compile(r"(--.*\n)*select (?P<call>\w+\([^;]*\))")
_PARAMETER = re.compile(r"%\((\w+)\)s")


class _Call(NamedTuple):
    statement: LiteralString
    parameters: Mapping[str, Any]


class Connection(AsyncConnection[DictRow]):
    """A connection that buffers deferred function calls and flushes them in one round trip."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._deferred: list[_Call] = []
        self._flush_failed = False
        self.cursor_factory = _Cursor
        self.server_cursor_factory = _ServerCursor

    def defer(self, statement: LiteralString, parameters: Mapping[str, Any]) -> None:
        """Buffer `select f(…)` until the next flush, where an error of the call is raised."""
        self._deferred.append(_Call(statement, parameters))

    @property
    def has_deferred(self) -> bool:
        """Whether a flush has calls to send, or must raise because an earlier one failed."""
        return bool(self._deferred) or self._flush_failed

    async def flush_deferred(self) -> None:
        """Send the buffered calls.

        Raise InvariantBroken after a flush that failed: PostgreSQL may never have seen it, so that a transaction whose
        body swallowed the error could otherwise be committed without its calls.
        """
        if self._flush_failed:
            raise InvariantBroken(
                "a deferred call failed and its error was swallowed: nothing can be committed"
            )
        deferred, self._deferred = self._deferred, []
        try:
            for start in range(0, len(deferred), _CALLS_PER_STATEMENT):
                calls = deferred[start : start + _CALLS_PER_STATEMENT]
                statement = _joined(tuple(call.statement for call in calls))
                await self.cursor().execute(statement, _numbered(calls))
        except BaseException:
            self._flush_failed = True
            raise

    async def commit(self) -> None:
        """Commit; deferred calls travel with COMMIT in one round trip."""
        if self.has_deferred:
            async with self.pipeline():
                await self.flush_deferred()
                await self.cursor().execute("commit", prepare=False)
        else:
            await super().commit()

    async def rollback(self) -> None:
        """Discard the deferred calls and roll back."""
        self._discard_deferred()
        await super().rollback()

    @asynccontextmanager
    async def transaction(
        self, savepoint_name: str | None = None, force_rollback: bool = False
    ) -> AsyncIterator[AsyncTransaction]:
        """Open a savepoint, as psycopg does; calls deferred in its body are kept or given up with it."""
        await self.flush_deferred()
        async with super().transaction(savepoint_name, force_rollback) as savepoint:
            try:
                yield savepoint
                await self.flush_deferred()
            except BaseException:
                self._discard_deferred()
                raise

    def _discard_deferred(self) -> None:
        self._deferred.clear()
        self._flush_failed = False


Tx: TypeAlias = Connection
"""An open transaction. A use case takes it first, so that its caller can join several into one."""


async def _flush_before(cursor: AsyncCursor[DictRow]) -> None:
    connection = cast("Connection", cursor.connection)
    if connection.has_deferred:
        await connection.flush_deferred()


class _Cursor(AsyncCursor[DictRow]):
    async def execute(self, query: Any, params: Params | None = None, **options: Any) -> Self:
        await _flush_before(self)
        return await super().execute(query, params, **options)

    @asynccontextmanager
    async def copy(
        self, statement: Any, params: Params | None = None, **options: Any
    ) -> AsyncIterator[AsyncCopy]:
        await _flush_before(self)
        async with super().copy(statement, params, **options) as copy:
            yield copy


class _ServerCursor(AsyncServerCursor[DictRow]):
    async def execute(self, query: Any, params: Params | None = None, **options: Any) -> Self:
        await _flush_before(self)
        return await super().execute(query, params, **options)


@lru_cache(maxsize=512)
def _joined(statements: tuple[LiteralString, ...]) -> LiteralString:
    """Join calls into one statement, in order; the parameters of each get its number."""
    calls = []
    for number, statement in enumerate(statements):
        match = _CALL.fullmatch(statement)
        if match is None:
            raise InvariantBroken(f"only `select f(…)` can be deferred, not: {statement[:80]}")
        calls.append(_PARAMETER.sub(rf"%(\g<1>_{number})s", match["call"]))
    return "select " + ", ".join(calls)


def _numbered(calls: Sequence[_Call]) -> dict[str, Any]:
    return {
        f"{name}_{number}": value
        for number, call in enumerate(calls)
        for name, value in call.parameters.items()
    }
