"""The server of the founder's page and the API, within a command that runs on."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Awaitable, Callable

    from frasier.interfaces.cli.application import Application
    from frasier.interfaces.services import Services

HOST = "127.0.0.1"
PORT = 8764
_ANSWER_S = 5.0


async def is_served(port: int) -> bool:
    """Tell whether a server of ours answers on the port of this machine."""
    import asyncio

    with suppress(OSError, TimeoutError, ValueError):
        async with asyncio.timeout(_ANSWER_S):
            reader, writer = await asyncio.open_connection(HOST, port)
            writer.write(f"GET /login HTTP/1.1\r\nHost: {HOST}:{port}\r\nConnection: close\r\n\r\n".encode())
            answer = await reader.read()  # to its end: it comes in pieces
            writer.close()
            return answer.startswith(b"HTTP/1.1 200") and b"Frasier" in answer
    return False


async def serve_page(
    application: Application,
    services: Services,
    *,
    port: int,
    stop: asyncio.Event,
    on_served: Callable[[str], Awaitable[None]],
) -> None:
    """Serve the page and the API on this machine until `stop` is set, beside the housekeeping of this process."""
    from frasier.interfaces.cli.hosts import announce
    from frasier.interfaces.cli.serve import served_operations

    await application.memory_server()(
        services.memory,
        served_operations,
        board=services.board,
        services=services,
        pages=application.pages()(services, stop),
        keeps_up=False,
        host=HOST,
        port=port,
        allowed_hosts=(),
        allowed_origins=(),
        stop=stop,
        announce=announce,
        on_served=on_served,
    )
