"""Concurrent execution of two coroutines."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

_A = TypeVar("_A")
_B = TypeVar("_B")


async def both(first: Coroutine[Any, Any, _A], second: Coroutine[Any, Any, _B]) -> tuple[_A, _B]:
    """Run two coroutines concurrently; when one fails, cancel the other, await it, and raise the error."""
    try:
        async with asyncio.TaskGroup() as group:
            first_task, second_task = group.create_task(first), group.create_task(second)
    except BaseExceptionGroup as failed:
        raise failed.exceptions[0] from None
    return first_task.result(), second_task.result()
