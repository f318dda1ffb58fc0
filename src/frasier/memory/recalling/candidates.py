"""Gathering: everything that some arm holds for a match, with what ranking needs to know of it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple
from uuid import UUID

from frasier.memory.expansion import Expansion
from frasier.memory.forgetting import Standing, standing_of
from frasier.memory.graph import graph_neighbours
from frasier.memory.lexical import WordHits
from frasier.memory.recalling.by_words import ByWords
from frasier.memory.recalling.fusion import Arm, Fused, fuse
from frasier.memory.recalling.request import Sought
from frasier.memory.settings import FusionSettings
from frasier.store import Statements, Tx

if TYPE_CHECKING:
    from frasier.memory.vectors import VectorHit

_sql = Statements("frasier.memory.recalling")

# How far around a turn is looked, and from how many of the best candidates.
REACH = 3
_LOOKED_AROUND = 60
_BESIDE_SHARE = 0.5
_GRAPH_SEEDS = 10

# The arms whose first ones are looked at closely wherever the others rank them.
_VOUCHING = (Arm.TRIGGER, Arm.GRAPH)
_VOUCHED = 20
_FAR = _VOUCHED + 1


class Features(NamedTuple):
    """What a candidate is like."""

    num: int
    id: UUID
    title: str
    triggers: tuple[str, ...]
    speaker: str | None
    thread: str | None
    confidence: float
    standing: Standing


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """The candidates. `words` and `cosines` are the arms' own scores, `inherited` what a link to a hit is worth
    (0 to 1). `beside` gives for a candidate in a thread those around it with their distance.
    """

    fused: list[Fused]
    features: Mapping[int, Features]
    words: WordHits
    cosines: Mapping[int, float]
    inherited: Mapping[int, float]
    triggered: Mapping[int, tuple[str, ...]]
    beside: Mapping[int, Mapping[int, int]]
    expansion: Expansion | None
    states: Mapping[int, list[bytes]] = field(default_factory=dict)


async def gather(
    tx: Tx,
    sought: Sought,
    found: ByWords,
    vector_hits: Iterable[VectorHit],
    settings: FusionSettings,
    *,
    space_id: int | None,
    all_of_them: bool = False,
) -> Pool:
    """What the arms found, and those that look from there: context and graph. `space_id` names the space of token
    states.

    `all_of_them` looks at everything that was found, for a caller that narrows it afterwards.
    """
    words, triggered = found.words, found.triggered
    cosines = {hit.memory_num: hit.similarity for hit in vector_hits}
    rankings: dict[Arm, list[int]] = {
        Arm.LEXICAL: list(words.scores),
        Arm.VECTOR: list(cosines),
        Arm.TRIGGER: list(triggered),
    }
    weights = arm_weights(settings)
    seeds = fuse(rankings, weights, k=settings.k)
    beside: dict[int, dict[int, int]] = {}
    if settings.context > 0:
        beside = await _around(tx, [one.num for one in seeds[:_LOOKED_AROUND]])
        rankings[Arm.CONTEXT] = _by_context(words.scores, beside)
    inherited: dict[int, float] = {}
    if settings.graph > 0 and seeds:
        neighbours = await graph_neighbours(
            tx,
            {one.num: one.share for one in seeds[:_GRAPH_SEEDS]},
            scopes=sought.scopes,
            kinds=sought.kinds,
            limit=settings.pool,
        )
        inherited = {hit.memory_num: hit.score for hit in neighbours}
        rankings[Arm.GRAPH] = list(inherited)
    fused = fuse(rankings, weights, k=settings.k)
    if not all_of_them:
        fused = _head(fused, settings.candidates)
    features = await _features(tx, sought, [one.num for one in fused])
    fused = [one for one in fused if one.num in features]
    states: dict[int, list[bytes]] = {}
    if space_id is not None:
        head = [one.num for one in fused]
        beside = await _around(tx, [num for num in head if features[num].thread is not None])
        states = await _states(tx, {*head, *(num for around in beside.values() for num in around)}, space_id)
    return Pool(
        fused=fused,
        features=features,
        words=words,
        cosines=cosines,
        inherited=inherited,
        triggered=triggered,
        beside=beside,
        expansion=found.expansion,
        states=states,
    )


def _head(fused: list[Fused], candidates: int) -> list[Fused]:
    """As many as are looked at closely, and what a phrase or a link vouches for, however few words it shares."""
    vouched = (
        one for one in fused[candidates:] if any(one.ranks.get(arm, _FAR) <= _VOUCHED for arm in _VOUCHING)
    )
    return [*fused[:candidates], *vouched]


def arm_weights(settings: FusionSettings) -> dict[Arm, float]:
    """The weight of each arm as the settings say."""
    return {
        Arm.LEXICAL: settings.lexical,
        Arm.VECTOR: settings.vector,
        Arm.CONTEXT: settings.context,
        Arm.GRAPH: settings.graph,
        Arm.TRIGGER: settings.trigger,
    }


async def newest(tx: Tx, sought: Sought, *, limit: int) -> Pool:
    """What was saved or used last, for a question without words."""
    rows = await _sql.all(
        tx,
        "newest_candidates",
        scopes=list(sought.scopes),
        kinds=sorted(sought.kinds),
        agent_id=sought.agent_id,
        limit=limit,
    )
    features = await _features(tx, sought, [row["num"] for row in rows])
    fused = [Fused(num=row["num"], score=1.0, share=1.0, ranks={}) for row in rows if row["num"] in features]
    return Pool(
        fused=fused,
        features=features,
        words=WordHits(scores={}, keys=()),
        cosines={},
        inherited={},
        triggered={},
        beside={},
        expansion=None,
    )


async def _around(tx: Tx, nums: Collection[int]) -> dict[int, dict[int, int]]:
    if not nums:
        return {}
    around: dict[int, dict[int, int]] = {}
    for row in await _sql.all(tx, "threads_around", nums=list(nums), reach=REACH):
        around.setdefault(row["num"], {})[row["beside"]] = row["distance"]
    return around


def _by_context(scores: Mapping[int, float], beside: Mapping[int, Mapping[int, int]]) -> list[int]:
    """Turns by their own words and, for half, those of the best turn next to them."""
    turns = set(beside) | {num for around in beside.values() for num in around}
    nearby: dict[int, float] = dict.fromkeys(turns, 0.0)
    for num, around in beside.items():
        for other, distance in around.items():
            if distance == 1:
                nearby[num] = max(nearby[num], scores.get(other, 0.0))
                nearby[other] = max(nearby[other], scores.get(num, 0.0))
    total = {num: scores.get(num, 0.0) + _BESIDE_SHARE * near for num, near in nearby.items()}
    return sorted((num for num in total if total[num] > 0), key=lambda num: (-total[num], num))


async def _features(tx: Tx, sought: Sought, nums: list[int]) -> dict[int, Features]:
    asked = {
        "nums": nums,
        "scopes": list(sought.scopes),
        "kinds": sorted(sought.kinds),
        "agent_id": sought.agent_id,
        "as_of": sought.as_of,
    }
    # As PostgreSQL keeps the values: reading a hundred rows of text takes twice as long.
    cursor = await tx.execute(_sql.by_name["candidate_features"], asked, binary=True)
    return {
        row["num"]: Features(
            num=row["num"],
            id=row["id"],
            title=row["title"],
            triggers=tuple(row["triggers"]),
            speaker=row["speaker"],
            thread=row["thread"],
            confidence=0.5 if row["confidence"] is None else row["confidence"],
            standing=standing_of(row),
        )
        for row in await cursor.fetchall()
    }


async def _states(tx: Tx, nums: Collection[int], space_id: int) -> dict[int, list[bytes]]:
    from frasier.memory.vectors import states_of  # loads numpy

    return await states_of(tx, space_id, nums)
