"""A server of the Model Context Protocol within the test, which the official client speaks to without a wire."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from frasier.board import Board
from frasier.interfaces.advice import ToolCalls
from frasier.interfaces.mcp import LiveSessions, make_server
from frasier.interfaces.tools import Offer, Surroundings
from frasier.memory import Caller, MemoryEngine


def served_to(
    who: Callable[[], Caller],
    engine: MemoryEngine,
    offer: Offer,
    sessions: LiveSessions | None = None,
    board: Board | None = None,
) -> Any:
    """Serves `offer` on behalf of whom `who` names when a call comes."""

    async def surroundings(_context: object) -> Surroundings:
        return Surroundings(engine=engine, caller=who(), dialect=ToolCalls(), board=board)

    return make_server(offer, surroundings, sessions or LiveSessions())
