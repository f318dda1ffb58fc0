"""What tools of this house take and answer, and how they are chosen, offered and called."""

from frasier.interfaces.tool_catalog import Layer, choose_tools
from frasier.interfaces.tools.backend import Backend
from frasier.interfaces.tools.keeping_up import kept_up
from frasier.interfaces.tools.nesting import levels
from frasier.interfaces.tools.offer import Offer
from frasier.interfaces.tools.schema import short_schema
from frasier.interfaces.tools.tool import (
    TOKEN_BUDGETS,
    Envelope,
    Meta,
    Progress,
    Reply,
    Surroundings,
    Tool,
    ToolInput,
    call_tool,
    read_arguments,
)
from frasier.interfaces.tools.values import as_json, told

__all__ = [
    "TOKEN_BUDGETS",
    "Backend",
    "Envelope",
    "Layer",
    "Meta",
    "Offer",
    "Progress",
    "Reply",
    "Surroundings",
    "Tool",
    "ToolInput",
    "as_json",
    "call_tool",
    "choose_tools",
    "kept_up",
    "levels",
    "read_arguments",
    "short_schema",
    "told",
]
