"""`frasier memory mcp`: the memory for hosts of the Model Context Protocol."""

from __future__ import annotations

import typer

from frasier.interfaces.cli.hosts import (
    AllOption,
    HttpOption,
    LayersOption,
    NameOption,
    PortOption,
    ScopeOption,
    ToolsOption,
    chosen_tools,
    serve_mcp_hosts,
)


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
    """Serve the memory to an MCP host. Without options: twelve tools, the shared scope, standard input and output.

    Over HTTP each client's token says who it is and which scopes it has.
    """
    from frasier.interfaces.memory_tools import DEFAULT_TOOLS, TOOLS, memory_offer

    chosen = chosen_tools(TOOLS, DEFAULT_TOOLS, everything=everything, tools=tools, layers=layers)
    serve_mcp_hosts(
        context, lambda _services: memory_offer(chosen), port=port if http else None, scope=scope, name=name
    )
