"""Walk nested values level by level, without recursion, so that no depth exhausts the stack."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

DEPTH_MAX = 50
"""Deeper JSON is refused: what reads it again, here or in another program, may call itself for every level."""


def levels(request: Any) -> Iterator[list[Any]]:
    """The value itself, then all that lies one level deeper, names as well, and so on.

    Raises ValueError before the first level that lies deeper than 50.
    """
    level = [request]
    for _ in range(DEPTH_MAX + 1):
        yield level
        level = [inner for one in level for inner in _inside(one)]
        if not level:
            return
    raise ValueError(f"it is nested more than {DEPTH_MAX} levels deep")


def _inside(value: Any) -> Iterable[Any]:
    match value:
        case dict():
            return (*value.keys(), *value.values())
        case list() | tuple():
            return value
        case _:
            return ()
