"""`frasier memory serve`: the memory over HTTP, until it is told to stop."""

from __future__ import annotations

import typer

from frasier.interfaces.cli.hosts import (
    AllowHostOption,
    AllowOriginOption,
    HostOption,
    HttpPortOption,
    serve_over_http,
)


def serve(
    context: typer.Context,
    host: HostOption = "127.0.0.1",
    port: HttpPortOption = 8764,
    allow_host: AllowHostOption = None,
    allow_origin: AllowOriginOption = None,
) -> None:
    """Serve the memory over HTTP until Ctrl-C. Agents elsewhere query and contribute with a token."""
    from frasier.interfaces.memory_tools import TOOLS, memory_offer

    serve_over_http(
        context,
        lambda _services: memory_offer(TOOLS),
        host=host,
        port=port,
        allow_host=allow_host,
        allow_origin=allow_origin,
    )
