"""Shutdown on request: Ctrl-C and SIGTERM set an event, and the running work ends in order."""

from __future__ import annotations

import asyncio
import signal
from contextlib import suppress


def stop_on_signals() -> asyncio.Event:
    """Return an event that SIGINT and SIGTERM set, for the running loop."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError):
            loop.add_signal_handler(number, stop.set)
    return stop


def forget_signals() -> None:
    """End what stop_on_signals began: a prompt is interrupted as usual."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError):
            loop.remove_signal_handler(number)


async def pause(stop: asyncio.Event, seconds: float) -> bool:
    """Wait for `seconds` or for the stop, whichever comes first; return whether it is time to stop."""
    with suppress(TimeoutError):
        await asyncio.wait_for(stop.wait(), seconds)
    return stop.is_set()
