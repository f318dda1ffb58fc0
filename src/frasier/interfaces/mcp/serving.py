"""Over which transport the tools are served."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from frasier.interfaces.mcp.http import serve_http
from frasier.interfaces.mcp.server import Tools
from frasier.interfaces.mcp.stdio import serve_stdio
from frasier.memory import Caller, MemoryEngine


async def serve_mcp(
    engine: MemoryEngine,
    tools: Tools,
    caller: Caller,
    *,
    port: int | None,
    stop: asyncio.Event,
    announce: Callable[[str], None],
) -> None:
    """Serves tools to MCP hosts until `stop` is set, or its host is gone.

    Without a port over standard input and output, on behalf of `caller`; with one over HTTP, where each token says
    whose it is. Raises ConfigurationError where the port is taken.
    """
    if port is None:
        await serve_stdio(engine, tools, caller, stop=stop)
    else:
        await serve_http(engine, tools, port=port, stop=stop, announce=announce)
