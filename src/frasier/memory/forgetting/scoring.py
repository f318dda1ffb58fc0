"""How much a memory's worth counts beside how well it matches: one factor on its score. Pure.

    worth = R · U · A · P · C

R  retrievability, 0 to 1                       (1 where the memory does not fade)
U  min(1.006, 1 + 0.002 · how often it was used: cited, validated or fetched whole; being recalled is no use)
A  tier · (1 + 0.05 · (importance − 5))         (1 for an ordinary memory)
P  1.2 where the query names it, by its title, a trigger or its sort; else 1
C  1.004 where it was cited within 7 days, falling to 1 at 90 days; citing only, never mere access

U and C are small because use is a poor witness: who is shown a wrong memory uses it too, and what is used must not push
out what answers. With the votes on a memory (see recalling/ranking.py) they stay below 62/61, by which the first place
of an arm is ahead of its second: use decides between equals. Measured, see docs/MEMORY.md.

The product is ranked as it is: cut at 1, all good memories would tie. A part of a document has no worth of its
own: it counts 1. A deprecated memory counts 0.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

from frasier.memory.forgetting.retrievability import elapsed
from frasier.memory.forgetting.standing import Standing
from frasier.memory.types import ImportanceTier, MemoryKind

USAGE_MAX = 1.006
PATTERN_FACTOR = 1.2
CITATION_MAX = 1.004

_USAGE_STEP = 0.002
_IMPORTANCE_STEP = 0.05
_NEUTRAL_IMPORTANCE = 5
_CITED_FULLY_DAYS = 7.0
_CITED_UNTIL_DAYS = 90.0

_TIER_FACTORS = {
    ImportanceTier.CONSTITUTIONAL: 1.5,
    ImportanceTier.CRITICAL: 1.5,
    ImportanceTier.IMPORTANT: 1.2,
    ImportanceTier.NORMAL: 1.0,
    ImportanceTier.TEMPORARY: 0.8,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Factors:
    """Which factors count. One that is off is 1 for every memory."""

    decay: bool = True
    usage: bool = True
    importance: bool = True
    pattern: bool = True
    citation: bool = True


ALL_FACTORS = Factors()


class Worth(NamedTuple):
    """Why a memory counts as much as it does: `value` is the product of the five factors."""

    retrievability: float = 1.0
    usage: float = 1.0
    importance: float = 1.0
    pattern: float = 1.0
    citation: float = 1.0

    @property
    def value(self) -> float:
        """What a score is multiplied with. May be above 1."""
        return self.retrievability * self.usage * self.importance * self.pattern * self.citation

    @property
    def shown(self) -> float:
        """The same for people: never above 1."""
        return min(1.0, self.value)


_WITHOUT_WORTH = Worth()
_EXCLUDED = Worth(importance=0.0)


def worth_of(
    standing: Standing,
    *,
    pattern: bool = False,
    factors: Factors = ALL_FACTORS,
    retained: float | None = None,
) -> Worth:
    """The worth of a memory; `pattern` tells whether the query names it (see QueryPattern).

    `retained` is its retrievability, where the caller has it.
    """
    if standing.tier is ImportanceTier.DEPRECATED:
        return _EXCLUDED
    if standing.kind is MemoryKind.PASSAGE:
        return _WITHOUT_WORTH
    return Worth(
        retrievability=(standing.retrievability if retained is None else retained) if factors.decay else 1.0,
        usage=usage_factor(standing.use_count) if factors.usage else 1.0,
        importance=importance_factor(standing.tier, standing.importance) if factors.importance else 1.0,
        pattern=PATTERN_FACTOR if pattern and factors.pattern else 1.0,
        citation=citation_factor(standing.cited_days) if factors.citation else 1.0,
    )


def usage_factor(use_count: int) -> float:
    """1 where a memory was never used, up to 1.006 from the third time on."""
    return min(USAGE_MAX, 1 + _USAGE_STEP * max(0, use_count))


def importance_factor(tier: ImportanceTier, importance: int) -> float:
    """The tier's factor, a little more or less by the importance of 1 to 10 that the author gave."""
    return _TIER_FACTORS[tier] * (1 + _IMPORTANCE_STEP * (importance - _NEUTRAL_IMPORTANCE))


def citation_factor(cited_days: float | None) -> float:
    """1.004 up to 7 days after a citation, from there in a straight line to 1 at 90 days; 1 where never cited."""
    if cited_days is None or math.isnan(cited_days):
        return 1.0
    left = (_CITED_UNTIL_DAYS - elapsed(cited_days)) / (_CITED_UNTIL_DAYS - _CITED_FULLY_DAYS)
    return 1 + (CITATION_MAX - 1) * min(1.0, max(0.0, left))
