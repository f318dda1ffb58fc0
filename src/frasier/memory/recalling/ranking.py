"""From candidates to a ranking: relevance times worth, frozen from here on. Pure but for the clock of the pool."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from frasier.memory.forgetting import Factors, MemoryState, QueryPattern, Worth, worth_of
from frasier.memory.recalling.candidates import Pool
from frasier.memory.recalling.fusion import Arm
from frasier.memory.recalling.intents import Intent, favour
from frasier.memory.recalling.stopwatch import Stage
from frasier.memory.settings import ScoringSettings
from frasier.memory.strength import INITIAL_CONFIDENCE

# From fresh to archived.
_ORDER = {state: place for place, state in enumerate(MemoryState)}
# What was found wanting loses a fifth at most; what was found useful gains little, as all use does (see forgetting).
_DOUBT_STEP = 0.4
_TRUST_STEP = 0.01


class Candidate(NamedTuple):
    """One place of a ranking. `words` are those of the question that are known to the scopes."""

    num: int
    id: UUID
    title: str
    score: float
    relevance: float
    worth: Worth
    state: MemoryState
    ranks: Mapping[Arm, int]
    triggers: tuple[str, ...]
    inherited: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """The whole ranking, best first, with what the answer tells about how it came about."""

    candidates: tuple[Candidate, ...]
    intent: Intent
    words: frozenset[str]
    guessed: tuple[str, ...]
    arms: Mapping[Arm, int]
    degraded: str
    reranked: bool
    took_ms: Mapping[Stage, float]


def rank(
    pool: Pool,
    relevance: Mapping[int, float],
    *,
    text: str,
    intent: Intent,
    min_state: MemoryState,
    settings: ScoringSettings,
) -> tuple[Candidate, ...]:
    """Every candidate that is not too faded, best first; equal scores in the order of saving, newest first."""
    factors = Factors(
        decay=settings.decay,
        usage=settings.usage,
        importance=settings.importance,
        pattern=settings.pattern,
        citation=settings.citation,
    )
    pattern = QueryPattern.of(text)
    ranked = []
    for one in pool.fused:
        features = pool.features[one.num]
        standing = features.standing
        retained = standing.retrievability
        state = standing.state_at(retained)
        if _ORDER[state] > _ORDER[min_state]:
            continue
        named = one.num in pool.triggered or pattern.names(
            title=features.title,
            triggers=features.triggers,
            kind=standing.kind,
            memory_type=standing.memory_type,
        )
        worth = worth_of(standing, pattern=named, factors=factors, retained=retained)
        purpose = favour(intent, standing.kind) if settings.intent else 1.0
        ranked.append(
            Candidate(
                num=one.num,
                id=features.id,
                title=features.title,
                score=relevance[one.num] * worth.value * purpose * _trust(features.confidence),
                relevance=relevance[one.num],
                worth=worth,
                state=state,
                ranks=one.ranks,
                triggers=pool.triggered.get(one.num, ()),
                inherited=pool.inherited.get(one.num, 0.0),
            )
        )
    return tuple(sorted(ranked, key=lambda candidate: (-candidate.score, -candidate.num)))


def _trust(confidence: float) -> float:
    """0.82 to 1.005; 1 where nobody judged the memory."""
    beyond = confidence - INITIAL_CONFIDENCE
    return 1 + beyond * (_TRUST_STEP if beyond > 0 else _DOUBT_STEP)
