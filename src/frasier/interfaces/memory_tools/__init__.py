"""What can be asked of the memory, whoever asks: the tools that MCP, HTTP and the command line offer."""

from frasier.interfaces.memory_tools.offer import INSTRUCTIONS, memory_offer
from frasier.interfaces.memory_tools.registry import DEFAULT_TOOLS, TOOLS

__all__ = ["DEFAULT_TOOLS", "INSTRUCTIONS", "TOOLS", "memory_offer"]
