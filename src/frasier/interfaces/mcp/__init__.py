"""Tools over the Model Context Protocol: on stdio for the host that started the program, and over HTTP with tokens."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.interfaces.mcp.http import serve_http
    from frasier.interfaces.mcp.session_heartbeat import LiveSessions
    from frasier.interfaces.mcp.server import make_server
    from frasier.interfaces.mcp.stdio import serve_stdio
else:
    lazy_exports(__name__)
