"""The importance boost: one factor on a memory's score, in a lexical recall its only one besides BM25.

    factor = tier factor · (1 + 0.05 · (importance − 5))

so an ordinary memory has 1.0, the smallest and the largest are about a factor of three apart, and a match that
is three times better always wins. Passages of documents have no importance of their own: their factor is 1.
"""

from __future__ import annotations

from frasier.memory.types import ImportanceTier, MemoryKind

IMPORTANCE_MIN = 1
IMPORTANCE_MAX = 10
_NEUTRAL = 5
_STEP = 0.05

_TIER_FACTORS = {
    ImportanceTier.CONSTITUTIONAL: 1.5,
    ImportanceTier.CRITICAL: 1.5,
    ImportanceTier.IMPORTANT: 1.2,
    ImportanceTier.NORMAL: 1.0,
    ImportanceTier.TEMPORARY: 0.8,
    ImportanceTier.DEPRECATED: 0.0,
}


def importance_boost(kind: MemoryKind, tier: ImportanceTier, importance: int) -> float:
    """Return the factor on the score of a memory of that kind, tier and importance (1 to 10)."""
    if kind is MemoryKind.PASSAGE:
        return 1.0
    return _TIER_FACTORS[tier] * (1 + _STEP * (importance - _NEUTRAL))
