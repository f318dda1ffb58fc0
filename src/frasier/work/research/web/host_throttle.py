"""One request at a time to a host, with a pause between them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

_HOSTS_MAX = 2_000


@dataclass(slots=True)
class _Host:
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    next_at: float = 0.0
    waiting: int = 0


class Politeness:
    """A pacer of the requests to each host. `clock` is monotonic and in seconds; `sleep` waits."""

    def __init__(self, *, clock: Callable[[], float], sleep: Callable[[float], Awaitable[None]]) -> None:
        self._clock = clock
        self._sleep = sleep
        self._hosts: dict[str, _Host] = {}

    @asynccontextmanager
    async def turn(self, host: str, pause_s: float) -> AsyncIterator[None]:
        """Run the body alone for `host`, at least `pause_s` after the end of the turn before it."""
        place = self._place(host)
        place.waiting += 1
        try:
            async with place.lock:
                wait_s = place.next_at - self._clock()
                if wait_s > 0:
                    await self._sleep(wait_s)
                try:
                    yield
                finally:
                    place.next_at = max(place.next_at, self._clock() + pause_s)
        finally:
            place.waiting -= 1

    def _place(self, host: str) -> _Host:
        if len(self._hosts) >= _HOSTS_MAX:
            now = self._clock()
            self._hosts = {
                name: place for name, place in self._hosts.items() if place.waiting or place.next_at > now
            }
        return self._hosts.setdefault(host, _Host())
