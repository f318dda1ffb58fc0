"""Tools over the Model Context Protocol: to the program that started us, and over HTTP to who has a token."""

from frasier.interfaces.mcp.http import make_app, serve_http
from frasier.interfaces.mcp.liveness import LiveSessions
from frasier.interfaces.mcp.server import make_server
from frasier.interfaces.mcp.stdio import serve_stdio

__all__ = ["LiveSessions", "make_app", "make_server", "serve_http", "serve_stdio"]
