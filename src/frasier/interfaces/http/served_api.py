"""The services and rules that all endpoints of one HTTP API share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from starlette.requests import Request

from frasier.board import BoardEngine
from frasier.interfaces.advice import HttpRequests
from frasier.interfaces.http.auth import authenticate
from frasier.interfaces.http.limits import HttpRules
from frasier.interfaces.http.rate_limit import RateLimiter
from frasier.interfaces.operations import OperationContext, reader_of
from frasier.interfaces.services import Services
from frasier.memory import Caller, MemoryEngine


@dataclass(frozen=True, slots=True, kw_only=True)
class ServedApi:
    """The memory, the boards and the organisation, as far as they are served, by which rules, and whom they count."""

    engine: MemoryEngine
    rules: HttpRules
    limiter: RateLimiter
    board: BoardEngine | None
    services: Services | None

    async def caller_of(self, request: Request) -> Caller:
        """Return the caller, whose request is counted; raise HttpRefusal as `authenticate` does."""
        return await authenticate(request, self.engine, self.limiter)

    def context_of(self, caller: Caller, *, by_tool: bool = False, **others: Any) -> OperationContext:
        """Return the context of one operation of the caller's, who is advised to call tools if it came `by_tool`."""
        return OperationContext(
            engine=self.engine,
            caller=caller,
            dialect=HttpRequests(reader_of(caller), by_tool=by_tool),
            board=self.board,
            services=self.services,
            **others,
        )
