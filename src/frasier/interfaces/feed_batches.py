"""Batches of the feed of events, until whoever reads them is to stop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Any

from frasier.store import FeedBatch


async def batches_until(
    batches: AsyncIterator[FeedBatch], stopping: asyncio.Future[Any], silence_s: float
) -> AsyncGenerator[FeedBatch | None, None]:
    """Yield the batches until `stopping` is done, and None after each time without one."""
    pending: asyncio.Future[FeedBatch] | None = None
    try:
        while not stopping.done():
            pending = pending or asyncio.ensure_future(anext(batches))
            await asyncio.wait({pending, stopping}, timeout=silence_s, return_when=asyncio.FIRST_COMPLETED)
            if pending.done():
                batch, pending = pending.result(), None
                yield batch
            elif not stopping.done():
                yield None
    finally:
        if pending is not None:
            pending.cancel()
            await asyncio.gather(pending, return_exceptions=True)
