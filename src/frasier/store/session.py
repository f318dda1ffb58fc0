"""A connection that keeps the calls nobody waits for until the next statement, and sends them as one."""

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

# So many calls make one statement: a long one is sent in parts of one wording, which PostgreSQL prepares once.
_TOGETHER = 8
# Its description first.
_CALL = re.compile(r"(--.*\n)*select (?P<call>\w+\([^;]*\))")
_PARAMETER = re.compile(r"%\((\w+)\)s")


class _Call(NamedTuple):
    statement: LiteralString
    parameters: Mapping[str, Any]


class Session(AsyncConnection[DictRow]):
    """A connection to PostgreSQL.

    Most of what a use case writes is told to nobody: its event, its marker, its effect. Each is one call of a function,
    and what is asked for by `later` goes out as one statement, with the next that somebody waits for, or before COMMIT.
    """

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._calls: list[_Call] = []
        self._lost = False
        self.cursor_factory = _Cursor
        self.server_cursor_factory = _ServerCursor

    def later(self, statement: LiteralString, parameters: Mapping[str, Any]) -> None:
        """Asks for `select f(…)`, in order with the others, before the next statement that is executed.

        What it raises is raised there. Inside a savepoint it belongs to that.
        """
        self._calls.append(_Call(statement, parameters))

    @property
    def holds_calls(self) -> bool:
        return bool(self._calls) or self._lost

    async def send_calls(self) -> None:
        """Sends what was asked for by later. Where that fails, nothing can be done but to give up what it belongs to:
        an error that PostgreSQL never saw would otherwise leave a transaction that can be committed without it.
        """
        if self._lost:
            raise InvariantBroken(
                "what was asked for could not be sent and the error was swallowed: nothing can be committed"
            )
        asked, self._calls = self._calls, []
        try:
            for start in range(0, len(asked), _TOGETHER):
                calls = asked[start : start + _TOGETHER]
                statement = _together(tuple(call.statement for call in calls))
                await self.cursor().execute(statement, _numbered(calls))
        except BaseException:
            self._lost = True
            raise

    async def commit_with_calls(self) -> None:
        """COMMIT, sent behind what was asked for by later; where there is nothing, the pool's own COMMIT follows."""
        if self.holds_calls:
            async with self.pipeline():
                await self.send_calls()
                await self.cursor().execute("commit", prepare=False)

    def drop_calls(self) -> None:
        """Forgets what was asked for: the transaction is given up."""
        self._calls.clear()
        self._lost = False

    @asynccontextmanager
    async def transaction(
        self, savepoint_name: str | None = None, force_rollback: bool = False
    ) -> AsyncIterator[AsyncTransaction]:
        """A savepoint, as psycopg's; calls asked for in its body are kept or given up with it."""
        await self.send_calls()
        async with super().transaction(savepoint_name, force_rollback) as savepoint:
            try:
                yield savepoint
                await self.send_calls()
            except BaseException:
                self.drop_calls()
                raise


Tx: TypeAlias = Session
"""An open transaction. A use case takes it first, so that its caller can join several into one."""


async def _send_calls(cursor: AsyncCursor[DictRow]) -> None:
    session = cast("Session", cursor.connection)
    if session.holds_calls:
        await session.send_calls()


class _Cursor(AsyncCursor[DictRow]):
    async def execute(self, query: Any, params: Params | None = None, **options: Any) -> Self:
        await _send_calls(self)
        return await super().execute(query, params, **options)

    @asynccontextmanager
    async def copy(
        self, statement: Any, params: Params | None = None, **options: Any
    ) -> AsyncIterator[AsyncCopy]:
        await _send_calls(self)
        async with super().copy(statement, params, **options) as copy:
            yield copy


class _ServerCursor(AsyncServerCursor[DictRow]):
    async def execute(self, query: Any, params: Params | None = None, **options: Any) -> Self:
        await _send_calls(self)
        return await super().execute(query, params, **options)


@lru_cache(maxsize=512)
def _together(statements: tuple[LiteralString, ...]) -> LiteralString:
    """One statement that makes all calls in order; the parameters of each are numbered after it."""
    calls = []
    for number, statement in enumerate(statements):
        found = _CALL.fullmatch(statement)
        if found is None:
            raise InvariantBroken(f"only `select f(…)` can be sent with others, not: {statement[:80]}")
        calls.append(_PARAMETER.sub(rf"%(\g<1>_{number})s", found["call"]))
    return "select " + ", ".join(calls)


def _numbered(calls: Sequence[_Call]) -> dict[str, Any]:
    return {
        f"{name}_{number}": value
        for number, call in enumerate(calls)
        for name, value in call.parameters.items()
    }
