"""Relevance of each candidate, from 0 to 1, combined from the arms and the token states. Pure.

A memory whose vector is still to be made is judged by the other signals; the missing one does not count against it.

Each kind of memory has a profile. The turns of a conversation are short and mean little by themselves: there the token
states decide, together with the turns around. Prose is long enough to be distinguished by its words and its vector, and
the token states are one signal of three.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from frasier.memory.recall.candidates import Features, Pool
from frasier.memory.types import MemoryKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """The weight of each signal for a kind of memory. Measured: see docs/MEMORY.md."""

    lexical: float
    vector: float
    late: float


TURNS = Profile(lexical=0.05, vector=0.1, late=1.0)
PROSE = Profile(lexical=1.0, vector=1.0, late=1.0)

_TRIGGERED = 0.75
"""The minimum relevance of a memory with a matching trigger phrase."""


def profile_of(kind: MemoryKind) -> Profile:
    """Return the profile for memories of that kind."""
    return TURNS if kind is MemoryKind.CONVERSATION else PROSE


def relevance(pool: Pool, late: Mapping[int, float] | None) -> dict[int, float]:
    """Return the relevance of each candidate. Without `late` scores it is the share of the fused score."""
    matched = _shares(pool) if late is None else _mixed(pool, late)
    best = max(matched.values(), default=0.0)
    return {num: _raised(num, matched[num], pool, best) for num in matched}


def _shares(pool: Pool) -> dict[int, float]:
    return {
        match.num: match.share_by_words if pool.features[match.num].without_vector else match.share
        for match in pool.fused
    }


def _mixed(pool: Pool, late: Mapping[int, float]) -> dict[int, float]:
    nums = [match.num for match in pool.fused]
    words = _scaled(nums, pool.words.scores)
    cosines = _scaled(nums, pool.cosines)
    states = _scaled(nums, late)
    mixed: dict[int, float] = {}
    for num in nums:
        features: Features = pool.features[num]
        profile = profile_of(features.usage_stats.kind)
        witnesses = [(profile.lexical, words.get(num, 0.0))]
        if not features.without_vector:
            witnesses.append((profile.vector, cosines.get(num, 0.0)))
        if num in states:
            witnesses.append((profile.late, states[num]))
        mixed[num] = sum(weight * score for weight, score in witnesses) / sum(
            weight for weight, _ in witnesses
        )
    return mixed


def _scaled(nums: Iterable[int], scores: Mapping[int, float]) -> dict[int, float]:
    """Scale the existing scores to the range 0 to 1."""
    held = {num: scores[num] for num in nums if num in scores}
    if not held:
        return {}
    lowest, highest = min(held.values()), max(held.values())
    if highest - lowest < 1e-9:
        return dict.fromkeys(held, 1.0)
    return {num: (score - lowest) / (highest - lowest) for num, score in held.items()}


def _raised(num: int, matched: float, pool: Pool, best: float) -> float:
    """Raise the relevance of a linked or triggered memory, even if its words do not match."""
    linked = best * pool.inherited.get(num, 0.0)
    called = _TRIGGERED if num in pool.triggered else 0.0
    return max(matched, linked, called)
