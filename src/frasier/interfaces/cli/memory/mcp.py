"""`frasier memory mcp`: the memory for hosts of the Model Context Protocol."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

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

if TYPE_CHECKING:
    from frasier.interfaces.operations import ToolSet


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
    from frasier.interfaces.tool_catalog import MEMORY

    def load_tool_set(names: Collection[str]) -> ToolSet:
        from frasier.interfaces.operations.memory.tool_set import memory_tools

        return memory_tools(names)

    chosen = chosen_tools(MEMORY, everything=everything, tools=tools, layers=layers)
    serve_mcp_hosts(
        context, MEMORY, load_tool_set, chosen=chosen, port=port if http else None, scope=scope, name=name
    )
