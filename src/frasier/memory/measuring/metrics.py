"""How good a ranking is, given what was relevant. Pure; the usual definitions."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True, kw_only=True)
class Quality:
    """Each from 0 to 1.

    nDCG with gain = grade and discount log2(rank + 1); recall = relevant found / relevant there are; any and all
    = whether one, whether every relevant document is among the first ten; MRR = 1 / rank of the first one, 0 where
    none is among the first ten.
    """

    ndcg_10: float
    recall_5: float
    recall_10: float
    any_10: float
    all_10: float
    mrr: float


def quality(ranking: Sequence[str], relevant: Mapping[str, int]) -> Quality:
    """The quality of one ranking, best first; only its first ten count."""
    found = [doc in relevant for doc in ranking[:10]]
    gains = [float(relevant.get(doc, 0)) for doc in ranking[:10]]
    ideal = sorted(map(float, relevant.values()), reverse=True)[:10]
    hits = sum(found)
    return Quality(
        ndcg_10=_dcg(gains) / _dcg(ideal),
        recall_5=sum(found[:5]) / len(relevant),
        recall_10=hits / len(relevant),
        any_10=float(hits > 0),
        all_10=float(hits == len(relevant)),
        mrr=next((1 / rank for rank, hit in enumerate(found, 1) if hit), 0.0),
    )


def mean(qualities: Sequence[Quality]) -> Quality:
    """The mean of each measure over at least one ranking."""
    return Quality(
        **{
            measure.name: sum(getattr(one, measure.name) for one in qualities) / len(qualities)
            for measure in fields(Quality)
        }
    )


def percentile(values: Sequence[float], share: float) -> float:
    """The value that `share` of the values do not pass (nearest rank); 0 for none."""
    ordered = sorted(values)
    return ordered[max(math.ceil(share * len(ordered)) - 1, 0)] if ordered else 0.0


def _dcg(gains: Sequence[float]) -> float:
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, 1))
