"""`frasier memory mcp`: the memory for hosts of the Model Context Protocol."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from frasier.interfaces.cli.hosts import mcp_command
from frasier.interfaces.tool_catalog import MEMORY, Introduction

if TYPE_CHECKING:
    from frasier.interfaces.cli.hosts import LoadToolSet
    from frasier.interfaces.operations import ToolSet


@mcp_command
def mcp() -> tuple[Introduction, LoadToolSet]:
    """Serve the memory to an MCP host. Without options: twelve tools, the shared scope, standard input and output.

    Over HTTP each client's token says who it is and which scopes it has.
    """

    def load_tool_set(names: Collection[str]) -> ToolSet:
        from frasier.interfaces.operations.memory.registry import memory_tools

        return memory_tools(names)

    return MEMORY, load_tool_set
