"""Neighbours in a thread: the turns around a turn, the parts around a part of a document."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.recall")

REACH = 3
"""The maximum distance of a neighbour, in turns."""

_BESIDE_SHARE = 0.5  # the weight of a neighbour's words


async def neighbours_of(tx: Tx, nums: Collection[int], *, reach: int = REACH) -> dict[int, dict[int, int]]:
    """Return the neighbours of each memory in a thread, with their distance, at most `reach`."""
    if not nums:
        return {}
    beside: dict[int, dict[int, int]] = {}
    for num, other, distance in await _sql.tuples(tx, "threads_around", nums=list(nums), reach=reach):
        beside.setdefault(num, {})[other] = distance
    return beside


async def context_ranking(tx: Tx, scores: Mapping[int, float]) -> list[int]:
    """Rank turns by their own lexical `scores` plus half the score of the best adjacent turn."""
    nearby: dict[int, float] = {}
    for num, near in (await neighbours_of(tx, scores, reach=1)).items():
        nearby.setdefault(num, 0.0)
        for other in near:
            nearby[num] = max(nearby[num], scores.get(other, 0.0))
            nearby[other] = max(nearby.get(other, 0.0), scores[num])
    total = {num: scores.get(num, 0.0) + _BESIDE_SHARE * near for num, near in nearby.items()}
    return sorted((num for num in total if total[num] > 0), key=lambda num: (-total[num], num))
