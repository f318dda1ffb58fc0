"""Something that takes a while to open, is opened in the background, and is waited for by whoever needs it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from types import TracebackType
from typing import Generic, Self, TypeVar

T = TypeVar("T")


class OpenInBackground(Generic[T]):
    """Opens what `make` makes when it is entered, and closes it at its end.

    `report` is told how each opening went: with None, or with why it failed or broke.
    """

    def __init__(
        self,
        make: Callable[[], AbstractAsyncContextManager[T]],
        report: Callable[[Exception | None], None],
    ) -> None:
        self._make = make
        self._report = report
        self._closing = asyncio.Event()

    async def get(self) -> T:
        """Wait for the opening and return its result. After a failure it is tried again; raises its error."""
        if self._holding.done():
            self._start()
        return await asyncio.shield(self._opened)

    async def __aenter__(self) -> Self:
        self._start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.set()
        if not self._opened.done():
            self._holding.cancel()
        await asyncio.gather(self._holding, return_exceptions=True)

    def _start(self) -> None:
        self._opened: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._opened.add_done_callback(_take_notice)
        self._holding = asyncio.create_task(self._hold(self._opened), name="backend")

    async def _hold(self, opened: asyncio.Future[T]) -> None:
        try:
            async with self._make() as made:
                opened.set_result(made)
                self._report(None)
                await self._closing.wait()
        except Exception as error:  # noqa: BLE001  it is told to whoever waits for it, and reported
            if not opened.done():
                opened.set_exception(error)
            self._report(error)
        finally:
            opened.cancel()


def _take_notice(opened: asyncio.Future[T]) -> None:
    """An error that no call waited for was reported; asyncio need not say that nobody took it."""
    if not opened.cancelled():
        opened.exception()
