"""A limit on concurrent calls that adapts to rate limits: additive increase, multiplicative decrease (AIMD)."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from frasier.kernel.errors import ProviderRateLimited


class AdaptiveLimit:
    """A limit on the calls in flight of one process.

    It starts at `maximum`. A rate limit halves it, once for all calls that were in flight then: they tell of the same
    moment. Each success adds 1/limit, so that about as many successes as there are slots open one more. Waiting calls
    are served in order. Those in the background come after all others, never take the last slot of several, and adapt
    nothing.
    """

    def __init__(self, maximum: int) -> None:
        self._maximum = float(maximum)
        self._limit = float(maximum)
        self._in_flight = 0
        self._begun = 0
        self._decreased_at = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._in_background: deque[asyncio.Future[None]] = deque()

    @property
    def limit(self) -> int:
        """The number of calls that may be in flight now."""
        return int(self._limit)

    @property
    def _background_slots(self) -> int:
        return max(self.limit - 1, 1)

    @asynccontextmanager
    async def slot(self, *, in_background: bool = False) -> AsyncIterator[None]:
        """Wait for a free slot and hold it during the body, whose outcome adapts the limit."""
        await self._enter(in_background=in_background)
        self._begun += 1
        begun = self._begun
        try:
            yield
        except ProviderRateLimited:
            if not in_background:
                self._decrease(begun)
            raise
        else:
            if not in_background:
                self._limit = min(self._limit + 1 / self._limit, self._maximum)
        finally:
            self._in_flight -= 1
            self._admit()

    def _decrease(self, begun: int) -> None:
        if begun > self._decreased_at:
            self._limit = max(self._limit / 2, 1.0)
            self._decreased_at = self._begun

    async def _enter(self, *, in_background: bool) -> None:
        queue = self._in_background if in_background else self._waiting
        slots = self._background_slots if in_background else self.limit
        if self._in_flight < slots and not self._waiting and not queue:
            self._in_flight += 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        queue.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.cancelled():
                # A slot that came free meanwhile may have taken it out of the queue already.
                if turn in queue:
                    queue.remove(turn)
            else:
                # It was admitted and cancelled at once: its slot goes to the next.
                self._in_flight -= 1
                self._admit()
            raise

    def _admit(self) -> None:
        for queue, slots in ((self._waiting, self.limit), (self._in_background, self._background_slots)):
            while queue and self._in_flight < slots:
                turn = queue.popleft()
                if not turn.done():
                    self._in_flight += 1
                    turn.set_result(None)
