"""The HTTP server as a process: socket, first token, upkeep, and a graceful shutdown."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import ExitStack, nullcontext
from ipaddress import ip_address
from typing import TypeAlias

from starlette.types import ASGIApp

from frasier.board import BoardEngine
from frasier.interfaces.asgi_server import listening_on, serve_until
from frasier.interfaces.http.limits import LOOPBACK_NAMES, HttpRules
from frasier.interfaces.http.pages_and_api import PagesAndApi
from frasier.interfaces.operations import AnyOperation, run_upkeep
from frasier.interfaces.page_record import record_page
from frasier.interfaces.server_settings import ConnectionLimits, connection_limits
from frasier.interfaces.services import Services
from frasier.memory import MemoryEngine, issue_first_token, upkeep

# Wildcard addresses to listen on; no legitimate client sends them as its Host.
_ANY_ADDRESS = {"0.0.0.0", "::"}  # noqa: S104


LoadTools: TypeAlias = Callable[[], Mapping[str, AnyOperation]]


async def serve_memory(
    engine: MemoryEngine,
    tools: Mapping[str, AnyOperation] | LoadTools,
    *,
    board: BoardEngine | None = None,
    services: Services | None = None,
    pages: ASGIApp | None = None,
    keeps_up: bool = True,
    host: str,
    port: int,
    allowed_hosts: Iterable[str] = (),
    allowed_origins: Iterable[str] = (),
    limits: ConnectionLimits | None = None,
    stop: asyncio.Event,
    announce: Callable[[str], None],
    on_served: Callable[[str], Awaitable[None]] | None = None,
) -> None:
    """Serve the tools, and `pages` beside them, until `stop` is set, then finish the requests in flight.

    With pages, tools that are given as a function are loaded when the API is first asked.
    `announce` receives the lines meant for a person, `on_served` the address once it is open; `board` is needed if
    `tools` contains tools of tasks, `services` if it contains those of missions. With `keeps_up` the memory's upkeep
    runs meanwhile; not where the process runs it already. Port 0 selects a free one. Raise ConfigurationError for an
    address that cannot be listened on.
    """
    limits, address = limits or connection_limits(), host.strip("[]")
    host_names = {name.strip("[]").rstrip(".").lower() for name in (host, *allowed_hosts)} - _ANY_ADDRESS
    rules = HttpRules(
        hosts=LOOPBACK_NAMES | host_names,
        origins=frozenset(origin.rstrip("/").lower() for origin in allowed_origins),
        body_s=limits.body_s,
        requests_per_minute=limits.requests_per_minute,
    )
    with listening_on(address, port, service="Frasier") as listening, ExitStack() as stack:
        await _announce_first_token(engine, announce)
        display_host = f"[{address}]" if ":" in address else address
        if not _is_loopback(address):
            announce(
                f"Warning: {display_host} can be reached from other machines, and traffic is not encrypted. Put a proxy"
                " with TLS in front of it, and pass the name that clients use with --allow-host."
            )
        address = f"http://{display_host}:{listening.getsockname()[1]}"
        announce(
            f"{'The memory and the boards are' if board else 'The memory is'} served at {address}/api/v1"
        )
        if pages is not None and services is not None:
            stack.enter_context(record_page(services.home, address))
        if on_served is not None:
            await on_served(address)
        async with run_upkeep(upkeep(engine)) if keeps_up else nullcontext():

            def make_api() -> ASGIApp:
                # Imported when the API is first asked: beside the page it often never is.
                from frasier.interfaces.http.application import make_app  # noqa: PLC0415

                loaded = tools if isinstance(tools, Mapping) else tools()
                return make_app(engine, loaded, rules, board=board, services=services, stop=stop)

            app = make_api() if pages is None else PagesAndApi(pages, make_api, rules)
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
