"""The turns around a turn, the parts around a part of a document."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.recalling")

REACH = 3
"""How far around is looked, in turns."""

_BESIDE_SHARE = 0.5  # how much the words of a neighbour count


async def around(tx: Tx, nums: Collection[int], *, reach: int = REACH) -> dict[int, dict[int, int]]:
    """For each of the memories that is part of a thread, those around it with their distance, at most `reach`."""
    if not nums:
        return {}
    beside: dict[int, dict[int, int]] = {}
    for num, other, distance in await _sql.tuples(tx, "threads_around", nums=list(nums), reach=reach):
        beside.setdefault(num, {})[other] = distance
    return beside


async def by_context(tx: Tx, scores: Mapping[int, float]) -> list[int]:
    """Turns by their own words, whose `scores` are given, and, for half, those of the best turn next to them."""
    nearby: dict[int, float] = {}
    for num, near in (await around(tx, scores, reach=1)).items():
        nearby.setdefault(num, 0.0)
        for other in near:
            nearby[num] = max(nearby[num], scores.get(other, 0.0))
            nearby[other] = max(nearby.get(other, 0.0), scores[num])
    total = {num: scores.get(num, 0.0) + _BESIDE_SHARE * near for num, near in nearby.items()}
    return sorted((num for num in total if total[num] > 0), key=lambda num: (-total[num], num))
