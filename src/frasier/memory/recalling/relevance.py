"""Relevance: how well each candidate matches, from 0 to 1, from all that the arms and the token states say. Pure.

A memory whose vector is still to be made is judged by the witnesses that there are: where none can say anything of it,
that is no word against it.

Each kind of memory has a profile. The turns of a conversation are short and mean little by themselves: there the
token states decide, read together with the turns around. Prose says enough to be told apart by its words and by
its vector, and the token states are one witness of three.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from frasier.memory.recalling.candidates import Features, Pool
from frasier.memory.types import MemoryKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """How much each witness says about a kind of memory. Measured: see docs/MEMORY.md."""

    lexical: float
    vector: float
    late: float


TURNS = Profile(lexical=0.05, vector=0.1, late=1.0)
PROSE = Profile(lexical=1.0, vector=1.0, late=1.0)

_TRIGGERED = 0.75
"""What a phrase that its author declared is worth at least."""


def profile_of(kind: MemoryKind) -> Profile:
    """How a memory of that kind is judged."""
    return TURNS if kind is MemoryKind.CONVERSATION else PROSE


def relevance(pool: Pool, late: Mapping[int, float] | None) -> dict[int, float]:
    """The relevance of each candidate. Without `late` scores it is the share of the fused score."""
    matched = _shares(pool) if late is None else _mixed(pool, late)
    best = max(matched.values(), default=0.0)
    return {num: _raised(num, matched[num], pool, best) for num in matched}


def _shares(pool: Pool) -> dict[int, float]:
    return {
        one.num: one.share_by_words if pool.features[one.num].without_vector else one.share
        for one in pool.fused
    }


def _mixed(pool: Pool, late: Mapping[int, float]) -> dict[int, float]:
    nums = [one.num for one in pool.fused]
    words = _scaled(nums, pool.words.scores)
    cosines = _scaled(nums, pool.cosines)
    states = _scaled(nums, late)
    mixed: dict[int, float] = {}
    for num in nums:
        features: Features = pool.features[num]
        profile = profile_of(features.standing.kind)
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
    """The scores of those that have one, stretched over 0 to 1."""
    held = {num: scores[num] for num in nums if num in scores}
    if not held:
        return {}
    least, most = min(held.values()), max(held.values())
    if most - least < 1e-9:
        return dict.fromkeys(held, 1.0)
    return {num: (score - least) / (most - least) for num, score in held.items()}


def _raised(num: int, matched: float, pool: Pool, best: float) -> float:
    """What a link or a phrase vouches for counts even where the words do not match."""
    linked = best * pool.inherited.get(num, 0.0)
    called = _TRIGGERED if num in pool.triggered else 0.0
    return max(matched, linked, called)
