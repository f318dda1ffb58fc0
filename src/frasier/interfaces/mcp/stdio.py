"""Over standard input and output, to the one program that started us. It is never the founder."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from typing import cast

import anyio
import anyio.to_thread
from mcp.server.stdio import stdio_server

from frasier.interfaces.mcp.background_opening import OpenInBackground
from frasier.interfaces.mcp.invalid_messages import refusal_of, too_long
from frasier.interfaces.mcp.server import make_server
from frasier.interfaces.mcp.session_heartbeat import LiveSessions
from frasier.interfaces.mcp_startup import LINE_BYTES_MAX, Mark, Wire
from frasier.interfaces.operations import Backend, OperationContext, ToolSet, run_upkeep
from frasier.memory import upkeep


async def serve_stdio(
    wire: Wire,
    offer: ToolSet,
    open_backend: Callable[[], AbstractAsyncContextManager[Backend]],
    *,
    stop: asyncio.Event,
    report: Callable[[Exception | None], None],
) -> None:
    """Serves until the host is gone or `stop` is set. What calls work on is opened beside; each call waits for it.

    `report` is told how each opening went: with None, or with why it failed. The next call has it opened again.
    """
    sessions = LiveSessions()

    @asynccontextmanager
    async def opened() -> AsyncIterator[Backend]:
        async with (
            open_backend() as backend,
            run_upkeep([*upkeep(backend.engine), sessions.job(backend.engine)]),
        ):
            yield backend

    async with OpenInBackground(opened, report) as backend:

        async def surroundings(_context: object) -> OperationContext:
            return await (await backend.get()).surroundings()

        server = make_server(offer, surroundings, sessions)
        host = _Host(wire)
        async with stdio_server(
            stdin=cast("anyio.AsyncFile[str]", host), stdout=cast("anyio.AsyncFile[str]", host)
        ) as (requests, answers):
            serving = asyncio.create_task(
                server.run(requests, answers, server.create_initialization_options()), name="mcp"
            )
            stopping = asyncio.create_task(stop.wait(), name="mcp-stop")
            await asyncio.wait({serving, stopping}, return_when=asyncio.FIRST_COMPLETED)
            # First of all: a cancellation that meets the SDK at an unlucky moment may get lost in its task groups,
            # and then it is the end of the lines that ends it.
            wire.end()
            for task in (serving, stopping):
                task.cancel()
            with suppress(asyncio.CancelledError):
                await serving


class _Host:
    """The host, as the SDK reads and writes it. What was answered before the SDK was there is told to it first, so that
    it knows whom it serves; its own answer to that is nobody's.
    """

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._told = [line for line in wire.take_over() if refusal_of(line) is None]
        self._opened = asyncio.Event()

    async def __aiter__(self) -> AsyncIterator[str]:
        for line in self._told:
            yield line
            await self._opened.wait()
        async for given in self._wire:
            refusal = too_long(LINE_BYTES_MAX) if isinstance(given, Mark) else refusal_of(given)
            if refusal is not None:
                await self.write(refusal.model_dump_json(by_alias=True, exclude_unset=True) + "\n")
            elif isinstance(given, str) and given.strip():
                yield given

    async def write(self, answer: str) -> None:
        if self._told and not self._opened.is_set():
            self._opened.set()
            return
        # A host that does not read keeps nobody from ending.
        await anyio.to_thread.run_sync(self._wire.write, answer.encode(), abandon_on_cancel=True)

    async def flush(self) -> None:
        """Nothing: each write is sent whole."""
