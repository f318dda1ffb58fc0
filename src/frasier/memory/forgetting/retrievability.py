"""Retrievability of a memory over time, and the memories that fade at all. Pure.

    R(t, S) = (1 + c·t/S)^(−1/2),  c = 19/81

with t the days since the memory was last learned (saved, saved again, or reviewed) and S its stability in days.
This is the only temporal term of the engine: no half-life is applied in addition.

Events fade, facts do not: episodes, working notes, intentions and observed habits fade, while declarative, procedural,
semantic, autobiographical and meta-cognitive memories are facts. A fact that no longer holds is superseded or gets an
end of validity, which age alone must not imply. A milestone of the organisation's own history stays true as well, hence
autobiographical memories are facts too. Important, critical and constitutional memories never fade, nor do parts of
documents, the founder's directives and the markers of transitions.
"""

from __future__ import annotations

import math

from frasier.kernel.errors import InvariantBroken
from frasier.memory.strength.half_lives import FORGETTING_RATE
from frasier.memory.types import ImportanceTier, MemoryKind, MemoryType

# Tuples, because every candidate of every recall is tested against them, and enum members hash slowly.
FADING_TYPES = (MemoryType.WORKING, MemoryType.EPISODIC, MemoryType.PROSPECTIVE, MemoryType.IMPLICIT)
FADING_TIERS = (ImportanceTier.NORMAL, ImportanceTier.TEMPORARY)
LASTING_KINDS = (MemoryKind.DIRECTIVE, MemoryKind.MARKER, MemoryKind.PASSAGE)


def fades(kind: MemoryKind, tier: ImportanceTier, memory_type: MemoryType) -> bool:
    """Return whether a memory of that kind, tier and type fades."""
    return memory_type in FADING_TYPES and tier in FADING_TIERS and kind not in LASTING_KINDS


def elapsed(days: float | None) -> float:
    """Return `days` as a duration: 0 if it is unknown, not a number, or negative."""
    return days if days is not None and days > 0 else 0.0


def retrievability(age_days: float | None, stability: float) -> float:
    """Return the probability of retrieval, 0 to 1: 1 at once, 0.9 at t = S, 0.5 at the half-life.

    `stability` is in days and above 0; an infinite one never fades.
    """
    if not stability > 0:
        raise InvariantBroken(f"a stability of {stability} days is not above 0")
    age = elapsed(age_days)
    if math.isinf(stability) or age == 0:
        return 1.0
    return float((1 + FORGETTING_RATE * age / stability) ** -0.5)
