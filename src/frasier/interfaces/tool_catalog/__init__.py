"""Which tools there are and what a host is told of them, without loading any of their code."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.interfaces.tool_catalog.available_tools_text import offered_advice, offered_schema
    from frasier.interfaces.tool_catalog.catalog import FILE
    from frasier.interfaces.tool_catalog.introduction import (
        BOARDS,
        DEFAULT_BOARD_TOOLS,
        DEFAULT_MEMORY_TOOLS,
        MEMORY,
        Introduction,
    )
    from frasier.interfaces.tool_catalog.selection import Layer, choose_tools
else:
    lazy_exports(__name__)
