"""Waiting for events, in whichever process they are written."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TypeAlias

from frasier.interfaces.services import Services
from frasier.store import current_place

WaitForEvents: TypeAlias = Callable[[float], Awaitable[bool]]
"""Wait until something happens, at most so many seconds; tell whether every reader has to begin anew."""

FollowEvents: TypeAlias = Callable[[], AbstractAsyncContextManager[WaitForEvents]]

_POLL_S = 0.1


@asynccontextmanager
async def follow_events(services: Services) -> AsyncIterator[WaitForEvents]:
    """Yield a function that waits for what happens from now on."""
    place = await services.in_transaction(current_place)

    async def wait(timeout_s: float) -> bool:
        nonlocal place
        loop = asyncio.get_running_loop()
        ends = loop.time() + timeout_s
        while True:
            before, place = place, await services.in_transaction(current_place)
            if place.epoch != before.epoch:
                return True
            if place != before or loop.time() >= ends:
                return False
            await asyncio.sleep(min(_POLL_S, max(0.0, ends - loop.time())))

    yield wait
