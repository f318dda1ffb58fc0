"""What can be asked of the memory, whoever asks: the tools that MCP, HTTP and the command line offer."""

from frasier.interfaces.memory_tools.keeping_up import kept_up
from frasier.interfaces.memory_tools.registry import DEFAULT_TOOLS, TOOLS, choose_tools
from frasier.interfaces.memory_tools.schema import short_schema
from frasier.interfaces.memory_tools.tool import (
    TOKEN_BUDGETS,
    Envelope,
    Layer,
    MemoryTool,
    Progress,
    Reply,
    Surroundings,
    ToolInput,
    call_tool,
    read_arguments,
)

__all__ = [
    "DEFAULT_TOOLS",
    "TOKEN_BUDGETS",
    "TOOLS",
    "Envelope",
    "Layer",
    "MemoryTool",
    "Progress",
    "Reply",
    "Surroundings",
    "ToolInput",
    "call_tool",
    "choose_tools",
    "kept_up",
    "read_arguments",
    "short_schema",
]
