"""`frasier mcp` and `frasier serve`: boards and memory together, for agents of any vendor, and the founder's page."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from frasier.interfaces.cli.hosts import http_command, mcp_command

if TYPE_CHECKING:
    from frasier.interfaces.cli.hosts import LoadToolSet
    from frasier.interfaces.operations import AnyOperation, ToolSet
    from frasier.interfaces.tool_catalog import Introduction


@mcp_command
def mcp() -> tuple[Introduction, LoadToolSet]:
    """Serve boards and memory to an MCP host. FRASIER_TOKEN says which member it is.

    Without options: all that a member of a board needs, whatever its role, over standard input and output. Over HTTP
    each client's own token says who it is.
    """
    from frasier.interfaces.tool_catalog import BOARDS

    def load_tool_set(names: Collection[str]) -> ToolSet:
        from frasier.interfaces.operations.organisation.tool_set import all_tools

        return all_tools(names)

    return BOARDS, load_tool_set


@http_command(boards=True)
def serve() -> Mapping[str, AnyOperation]:
    """Serve missions, boards, memory and the page over HTTP. Until Ctrl-C; the API to who has a token."""
    return served_operations()


def served_operations() -> Mapping[str, AnyOperation]:
    """Load every operation that is served over HTTP."""
    from frasier.interfaces.operations.memory.registry import MEMORY_OPERATIONS
    from frasier.interfaces.operations.organisation.registry import ORGANISATION_OPERATIONS
    from frasier.interfaces.operations.tasks.registry import TASK_OPERATIONS

    return {**ORGANISATION_OPERATIONS, **TASK_OPERATIONS, **MEMORY_OPERATIONS}
