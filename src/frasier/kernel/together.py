"""Two things at the same time, as if they were one."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

_A = TypeVar("_A")
_B = TypeVar("_B")


async def both(first: Coroutine[Any, Any, _A], second: Coroutine[Any, Any, _B]) -> tuple[_A, _B]:
    """The results of the two. Where one fails, the other has been cancelled and is over when its error is raised."""
    try:
        async with asyncio.TaskGroup() as group:
            first_task, second_task = group.create_task(first), group.create_task(second)
    except BaseExceptionGroup as failed:
        raise failed.exceptions[0] from None
    return first_task.result(), second_task.result()
