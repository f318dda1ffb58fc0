"""`frasier memory serve`: the memory over HTTP, until asked to stop."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from frasier.interfaces.cli.hosts import http_command

if TYPE_CHECKING:
    from frasier.interfaces.operations import AnyOperation


@http_command(boards=False)
def serve() -> Mapping[str, AnyOperation]:
    """Serve the memory over HTTP until Ctrl-C. Agents elsewhere query and contribute with a token."""
    from frasier.interfaces.operations.memory.registry import MEMORY_OPERATIONS

    return MEMORY_OPERATIONS
