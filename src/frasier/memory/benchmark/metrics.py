"""Ranking metrics in their usual definitions: nDCG, recall and MRR. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True, kw_only=True)
class Quality:
    """The metrics of a ranking, each from 0 to 1.

    nDCG with gain = grade and discount log2(rank + 1); recall = relevant documents found / all relevant documents;
    any and all = whether one or every relevant document is in the top ten; MRR = 1 / rank of the first relevant
    document, 0 if none is in the top ten.
    """

    ndcg_10: float
    recall_5: float
    recall_10: float
    any_10: float
    all_10: float
    mrr: float


def quality(ranking: Sequence[str], relevant: Mapping[str, int]) -> Quality:
    """The metrics of one ranking, best first; only its first ten documents count."""
    relevance = [doc in relevant for doc in ranking[:10]]
    gains = [float(relevant.get(doc, 0)) for doc in ranking[:10]]
    ideal = sorted(map(float, relevant.values()), reverse=True)[:10]
    hits = sum(relevance)
    return Quality(
        ndcg_10=_dcg(gains) / _dcg(ideal),
        recall_5=sum(relevance[:5]) / len(relevant),
        recall_10=hits / len(relevant),
        any_10=float(hits > 0),
        all_10=float(hits == len(relevant)),
        mrr=next((1 / rank for rank, hit in enumerate(relevance, 1) if hit), 0.0),
    )


def mean(qualities: Sequence[Quality]) -> Quality:
    """The mean of each metric over at least one ranking."""
    return Quality(
        **{
            metric.name: sum(getattr(each, metric.name) for each in qualities) / len(qualities)
            for metric in fields(Quality)
        }
    )


def percentile(values: Sequence[float], share: float) -> float:
    """The nearest-rank percentile: the value that `share` (0 to 1) of the values do not exceed; 0 without values."""
    ordered = sorted(values)
    return ordered[max(math.ceil(share * len(ordered)) - 1, 0)] if ordered else 0.0


def _dcg(gains: Sequence[float]) -> float:
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, 1))
