"""LISTEN/NOTIFY as a hint that shortens a wait; correctness relies on polling."""

from __future__ import annotations

import asyncio
from typing import Self

import psycopg

from frasier.kernel.logging_setup import get_logger
from frasier.store.connection import opened
from frasier.store.deferred import Tx
from frasier.store.process_identity import application_name
from frasier.store.sql_statements import Statements

log = get_logger()
_sql = Statements("frasier.store")

_RECONNECT_S_MAX = 5.0


async def notify(tx: Tx, channel: str) -> None:
    """Wake the listeners of `channel` when the open transaction commits."""
    _sql.defer(tx, "notify", channel=channel)


class NotifyListener:
    """A listener that waits for a hint on a channel or for a time-out.

    `url` must be a direct connection: poolers in transaction mode lose LISTEN. If listening is
    impossible, a wait lasts its time-out.
    """

    def __init__(self, url: str, channel: str) -> None:
        self._url = url
        self._channel = channel
        self._hint = asyncio.Event()
        self._listener: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._listener = asyncio.create_task(self._listen())
        return self

    async def __aexit__(self, *_exc: object) -> None:
        if self._listener:
            self._listener.cancel()
            await asyncio.gather(self._listener, return_exceptions=True)

    async def wait(self, timeout_s: float) -> None:
        try:
            # On Python 3.11 asyncio.wait_for swallows a cancellation that meets its result.
            async with asyncio.timeout(timeout_s):
                await self._hint.wait()
        except TimeoutError:
            return
        self._hint.clear()

    async def wait_or_stop(self, stop: asyncio.Event, timeout_s: float) -> None:
        """Wait like `wait`, at most until `stop` is set."""
        waits = {asyncio.create_task(self.wait(timeout_s)), asyncio.create_task(stop.wait())}
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
            await asyncio.gather(*waits, return_exceptions=True)

    async def _listen(self) -> None:
        pause_s = 0.0
        while True:
            try:
                connection = await opened(
                    psycopg.AsyncConnection.connect(
                        self._url,
                        autocommit=True,
                        connect_timeout=5,
                        fallback_application_name=application_name(),
                    )
                )
                try:
                    await connection.execute(
                        psycopg.sql.SQL("listen {}").format(psycopg.sql.Identifier(self._channel))
                    )
                    self._hint.set()  # hints sent before listening are lost: look once
                    pause_s = 0.0
                    async for _ in connection.notifies():
                        self._hint.set()
                finally:
                    await (
                        connection.close()
                    )  # it suspends nowhere, so that no second cancellation prevents it
            except (psycopg.Error, OSError) as error:
                log.info("wakeup.lost", channel=self._channel, error=str(error))
            pause_s = min(2 * pause_s or 0.1, _RECONNECT_S_MAX)
            await asyncio.sleep(pause_s)
