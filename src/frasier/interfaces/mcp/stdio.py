"""MCP over standard input and output, for the host that started this program. The host never acts as the founder."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from typing import cast

import anyio
import anyio.to_thread
from mcp.server.stdio import stdio_server

from frasier.interfaces.mcp.background_opening import OpenInBackground
from frasier.interfaces.mcp.invalid_messages import error_for_line, line_too_long_error
from frasier.interfaces.mcp.server import make_server
from frasier.interfaces.mcp.session_heartbeat import LiveSessions
from frasier.interfaces.mcp_startup import LINE_BYTES_MAX, Mark, Wire
from frasier.interfaces.operations import Backend, OperationContext, ToolSet, run_upkeep
from frasier.memory import upkeep

_LAST_ANSWERS_SECONDS_MAX = 30
_LOOK_SECONDS = 0.05


async def serve_stdio(
    wire: Wire,
    tool_set: ToolSet,
    open_backend: Callable[[], AbstractAsyncContextManager[Backend]],
    *,
    stop: asyncio.Event,
    report: Callable[[Exception | None], None],
) -> None:
    """Serve until the host closes the connection or `stop` is set.

    The backend is opened in the background, and each call waits for it. `report` is called with the outcome of each
    opening: None, or the error; after a failure the next call opens it again.
    """
    sessions = LiveSessions()

    @asynccontextmanager
    async def open_with_upkeep() -> AsyncIterator[Backend]:
        async with (
            open_backend() as backend,
            run_upkeep([*upkeep(backend.engine), sessions.job(backend.engine)]),
        ):
            yield backend

    async with OpenInBackground(open_with_upkeep, report) as backend:

        async def operation_context(_context: object) -> OperationContext:
            return await (await backend.get()).surroundings()

        server = make_server(tool_set, operation_context, sessions)
        host = _HostStream(wire)
        async with stdio_server(
            stdin=cast("anyio.AsyncFile[str]", host), stdout=cast("anyio.AsyncFile[str]", host)
        ) as (requests, responses):
            serving = asyncio.create_task(
                server.run(requests, responses, server.create_initialization_options()), name="mcp"
            )
            stopping = asyncio.create_task(stop.wait(), name="mcp-stop")
            await asyncio.wait({serving, stopping}, return_when=asyncio.FIRST_COMPLETED)
            # End the input before cancelling: the SDK's task groups may lose a cancellation at an unlucky moment, and
            # then only the end of the input stops the server.
            wire.end()
            for task in (serving, stopping):
                task.cancel()
            with suppress(asyncio.CancelledError):
                await serving


class _HostStream:
    """The streams to the host, as the SDK reads and writes them.

    The messages answered before the SDK was loaded are replayed to it first, so that it knows the host; its own
    response to them is dropped. A host that closes its side, as a pipe does, still gets the answer to what it asked.
    """

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._handshake = [line for line in wire.take_over() if error_for_line(line) is None]
        self._handshake_answered = asyncio.Event()
        self._unanswered: set[str | int] = set()
        self._answered = asyncio.Event()

    async def __aiter__(self) -> AsyncIterator[str]:
        for line in self._handshake:
            yield line
            await self._handshake_answered.wait()
        async for received in self._wire:
            error = (
                line_too_long_error(LINE_BYTES_MAX)
                if isinstance(received, Mark)
                else error_for_line(received)
            )
            if error is not None:
                await self.write(error.model_dump_json(by_alias=True, exclude_unset=True) + "\n")
            elif isinstance(received, str) and received.strip():
                self._note(received)
                yield received
        await self._last_answers()

    async def write(self, response: str) -> None:
        if self._handshake and not self._handshake_answered.is_set():
            self._handshake_answered.set()
            return
        # Abandoned on cancellation, so that a host that does not read cannot prevent the end.
        await anyio.to_thread.run_sync(self._wire.write, response.encode(), abandon_on_cancel=True)
        match json.loads(response):
            case {"method": _}:
                pass
            case {"id": str() | int() as answered}:
                self._unanswered.discard(answered)
                self._answered.set()

    def _note(self, message: str) -> None:
        """Remember a request as unanswered; one that the host cancels is not answered."""
        match json.loads(message):
            case {"method": "notifications/cancelled", "params": {"requestId": str() | int() as cancelled}}:
                self._unanswered.discard(cancelled)
            case {"method": _, "id": str() | int() as asked}:
                self._unanswered.add(asked)

    async def _last_answers(self) -> None:
        """Wait until everything is answered; not for a host that reads no more."""
        until = time.monotonic() + _LAST_ANSWERS_SECONDS_MAX
        while self._unanswered and self._wire.is_read() and time.monotonic() < until:
            self._answered.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._answered.wait(), _LOOK_SECONDS)

    async def flush(self) -> None:
        """Do nothing: each write is sent at once."""
