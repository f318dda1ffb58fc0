"""Serving of an ASGI application on its own socket, within a program that continues after the server stops."""

from __future__ import annotations

import asyncio
import gc
import math
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import uvicorn
from starlette.types import ASGIApp

from frasier.interfaces.connection_limits import Connections, HttpConnection
from frasier.interfaces.server_settings import ConnectionLimits, connection_limits
from frasier.kernel.errors import ConfigurationError, InvalidInput

_SHUTDOWN_S = 20
# When the backlog is full, a client waits a second before it retries.
_BACKLOG = 4096
_GC_THRESHOLDS = (2_000, 10, 10)


def late_body_error() -> InvalidInput:
    """Return the error for a body that is not complete in time: status 408."""
    return InvalidInput("The body did not arrive in time.", kept="Nothing was saved.", hint="Send it again.")


@contextmanager
def listening_on(host: str, port: int, *, service: str) -> Iterator[socket.socket]:
    """Yield a listening socket; port 0 selects a free one. Raise ConfigurationError if the address is not available.

    `service` names in that error what cannot be served. The socket is made here because uvicorn ends the whole process
    if it cannot bind.
    """
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        bound = socket.create_server((host, port), family=family, backlog=_BACKLOG)
    except (OSError, UnicodeError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ConfigurationError(
            f"{service} cannot be served at {host}, port {port}: {reason}.",
            kept="Nothing was started.",
            hint="Choose another --port, or an address of this machine.",
        ) from error
    # Reopened from its descriptor, which detects its protocol. create_server leaves the protocol 0, and then asyncio
    # keeps Nagle's algorithm on: each response would wait for the client's delayed acknowledgement.
    with socket.socket(fileno=bound.detach()) as listening:
        yield listening


async def serve_until(
    stop: asyncio.Event,
    app: ASGIApp,
    listening: socket.socket,
    *,
    limits: ConnectionLimits | None = None,
    lifespan: bool = False,
) -> None:
    """Serve `app` until `stop` is set, then finish the requests in flight, for at most 20 s.

    With `lifespan`, send the application the ASGI lifespan events.
    """
    limits = limits or connection_limits()
    _collect_garbage_often()
    server = _Server(
        uvicorn.Config(
            app,
            http="h11",
            timeout_keep_alive=math.ceil(limits.idle_s),
            ws="none",
            lifespan="on" if lifespan else "off",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=_SHUTDOWN_S,
        ),
        listening,
        limits,
    )
    serving = asyncio.create_task(server.serve(), name="serve")
    stopping = asyncio.create_task(stop.wait(), name="serve-stop")
    try:
        await asyncio.wait({serving, stopping}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        server.should_exit = True
        stopping.cancel()
        with suppress(asyncio.CancelledError):
            await stopping
        await serving


def _collect_garbage_often() -> None:
    """Collect garbage as a program that runs for months must; commands, which soon end, do so hardly ever.

    A connection that its client breaks off leaves cycles behind. What the program began with is not searched again, so
    that a collection takes a few milliseconds.
    """
    gc.collect()
    gc.freeze()
    gc.collect()  # counts what is left; a full collection waits until there is a quarter more
    gc.set_threshold(*_GC_THRESHOLDS)


class _Server(uvicorn.Server):
    """A uvicorn server that handles no signals and lets Connections accept what arrives at `listening`.

    The program handles the signals, because the database and other services must stop in order, too.
    """

    def __init__(self, config: uvicorn.Config, listening: socket.socket, limits: ConnectionLimits) -> None:
        super().__init__(config)
        self._listening = listening
        self._connections = Connections(limits)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets or [])
        self._connections.listen(
            self._listening, lambda: HttpConnection(self._connections, self.config, self)
        )

    async def on_tick(self, counter: int) -> bool:
        self._connections.sweep()
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self._connections.stop()
        await super().shutdown(sockets=sockets)
