"""The ranking boost: one factor on a memory's score for its own properties, besides its relevance. Pure.

    boost = R · U · A · P · C

R  retrievability, 0 to 1                       (1 where the memory does not fade)
U  min(1.006, 1 + 0.002 · number of uses)       (cited, validated or fetched whole; being recalled is no use)
A  tier · (1 + 0.05 · (importance − 5))         (1 for an ordinary memory)
P  1.2 if the query names it, by its title, a trigger, its kind or its type; else 1
C  1.004 if it was cited within 7 days, falling to 1 at 90 days; mere access does not count

U and C are small because use is weak evidence: a wrong memory that is shown is used too, and use must not outrank
relevance. With the votes on a memory (see recalling/ranking.py) they stay below 62/61, the lead of an arm's first place
over its second: use decides between equals. Measured, see docs/MEMORY.md.

The product is not capped at 1 for ranking, or all good memories would tie. The boost of a part of a document is 1, that
of a deprecated memory 0.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from frasier.memory.forgetting.retrievability import elapsed
from frasier.memory.forgetting.usage_stats import UsageStats
from frasier.memory.importance_boost import importance_boost
from frasier.memory.settings import ScoringSettings
from frasier.memory.types import ImportanceTier, MemoryKind

USAGE_MAX = 1.006
PATTERN_FACTOR = 1.2
CITATION_MAX = 1.004

_USAGE_STEP = 0.002
_CITED_FULLY_DAYS = 7.0
_CITED_UNTIL_DAYS = 90.0


class RankingBoost(NamedTuple):
    """The ranking boost of a memory: `value` is the product of the five factors."""

    retrievability: float = 1.0
    usage: float = 1.0
    importance: float = 1.0
    pattern: float = 1.0
    citation: float = 1.0

    @property
    def value(self) -> float:
        """The factor on a score. May be above 1."""
        return self.retrievability * self.usage * self.importance * self.pattern * self.citation

    @property
    def shown(self) -> float:
        """The factor for display: never above 1."""
        return min(1.0, self.value)


_WITHOUT_WORTH = RankingBoost()
_EXCLUDED = RankingBoost(importance=0.0)
_ALL_FACTORS = ScoringSettings()


def ranking_boost(
    usage_stats: UsageStats,
    *,
    pattern: bool = False,
    factors: ScoringSettings = _ALL_FACTORS,
    retained: float | None = None,
) -> RankingBoost:
    """Return the ranking boost of a memory; `pattern` is whether the query names it (see QueryPattern).

    `retained` is its retrievability, if the caller has it.
    """
    if usage_stats.tier is ImportanceTier.DEPRECATED:
        return _EXCLUDED
    if usage_stats.kind is MemoryKind.PASSAGE:
        return _WITHOUT_WORTH
    return RankingBoost(
        retrievability=(usage_stats.retrievability if retained is None else retained)
        if factors.decay
        else 1.0,
        usage=usage_factor(usage_stats.use_count) if factors.usage else 1.0,
        importance=importance_boost(usage_stats.kind, usage_stats.tier, usage_stats.importance)
        if factors.importance
        else 1.0,
        pattern=PATTERN_FACTOR if pattern and factors.pattern else 1.0,
        citation=citation_factor(usage_stats.cited_days) if factors.citation else 1.0,
    )


def usage_factor(use_count: int) -> float:
    """Return the usage factor: 1 for a memory that was never used, up to 1.006 from the third use on."""
    return min(USAGE_MAX, 1 + _USAGE_STEP * max(0, use_count))


def citation_factor(cited_days: float | None) -> float:
    """Return 1.004 up to 7 days after a citation, falling linearly to 1 at 90 days; 1 if never cited."""
    if cited_days is None or math.isnan(cited_days):
        return 1.0
    left = (_CITED_UNTIL_DAYS - elapsed(cited_days)) / (_CITED_UNTIL_DAYS - _CITED_FULLY_DAYS)
    return 1 + (CITATION_MAX - 1) * min(1.0, max(0.0, left))
