"""Catalog of the tools and their listings, available without loading the code of the tools."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.interfaces.tool_catalog.catalog import FILE
    from frasier.interfaces.tool_catalog.introduction import (
        BOARDS,
        DEFAULT_MEMORY_TOOLS,
        MEMORY,
        NEVER_OVER_STDIO,
        Introduction,
    )
    from frasier.interfaces.tool_catalog.selection import Layer, choose_tools
else:
    lazy_exports(__name__)
