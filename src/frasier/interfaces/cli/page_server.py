"""The server of the founder's page and the API, within a command that runs on."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Awaitable, Callable

    from frasier.interfaces.cli.application import Application
    from frasier.interfaces.services import Services

HOST = "127.0.0.1"
PORT = 8764


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
