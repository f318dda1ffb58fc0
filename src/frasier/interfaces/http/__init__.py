"""The memory over HTTP, for agents that are not ours: health, query, contribute, the task markers, every tool."""

from frasier.interfaces.http.application import make_app
from frasier.interfaces.http.rules import HttpRules
from frasier.interfaces.http.server import serve_memory

__all__ = ["HttpRules", "make_app", "serve_memory"]
