"""Standard input and output of an MCP server: a host is answered at once, while the server is loaded behind."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.interfaces.mcp_startup.first_answers import FirstAnswers
    from frasier.interfaces.mcp_startup.startup_sequence import ServeWire, serve_host
    from frasier.interfaces.mcp_startup.stdio_lines import LINE_BYTES_MAX, Mark, Wire
else:
    lazy_exports(__name__)
