"""`frasier mcp` and `frasier serve`: boards and memory together, for agents of any make."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

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
    from frasier.interfaces.tools import Offer, Tool


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

    def load_offer(names: Collection[str]) -> Offer:
        from frasier.interfaces.task_tools import whole_offer

        return whole_offer(names)

    chosen = chosen_tools(BOARDS, everything=everything, tools=tools, layers=layers)
    serve_mcp_hosts(
        context, BOARDS, load_offer, chosen=chosen, port=port if http else None, scope=scope, name=name
    )


def serve(
    context: typer.Context,
    host: HostOption = "127.0.0.1",
    port: HttpPortOption = 8764,
    allow_host: AllowHostOption = None,
    allow_origin: AllowOriginOption = None,
) -> None:
    """Serve boards and memory over HTTP. Until Ctrl-C, to whoever has a token."""

    def load_tools() -> Mapping[str, Tool[Any]]:
        from frasier.interfaces.memory_tools import TOOLS
        from frasier.interfaces.task_tools import TASK_TOOLS

        return {**TASK_TOOLS, **TOOLS}

    serve_over_http(
        context,
        load_tools,
        boards=True,
        host=host,
        port=port,
        allow_host=allow_host,
        allow_origin=allow_origin,
    )
