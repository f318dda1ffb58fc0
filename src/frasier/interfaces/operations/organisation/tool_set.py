"""The tools of the boards, the memory and the organisation, offered to a host together."""

from __future__ import annotations

from collections.abc import Collection

from frasier.interfaces.operations import ToolSet
from frasier.interfaces.operations.memory.registry import MEMORY_OPERATIONS
from frasier.interfaces.operations.organisation.registry import ORGANISATION_OPERATIONS
from frasier.interfaces.operations.tasks.registry import TASK_OPERATIONS
from frasier.interfaces.tool_catalog import BOARDS

_TOOLS = {**TASK_OPERATIONS, **MEMORY_OPERATIONS, **ORGANISATION_OPERATIONS}


def all_tools(names: Collection[str] = _TOOLS.keys()) -> ToolSet:
    """The tools of these names, of all three."""
    return ToolSet(introduction=BOARDS, tools={name: tool for name, tool in _TOOLS.items() if name in names})
