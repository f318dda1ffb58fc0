"""Standard input and output of an MCP server: a host is answered at once, while the server is loaded behind."""

from frasier.interfaces.mcp_startup.answers import FirstAnswers
from frasier.interfaces.mcp_startup.handover import ServeWire, serve_host
from frasier.interfaces.mcp_startup.wire import LINE_BYTES_MAX, Mark, Wire

__all__ = ["LINE_BYTES_MAX", "FirstAnswers", "Mark", "ServeWire", "Wire", "serve_host"]
