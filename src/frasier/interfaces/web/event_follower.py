"""Waiting for events, in whichever process they are written."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from typing import TypeAlias

from frasier.interfaces.services import Services

WaitForEvents: TypeAlias = Callable[[float], Awaitable[bool]]
"""Wait until something happens, at most so many seconds; tell whether every reader has to begin anew."""

FollowEvents: TypeAlias = Callable[[], AbstractAsyncContextManager[WaitForEvents]]


@asynccontextmanager
async def follow_events(services: Services) -> AsyncIterator[WaitForEvents]:
    """Yield a function that waits for what happens from now on, in the feed of this process."""
    happened = asyncio.Event()
    starts_anew = False

    async def listen() -> None:
        nonlocal starts_anew
        async with services.event_feed.subscribe() as batches:
            async for batch in batches:
                starts_anew = starts_anew or batch.reload
                happened.set()

    async def wait(timeout_s: float) -> bool:
        nonlocal starts_anew
        with suppress(TimeoutError):
            await asyncio.wait_for(happened.wait(), timeout_s)
        happened.clear()
        if listening.done():
            await listening  # raises what ended it
        told, starts_anew = starts_anew, False
        return told

    listening = asyncio.create_task(listen(), name="page-events")
    try:
        yield wait
    finally:
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)
