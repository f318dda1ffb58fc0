"""`frasier memory serve`: the memory over HTTP, until asked to stop."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import typer

from frasier.interfaces.cli.hosts import (
    AllowHostOption,
    AllowOriginOption,
    HostOption,
    HttpPortOption,
    serve_over_http,
)

if TYPE_CHECKING:
    from frasier.interfaces.operations import AnyOperation


def serve(
    context: typer.Context,
    host: HostOption = "127.0.0.1",
    port: HttpPortOption = 8764,
    allow_host: AllowHostOption = None,
    allow_origin: AllowOriginOption = None,
) -> None:
    """Serve the memory over HTTP until Ctrl-C. Agents elsewhere query and contribute with a token."""

    def load_tools() -> Mapping[str, AnyOperation]:
        from frasier.interfaces.operations.memory.registry import MEMORY_OPERATIONS

        return MEMORY_OPERATIONS

    serve_over_http(
        context,
        load_tools,
        boards=False,
        host=host,
        port=port,
        allow_host=allow_host,
        allow_origin=allow_origin,
    )
