"""Timing of one operation."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable


async def timed(operation: Awaitable[object]) -> float:
    """Milliseconds until it is done."""
    started = time.perf_counter()
    await operation
    return (time.perf_counter() - started) * 1000


def seconds_of(step: Callable[[], object]) -> float:
    """Seconds that a blocking call takes."""
    started = time.perf_counter()
    step()
    return time.perf_counter() - started
