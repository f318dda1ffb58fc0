"""The memory's tools, offered to a host in the memory's name."""

from __future__ import annotations

from collections.abc import Collection

from frasier.interfaces.operations import ToolSet
from frasier.interfaces.operations.memory.registry import MEMORY_OPERATIONS
from frasier.interfaces.tool_catalog import MEMORY


def memory_tools(names: Collection[str] = MEMORY_OPERATIONS) -> ToolSet:
    """The memory's tools of these names."""
    return ToolSet(
        introduction=MEMORY, tools={name: tool for name, tool in MEMORY_OPERATIONS.items() if name in names}
    )
