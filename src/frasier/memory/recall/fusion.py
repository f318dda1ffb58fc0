"""Reciprocal rank fusion: several rankings become one. Pure.

    score(d) = Σ over arms  weight / (k + rank of d in that arm),  ranks from 1

times 1.10 where two or more arms agree on d. With k = 60 and the weights of ADR-001 (vector and lexical 1.0,
graph 1.5) this is the documented baseline; the default weights are measured (docs/MEMORY.md).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

CONVERGENCE_BONUS = 1.10


class Arm(StrEnum):
    """A retrieval method whose ranking is fused."""

    LEXICAL = "lexical"
    VECTOR = "vector"
    CONTEXT = "context"
    GRAPH = "graph"
    TRIGGER = "trigger"


# Arms that are no independent evidence: the words around a turn come from the same search as the words in it.
_SAME_WITNESS = {Arm.CONTEXT: Arm.LEXICAL}


class Fused(NamedTuple):
    """A fused result. `share` is the score relative to the highest that these arms can give, from 0 to 1.

    `share_by_words` is the share that it would have if the vector arm had ranked it like the lexical one.
    """

    num: int
    score: float
    share: float
    share_by_words: float
    ranks: Mapping[Arm, int]


def fuse(
    rankings: Mapping[Arm, Sequence[int]], weights: Mapping[Arm, float], *, k: float = 60
) -> list[Fused]:
    """Fuse `rankings` (best first in each, no memory twice in one) into one, the best first.

    An arm of weight 0 is off. Equal scores keep the order of the memories' numbers, so the result is the same
    every time.
    """
    on = _switched_on(rankings, weights)
    ranks, scores = _added_up(on, weights, k)
    best = best_score(on, weights, k=k)

    def share_by_words(num: int) -> float:
        arm_ranks = ranks[num]
        if Arm.VECTOR in arm_ranks or Arm.VECTOR not in on or Arm.LEXICAL not in arm_ranks:
            return scores[num] / best
        agreed = _witnesses(arm_ranks) > 1
        alone = scores[num] / (CONVERGENCE_BONUS if agreed else 1.0)
        return CONVERGENCE_BONUS * (alone + weights[Arm.VECTOR] / (k + arm_ranks[Arm.LEXICAL])) / best

    return [
        Fused(
            num=num,
            score=scores[num],
            share=scores[num] / best,
            share_by_words=share_by_words(num),
            ranks=ranks[num],
        )
        for num in _best_first(scores)
    ]


def leaders(
    rankings: Mapping[Arm, Sequence[int]], weights: Mapping[Arm, float], *, k: float = 60, limit: int
) -> dict[int, float]:
    """Return the first `limit` results of fuse, best first, each with its share."""
    on = _switched_on(rankings, weights)
    _, scores = _added_up(on, weights, k)
    best = best_score(on, weights, k=k)
    return {num: scores[num] / best for num in _best_first(scores)[:limit]}


def _switched_on(
    rankings: Mapping[Arm, Sequence[int]], weights: Mapping[Arm, float]
) -> dict[Arm, Sequence[int]]:
    return {arm: ranking for arm, ranking in rankings.items() if weights.get(arm, 0.0) > 0}


def _added_up(
    on: Mapping[Arm, Sequence[int]], weights: Mapping[Arm, float], k: float
) -> tuple[dict[int, dict[Arm, int]], dict[int, float]]:
    """Return the ranks and the score of each memory."""
    ranks: dict[int, dict[Arm, int]] = {}
    scores: dict[int, float] = {}
    for arm, ranking in on.items():
        weight = weights[arm]
        for rank, num in enumerate(ranking, start=1):
            ranks.setdefault(num, {})[arm] = rank
            scores[num] = scores.get(num, 0.0) + weight / (k + rank)
    for num, arm_ranks in ranks.items():
        if len(arm_ranks) > 1 and _witnesses(arm_ranks) > 1:
            scores[num] *= CONVERGENCE_BONUS
    return ranks, scores


def _best_first(scores: Mapping[int, float]) -> list[int]:
    return sorted(scores, key=lambda num: (-scores[num], num))


def best_score(arms: Mapping[Arm, object], weights: Mapping[Arm, float], *, k: float = 60) -> float:
    """Return the score of a memory that is first in each of `arms`."""
    bonus = CONVERGENCE_BONUS if _witnesses(arms) > 1 else 1.0
    return bonus * sum(weights[arm] for arm in arms) / (k + 1)


def _witnesses(arms: Mapping[Arm, object]) -> int:
    return len({_SAME_WITNESS.get(arm, arm) for arm in arms})
