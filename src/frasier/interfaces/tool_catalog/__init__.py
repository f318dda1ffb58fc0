"""Which tools there are and what a host is told of them, without loading any of their code."""

from frasier.interfaces.tool_catalog.advice import offered_advice, offered_schema
from frasier.interfaces.tool_catalog.catalog import FILE
from frasier.interfaces.tool_catalog.introduction import (
    BOARDS,
    DEFAULT_BOARD_TOOLS,
    DEFAULT_MEMORY_TOOLS,
    MEMORY,
    Introduction,
)
from frasier.interfaces.tool_catalog.selection import Layer, choose_tools

__all__ = [
    "BOARDS",
    "DEFAULT_BOARD_TOOLS",
    "DEFAULT_MEMORY_TOOLS",
    "FILE",
    "MEMORY",
    "Introduction",
    "Layer",
    "choose_tools",
    "offered_advice",
    "offered_schema",
]
