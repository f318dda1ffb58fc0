"""What tools of this house take and answer, and how they are chosen, offered and called."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.interfaces.tool_catalog import Layer as Layer, choose_tools as choose_tools
    from frasier.interfaces.tools.backend import Backend as Backend
    from frasier.interfaces.tools.background_upkeep import kept_up as kept_up
    from frasier.interfaces.tools.depth_limit import levels as levels
    from frasier.interfaces.tools.tool_set import Offer as Offer
    from frasier.interfaces.tools.schema import short_schema as short_schema
    from frasier.interfaces.tools.tool import (
        TOKEN_BUDGETS as TOKEN_BUDGETS,
        Envelope as Envelope,
        Meta as Meta,
        Progress as Progress,
        Reply as Reply,
        Surroundings as Surroundings,
        Tool as Tool,
        ToolInput as ToolInput,
        call_tool as call_tool,
        read_arguments as read_arguments,
    )
    from frasier.interfaces.tools.json_values import as_json as as_json, told as told
else:
    lazy_exports(__name__)
