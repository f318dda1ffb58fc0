"""The server as a process: its socket, its first token, its upkeep, and an end that leaves nobody in the middle."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from ipaddress import ip_address
from typing import Any

import uvicorn

from frasier.interfaces.http.application import make_app
from frasier.interfaces.http.rules import LOOPBACK_NAMES, HttpRules
from frasier.interfaces.memory_tools import TOOLS, kept_up
from frasier.kernel.errors import ConfigurationError
from frasier.memory import MemoryEngine, issue_first_token, upkeep

_IN_FLIGHT_S = 20
_BACKLOG = 128
# Every address of the machine: to listen on, but no name under which somebody would honestly ask.
_ANY_ADDRESS = {"0.0.0.0", "::"}  # noqa: S104


async def serve_memory(
    engine: MemoryEngine,
    *,
    host: str,
    port: int,
    allowed_hosts: Iterable[str] = (),
    allowed_origins: Iterable[str] = (),
    stop: asyncio.Event,
    announce: Callable[[str], None],
) -> None:
    """Serves until `stop` is set, then finishes the requests in flight. `announce` gets what a person should read.

    Port 0 takes a free one. Raises ConfigurationError for an address that cannot be listened on.
    """
    address = _address(host)
    named = {name.strip("[]").rstrip(".").lower() for name in (host, *allowed_hosts)} - _ANY_ADDRESS
    rules = HttpRules(
        hosts=LOOPBACK_NAMES | named,
        origins=frozenset(origin.rstrip("/").lower() for origin in allowed_origins),
    )
    with _listening(host, port) as listening:
        await _announce_first_token(engine, announce)
        shown = f"[{address}]" if ":" in address else address
        if not _is_loopback(address):
            announce(
                f"Warning: {shown} can be reached from other machines, and what is sent is not encrypted. Put a"
                " proxy with TLS before it, and name with --allow-host how clients address it."
            )
        announce(f"The memory is served at http://{shown}:{listening.getsockname()[1]}/api/v1")
        async with kept_up(upkeep(engine)):
            await _run(make_app(engine, TOOLS, rules), listening, stop)


def _address(host: str) -> str:
    return host.strip("[]")


def _is_loopback(address: str) -> bool:
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return address.lower() in LOOPBACK_NAMES


async def _announce_first_token(engine: MemoryEngine, announce: Callable[[str], None]) -> None:
    async with engine.database.transaction() as tx:
        token = await issue_first_token(tx)
    if token is not None:
        announce(
            f"The first token, for the shared scope: {token}\n"
            "It is shown this once; the database keeps only its hash (table memory_tokens)."
            " `frasier memory token` makes, lists and revokes tokens."
        )


class _Server(uvicorn.Server):
    """Leaves the signals to whoever runs it: the database and the services below must end in order, too."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


async def _run(app: Callable[..., Any], listening: socket.socket, stop: asyncio.Event) -> None:
    server = _Server(
        uvicorn.Config(
            app,
            http="h11",
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=_IN_FLIGHT_S,
        )
    )
    serving = asyncio.create_task(server.serve(sockets=[listening]), name="http")
    stopping = asyncio.create_task(stop.wait(), name="http-stop")
    try:
        await asyncio.wait({serving, stopping}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        server.should_exit = True
        stopping.cancel()
        with suppress(asyncio.CancelledError):
            await stopping
        await serving


@contextmanager
def _listening(host: str, port: int) -> Iterator[socket.socket]:
    """A socket that listens. Made here, as uvicorn ends the whole process where it cannot have one."""
    try:
        family = socket.getaddrinfo(_address(host), port, type=socket.SOCK_STREAM)[0][0]
        listening = socket.create_server((_address(host), port), family=family, backlog=_BACKLOG)
    except (OSError, UnicodeError, OverflowError) as error:
        raise ConfigurationError(
            f"The memory cannot be served at {host}, port {port}: {error}",
            kept="Nothing was started.",
            hint="Choose another --port, or an address of this machine for --host.",
        ) from error
    with listening:
        yield listening
