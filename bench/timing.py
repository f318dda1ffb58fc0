"""Durations of single operations."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable


async def timed(operation: Awaitable[object]) -> float:
    """Await the operation and return its milliseconds."""
    started = time.perf_counter()
    await operation
    return (time.perf_counter() - started) * 1000


def seconds_of(step: Callable[[], object]) -> float:
    """Make a blocking call and return its seconds."""
    started = time.perf_counter()
    step()
    return time.perf_counter() - started
