"""A server of the Model Context Protocol within the test, which the official client speaks to without a wire."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from frasier.interfaces.mcp import LiveSessions, make_server
from frasier.interfaces.tools import Offer
from frasier.memory import Caller, MemoryEngine


def served_to(
    who: Callable[[], Caller], engine: MemoryEngine, offer: Offer, sessions: LiveSessions | None = None
) -> Any:
    """Serves `offer` on behalf of whom `who` names when a call comes."""

    async def caller_of(_context: object) -> Caller:
        return who()

    return make_server(engine, offer, caller_of, sessions or LiveSessions(engine))
