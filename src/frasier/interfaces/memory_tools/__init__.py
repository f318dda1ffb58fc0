"""What can be asked of the memory, whoever asks: the tools that MCP, HTTP and the command line offer."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.interfaces.memory_tools.tool_set import memory_offer as memory_offer
    from frasier.interfaces.memory_tools.registry import TOOLS as TOOLS
    from frasier.interfaces.memory_tools.file_tiers import (
        proposal_json as proposal_json,
        tier_answer as tier_answer,
        unread_edit_json as unread_edit_json,
    )
else:
    lazy_exports(__name__)
