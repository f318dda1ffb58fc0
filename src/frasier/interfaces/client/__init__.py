"""The board over HTTP, for Python programs that work on it: a method for each tool, and our errors."""

from frasier.interfaces.client.board import BoardClient

__all__ = ["BoardClient"]
