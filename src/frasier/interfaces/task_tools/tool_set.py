"""The tools of the boards and of the memory, offered to a host together."""

from __future__ import annotations

from collections.abc import Collection

from frasier.interfaces.memory_tools import TOOLS
from frasier.interfaces.task_tools.registry import TASK_TOOLS
from frasier.interfaces.tool_catalog import BOARDS
from frasier.interfaces.tools import Offer

_TOOLS = {**TASK_TOOLS, **TOOLS}


def whole_offer(names: Collection[str] = _TOOLS.keys()) -> Offer:
    """The tools of these names, of both."""
    return Offer(introduction=BOARDS, tools={name: tool for name, tool in _TOOLS.items() if name in names})
