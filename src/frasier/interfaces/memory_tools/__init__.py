"""What can be asked of the memory, whoever asks: the tools that MCP, HTTP and the command line offer."""

from frasier.interfaces.memory_tools.offer import memory_offer
from frasier.interfaces.memory_tools.registry import TOOLS
from frasier.interfaces.memory_tools.upkeep import proposal_json, tier_answer, unread_edit_json

__all__ = ["TOOLS", "memory_offer", "proposal_json", "tier_answer", "unread_edit_json"]
