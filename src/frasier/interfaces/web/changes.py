"""Waiting for events, in whichever process they are written."""

from __future__ import annotations

import asyncio

from frasier.interfaces.services import Services
from frasier.store import EventPosition, current_place

_POLL_S = 0.1


class EventChanges:
    """A reader that only wants to know that something happened."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._place: EventPosition | None = None

    async def wait(self, timeout_s: float) -> bool:
        """Wait until there are new events, at most so long; tell whether they are those of another database."""
        before = self._place
        loop = asyncio.get_running_loop()
        ends = loop.time() + timeout_s
        while True:
            self._place = await self._services.in_transaction(current_place)
            if before is not None and self._place.epoch != before.epoch:
                return True
            if before != self._place or loop.time() >= ends:
                return False
            await asyncio.sleep(min(_POLL_S, max(0.0, ends - loop.time())))
