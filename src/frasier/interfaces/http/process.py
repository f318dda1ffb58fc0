"""The server as a process: its socket, its first token, its upkeep, and an end that leaves nobody in the middle."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from ipaddress import ip_address

from frasier.board import BoardEngine
from frasier.interfaces.asgi_server import listening_on, serve_until
from frasier.interfaces.http.application import make_app
from frasier.interfaces.http.limits import LOOPBACK_NAMES, HttpRules
from frasier.interfaces.operations import AnyOperation, run_upkeep
from frasier.interfaces.server_settings import ConnectionLimits, connection_limits
from frasier.memory import MemoryEngine, issue_first_token, upkeep

# Every address of the machine: to listen on, but no name under which somebody would honestly ask.
_ANY_ADDRESS = {"0.0.0.0", "::"}  # noqa: S104


async def serve_memory(
    engine: MemoryEngine,
    tools: Mapping[str, AnyOperation],
    *,
    board: BoardEngine | None = None,
    host: str,
    port: int,
    allowed_hosts: Iterable[str] = (),
    allowed_origins: Iterable[str] = (),
    limits: ConnectionLimits | None = None,
    stop: asyncio.Event,
    announce: Callable[[str], None],
) -> None:
    """Serves the tools until `stop` is set, then finishes the requests in flight. `announce` gets what a person should
    read; `board` is given where tools of tasks are among them.

    Port 0 takes a free one. Raises ConfigurationError for an address that cannot be listened on.
    """
    limits = limits or connection_limits()
    address = host.strip("[]")
    named = {name.strip("[]").rstrip(".").lower() for name in (host, *allowed_hosts)} - _ANY_ADDRESS
    rules = HttpRules(
        hosts=LOOPBACK_NAMES | named,
        origins=frozenset(origin.rstrip("/").lower() for origin in allowed_origins),
        body_s=limits.body_s,
    )
    with listening_on(address, port, what="Frasier") as listening:
        await _announce_first_token(engine, announce)
        shown = f"[{address}]" if ":" in address else address
        if not _is_loopback(address):
            announce(
                f"Warning: {shown} can be reached from other machines, and what is sent is not encrypted. Put a"
                " proxy with TLS before it, and name with --allow-host how clients address it."
            )
        announce(
            f"{'The memory and the boards are' if board else 'The memory is'} served at http://{shown}:{listening.getsockname()[1]}/api/v1"
        )
        async with run_upkeep(upkeep(engine)):
            app = make_app(engine, tools, rules, board=board)
            await serve_until(stop, app, listening, limits=limits)


def _is_loopback(address: str) -> bool:
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return address.lower() in LOOPBACK_NAMES


async def _announce_first_token(engine: MemoryEngine, announce: Callable[[str], None]) -> None:
    token = await engine.in_transaction(issue_first_token)
    if token is not None:
        announce(
            f"The first token, for the shared scope: {token}\n"
            "It is shown this once; the database keeps only its hash (table memory_tokens)."
            " `frasier memory token` makes, lists and revokes tokens."
        )
