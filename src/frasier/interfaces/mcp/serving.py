"""Over which transport an offer is served."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from frasier.interfaces.mcp.http import serve_http
from frasier.interfaces.mcp.stdio import serve_stdio
from frasier.interfaces.tools import Offer
from frasier.memory import Caller, MemoryEngine


async def serve_mcp(
    engine: MemoryEngine,
    offer: Offer,
    who: Callable[[], Awaitable[Caller]],
    *,
    port: int | None,
    stop: asyncio.Event,
    announce: Callable[[str], None],
) -> None:
    """Serves what is offered to MCP hosts until `stop` is set, or its host is gone.

    Without a port over standard input and output, on behalf of whom `who` names at each
    call; with one over HTTP, where each token says whose it is. Raises ConfigurationError where the port is taken.
    """
    if port is None:
        await serve_stdio(engine, offer, who, stop=stop)
    else:
        await serve_http(engine, offer, port=port, stop=stop, announce=announce)
