"""What tools work on, once it is open."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from frasier.board import Board
from frasier.interfaces.advice import ToolCalls
from frasier.interfaces.tools.tool import Surroundings
from frasier.memory import Caller, MemoryEngine


@dataclass(frozen=True, slots=True, kw_only=True)
class Backend:
    """`caller` names whom a call is made for, anew each time. `board` is there where tasks are served."""

    engine: MemoryEngine
    caller: Callable[[], Awaitable[Caller]]
    board: Board | None = None

    async def surroundings(self) -> Surroundings:
        """What one call works with. Raises NotAllowed for whoever may not call any more."""
        return Surroundings(
            engine=self.engine, caller=await self.caller(), dialect=ToolCalls(), board=self.board
        )
