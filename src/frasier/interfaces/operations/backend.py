"""The opened services that tools work on."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from frasier.board import BoardEngine
from frasier.interfaces.advice import ToolCalls
from frasier.interfaces.operations.operation import OperationContext
from frasier.interfaces.services import Services
from frasier.memory import Caller, MemoryEngine


@dataclass(frozen=True, slots=True, kw_only=True)
class Backend:
    """`caller` names whom a call is made for, anew each time. `board` is there where tasks are served, `services` where
    the organisation is.
    """

    engine: MemoryEngine
    caller: Callable[[], Awaitable[Caller]]
    board: BoardEngine | None = None
    services: Services | None = None

    async def surroundings(self) -> OperationContext:
        """Return the context of one call. Raises NotAllowed for a caller who may not call any more."""
        return OperationContext(
            engine=self.engine,
            caller=await self.caller(),
            dialect=ToolCalls(),
            board=self.board,
            services=self.services,
        )
