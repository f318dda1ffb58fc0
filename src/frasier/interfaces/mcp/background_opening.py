"""Opening of a slow resource in the background, with callers waiting until it is open."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from types import TracebackType
from typing import Generic, Self, TypeVar

T = TypeVar("T")


class OpenInBackground(Generic[T]):
    """A resource that is opened in the background on entry and closed on exit.

    `report` is called with the outcome of each opening: None, or the error with which it failed or later broke.
    """

    def __init__(
        self,
        open_context: Callable[[], AbstractAsyncContextManager[T]],
        report: Callable[[Exception | None], None],
    ) -> None:
        self._open_context = open_context
        self._report = report
        self._closing = asyncio.Event()

    async def get(self) -> T:
        """Return the resource once it is open; open it again after a failure. Raise the error of the opening."""
        if self._task.done():
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
            self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    def _start(self) -> None:
        self._opened: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._opened.add_done_callback(_retrieve_exception)
        self._task = asyncio.create_task(self._keep_open(self._opened), name="backend")

    async def _keep_open(self, opened: asyncio.Future[T]) -> None:
        try:
            async with self._open_context() as resource:
                opened.set_result(resource)
                self._report(None)
                await self._closing.wait()
        except Exception as error:  # noqa: BLE001  it is raised to the waiting callers, and reported
            if not opened.done():
                opened.set_exception(error)
            self._report(error)
        finally:
            opened.cancel()


def _retrieve_exception(opened: asyncio.Future[T]) -> None:
    """Retrieve the exception, which was reported, so that asyncio does not log it as never retrieved."""
    if not opened.cancelled():
        opened.exception()
