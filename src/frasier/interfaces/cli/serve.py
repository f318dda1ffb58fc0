"""`frasier mcp` and `frasier serve`: boards and memory together, for agents of any vendor."""

from __future__ import annotations

from collections.abc import Collection, Mapping
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
    from frasier.interfaces.operations import AnyOperation, ToolSet


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

    Without options: all that a member of a board needs, whatever its role, over standard input and output. Over HTTP
    each client's own token says who it is.
    """
    from frasier.interfaces.tool_catalog import BOARDS

    def load_tool_set(names: Collection[str]) -> ToolSet:
        from frasier.interfaces.operations.tasks.tool_set import all_tools

        return all_tools(names)

    chosen = chosen_tools(BOARDS, everything=everything, tools=tools, layers=layers)
    serve_mcp_hosts(
        context, BOARDS, load_tool_set, chosen=chosen, port=port if http else None, scope=scope, name=name
    )


def serve(
    context: typer.Context,
    host: HostOption = "127.0.0.1",
    port: HttpPortOption = 8764,
    allow_host: AllowHostOption = None,
    allow_origin: AllowOriginOption = None,
) -> None:
    """Serve boards and memory over HTTP. Until Ctrl-C, to anybody who has a token."""

    def load_tools() -> Mapping[str, AnyOperation]:
        from frasier.interfaces.operations.memory.registry import MEMORY_OPERATIONS
        from frasier.interfaces.operations.tasks.registry import TASK_OPERATIONS

        return {**TASK_OPERATIONS, **MEMORY_OPERATIONS}

    serve_over_http(
        context,
        load_tools,
        boards=True,
        host=host,
        port=port,
        allow_host=allow_host,
        allow_origin=allow_origin,
    )
