"""Ranking of the candidates: relevance times ranking boost. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from frasier.memory.forgetting.patterns import QueryPattern
from frasier.memory.forgetting.ranking_boost import RankingBoost, ranking_boost
from frasier.memory.forgetting.states import MemoryState
from frasier.memory.recall.candidates import NewerMemory, Pool
from frasier.memory.recall.fusion import Arm
from frasier.memory.recall.intents import Intent, favour
from frasier.memory.recall.stage_timings import Stage
from frasier.memory.settings import ScoringSettings
from frasier.memory.strength.replay import INITIAL_CONFIDENCE

# From fresh to archived.
_ORDER = {state: place for place, state in enumerate(MemoryState)}
# Negative votes cost a fifth at most; positive ones gain little, as all use does (see forgetting).
_DOUBT_STEP = 0.4
_TRUST_STEP = 0.01
# The score of a newer memory compared with that of the one it contradicts. By words, one that lacks a word of the
# question, such as the earlier value, has a lower share; one that is a word longer has a higher one.
_ABOUT_EQUAL = 0.9
_ABOUT_EQUAL_BY_WORDS = 0.85


@dataclass(frozen=True, slots=True)
class Similarity:
    """The similarity of each candidate to the query by itself: a figure that means the same for every query.

    `complete` if every candidate that could be compared was: of the nearest vectors only the nearest were.
    """

    scores: Mapping[int, float]
    complete: bool

    def at_most(self, num: int) -> float | None:
        """Return the similarity of a memory with a vector, or the most that it can be; None if unknown."""
        nearest = None if self.complete else min(self.scores.values(), default=None)
        return self.scores.get(num, nearest)


class RankedMemory(NamedTuple):
    """A memory in a ranking, with its score and the parts of it. `similarity_at_most` bounds one that is not known."""

    num: int
    id: UUID
    title: str
    score: float
    relevance: float
    boost: RankingBoost
    state: MemoryState
    ranks: Mapping[Arm, int]
    triggers: tuple[str, ...]
    inherited: float
    cosine: float | None
    similarity: float | None
    similarity_at_most: float | None
    newer: NewerMemory | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """The whole ranking, best first, with details for the answer.

    `words` are the query words known to the scopes, `unknown_words` those that say something and are not.
    """

    candidates: tuple[RankedMemory, ...]
    intent: Intent
    words: frozenset[str]
    unknown_words: tuple[str, ...]
    guessed: tuple[str, ...]
    arms: Mapping[Arm, int]
    degraded: str
    reranked: bool
    took_ms: Mapping[Stage, float]


def rank(
    pool: Pool,
    relevance: Mapping[int, float],
    similarity: Similarity,
    *,
    text: str,
    intent: Intent,
    min_state: MemoryState,
    settings: ScoringSettings,
) -> tuple[RankedMemory, ...]:
    """Rank every candidate that is not too faded, best first; equal scores in the order of saving, newest first.

    Of two that contradict each other or differ in a value, the newer one comes first if both match about equally well.
    """
    pattern = QueryPattern.of(text)
    ranked = []
    for match in pool.fused:
        features = pool.features[match.num]
        usage_stats = features.usage_stats
        retained = usage_stats.retrievability
        state = usage_stats.state_at(retained)
        if _ORDER[state] > _ORDER[min_state]:
            continue
        named = match.num in pool.triggered or pattern.names(
            title=features.title,
            triggers=features.triggers,
            kind=usage_stats.kind,
            memory_type=usage_stats.memory_type,
        )
        boost = ranking_boost(usage_stats, pattern=named, factors=settings, retained=retained)
        purpose = favour(intent, usage_stats.kind) if settings.intent else 1.0
        ranked.append(
            RankedMemory(
                num=match.num,
                id=features.id,
                title=features.title,
                score=relevance[match.num] * boost.value * purpose * _trust(features.confidence),
                relevance=relevance[match.num],
                boost=boost,
                state=state,
                ranks=match.ranks,
                triggers=pool.triggered.get(match.num, ()),
                inherited=pool.inherited.get(match.num, 0.0),
                cosine=pool.cosines.get(match.num),
                similarity=similarity.scores.get(match.num),
                similarity_at_most=None if features.without_vector else similarity.at_most(match.num),
                newer=features.newer,
            )
        )
    _put_newer_first(ranked, pool.words.scores)
    return tuple(sorted(ranked, key=lambda candidate: (-candidate.score, -candidate.num)))


def _put_newer_first(ranked: list[RankedMemory], words: Mapping[int, float]) -> None:
    """Give a newer memory the score of an older one that it contradicts, unless the older one matches better."""
    ranked.sort(key=lambda candidate: candidate.num)
    places = {candidate.num: place for place, candidate in enumerate(ranked)}
    for older in ranked:
        for num in older.newer.nums if older.newer else ():
            if num not in places:
                continue
            newer = ranked[places[num]]
            about_equal = newer.score >= _ABOUT_EQUAL * older.score and words.get(
                num, 0.0
            ) >= _ABOUT_EQUAL_BY_WORDS * words.get(older.num, 0.0)
            if about_equal and newer.score < older.score:
                ranked[places[num]] = newer._replace(score=older.score)


def _trust(confidence: float) -> float:
    """Return the factor of a memory's confidence, 0.82 to 1.005; 1 if nobody judged the memory."""
    beyond = confidence - INITIAL_CONFIDENCE
    return 1 + beyond * (_TRUST_STEP if beyond > 0 else _DOUBT_STEP)
