"""An ASGI application served on a socket of its own until it is told to stop, in a program that goes on after it."""

from __future__ import annotations

import asyncio
import math
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import uvicorn
from starlette.types import ASGIApp

from frasier.interfaces.connection_limits import Connections, HttpConnection
from frasier.interfaces.server_settings import ConnectionLimits, connection_limits
from frasier.kernel.errors import ConfigurationError, InvalidInput

_IN_FLIGHT_S = 20
# Where this is full, a client waits a second before it tries again.
_BACKLOG = 4096


def late_body() -> InvalidInput:
    """The error of a request whose body is not whole in time: status 408."""
    return InvalidInput("The body did not arrive in time.", kept="Nothing was saved.", hint="Send it again.")


@contextmanager
def listening_on(host: str, port: int, *, what: str) -> Iterator[socket.socket]:
    """A socket that listens; port 0 takes a free one. `what` begins the sentence that says it cannot be had.

    Made here, as uvicorn ends the whole process where it cannot have one. Raises ConfigurationError.
    """
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        made = socket.create_server((host, port), family=family, backlog=_BACKLOG)
    except (OSError, UnicodeError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ConfigurationError(
            f"{what} cannot be served at {host}, port {port}: {reason}.",
            kept="Nothing was started.",
            hint="Choose another --port, or an address of this machine.",
        ) from error
    # From its descriptor, as that also finds out the protocol: for another than TCP's, which a socket has that is made
    # without one, asyncio leaves Nagle's algorithm on, and each answer waits for the client's delayed acknowledgement.
    with socket.socket(fileno=made.detach()) as listening:
        yield listening


async def serve_until(
    stop: asyncio.Event,
    app: ASGIApp,
    listening: socket.socket,
    *,
    limits: ConnectionLimits | None = None,
    lifespan: bool = False,
) -> None:
    """Serves `app` until `stop` is set, then finishes the requests in flight, for at most 20 s.

    `lifespan` says whether the application wants to be told of its beginning and end.
    """
    limits = limits or connection_limits()
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
            timeout_graceful_shutdown=_IN_FLIGHT_S,
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


class _Server(uvicorn.Server):
    """Leaves the signals to whoever runs it: the database and the services below must end in order, too.

    It also leaves it to Connections to accept what arrives at `listening`.
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
