"""The turns around a turn, the parts around a part of a document."""

from __future__ import annotations

from collections.abc import Collection

from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.recalling")

REACH = 3
"""How far around is looked, in turns."""


async def around(tx: Tx, nums: Collection[int]) -> dict[int, dict[int, int]]:
    """For each of the memories that is part of a thread, those around it with their distance."""
    if not nums:
        return {}
    beside: dict[int, dict[int, int]] = {}
    for row in await _sql.all(tx, "threads_around", nums=list(nums), reach=REACH):
        beside.setdefault(row["num"], {})[row["beside"]] = row["distance"]
    return beside
