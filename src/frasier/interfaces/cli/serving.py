"""`frasier mcp` and `frasier serve`: boards and memory together, for agents of any make."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from frasier.interfaces.cli.hosts import (
    AllOption,
    AllowHostOption,
    AllowOriginOption,
    HostOption,
    HttpOption,
    HttpPortOption,
    LayersOption,
    NameOption,
    PortOption,
    ScopeOption,
    ToolsOption,
    chosen_tools,
    serve_mcp_hosts,
    serve_over_http,
)

if TYPE_CHECKING:
    from frasier.interfaces.services import Services
    from frasier.interfaces.tools import Offer


def mcp(
    context: typer.Context,
    http: HttpOption = False,
    port: PortOption = 8765,
    tools: ToolsOption = "",
    layers: LayersOption = "",
    everything: AllOption = False,
    scope: ScopeOption = None,
    name: NameOption = "mcp",
) -> None:
    """Serve boards and memory to an MCP host. FRASIER_TOKEN says which member it is.

    Without options: twelve tools, ten of them the boards', over standard input and output. Over HTTP each client's own
    token says who it is.
    """
    from frasier.interfaces.memory_tools import TOOLS
    from frasier.interfaces.task_tools import DEFAULT_WITH_MEMORY, TASK_TOOLS, whole_offer

    chosen = chosen_tools(
        {**TASK_TOOLS, **TOOLS}, DEFAULT_WITH_MEMORY, everything=everything, tools=tools, layers=layers
    )

    def offer(services: Services) -> Offer:
        return whole_offer(chosen, services.board)

    serve_mcp_hosts(context, offer, port=port if http else None, scope=scope, name=name)


def serve(
    context: typer.Context,
    host: HostOption = "127.0.0.1",
    port: HttpPortOption = 8764,
    allow_host: AllowHostOption = None,
    allow_origin: AllowOriginOption = None,
) -> None:
    """Serve boards and memory over HTTP. Until Ctrl-C, to whoever has a token."""
    from frasier.interfaces.memory_tools import TOOLS
    from frasier.interfaces.task_tools import TASK_TOOLS, whole_offer

    def offer(services: Services) -> Offer:
        return whole_offer({**TASK_TOOLS, **TOOLS}, services.board)

    serve_over_http(context, offer, host=host, port=port, allow_host=allow_host, allow_origin=allow_origin)
