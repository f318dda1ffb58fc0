"""The memory's tools, offered to a host in the memory's name."""

from __future__ import annotations

from collections.abc import Collection

from frasier.interfaces.memory_tools.registry import TOOLS
from frasier.interfaces.tool_catalog import MEMORY
from frasier.interfaces.tools import Offer


def memory_offer(names: Collection[str] = TOOLS) -> Offer:
    """The memory's tools of these names."""
    return Offer(introduction=MEMORY, tools={name: tool for name, tool in TOOLS.items() if name in names})
