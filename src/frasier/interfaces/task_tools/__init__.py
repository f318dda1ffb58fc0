"""What can be asked of the boards of teams, whoever asks: the tools that MCP, HTTP and the command line offer."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.interfaces.task_tools.tool_set import whole_offer as whole_offer
    from frasier.interfaces.task_tools.registry import TASK_TOOLS as TASK_TOOLS
    from frasier.interfaces.task_tools.task_json import (
        decision_line as decision_line,
        how_to_make as how_to_make,
    )
else:
    lazy_exports(__name__)
