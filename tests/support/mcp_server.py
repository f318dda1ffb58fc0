"""An MCP server inside the test, for the official client, without a transport."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from frasier.board import BoardEngine
from frasier.interfaces.advice import ToolCalls
from frasier.interfaces.mcp import LiveSessions, make_server
from frasier.interfaces.operations import OperationContext, ToolSet
from frasier.memory import Caller, MemoryEngine


def served_to(
    who: Callable[[], Caller],
    engine: MemoryEngine,
    tool_set: ToolSet,
    sessions: LiveSessions | None = None,
    board: BoardEngine | None = None,
) -> Any:
    """Return a server of `tool_set` that acts for the caller whom `who` returns at each call."""

    async def operation_context(_context: object) -> OperationContext:
        return OperationContext(engine=engine, caller=who(), dialect=ToolCalls(), board=board)

    return make_server(tool_set, operation_context, sessions or LiveSessions())
