"""A server of the Model Context Protocol within the test, which the official client speaks to without a wire."""

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
    offer: ToolSet,
    sessions: LiveSessions | None = None,
    board: BoardEngine | None = None,
) -> Any:
    """Serves `offer` on behalf of whom `who` names when a call comes."""

    async def surroundings(_context: object) -> OperationContext:
        return OperationContext(engine=engine, caller=who(), dialect=ToolCalls(), board=board)

    return make_server(offer, surroundings, sessions or LiveSessions())
