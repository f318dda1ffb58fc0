"""Loading of the candidates: the best matches with everything that scoring needs."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from uuid import UUID

from psycopg.rows import tuple_row

from frasier.memory.expansion.expand import Expansion
from frasier.memory.forgetting.usage_stats import UsageStats
from frasier.memory.graph.types import Relation
from frasier.memory.lexical_search import WordHits
from frasier.memory.recall.fusion import Arm, Fused
from frasier.memory.recall.merge import MergedArms
from frasier.memory.recall.neighbours import neighbours_of
from frasier.memory.recall.request import RecallQuery
from frasier.memory.types import ImportanceTier, MemoryKind, MemoryType
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.recall")

# The arms whose first matches become candidates wherever the other arms rank them.
_VOUCHING = (Arm.TRIGGER, Arm.GRAPH)
_VOUCHED = 20
_FAR = _VOUCHED + 1


class NewerMemory(NamedTuple):
    """The newest of the memories that contradict a candidate, or differ from it; `nums` are all of them.

    `relation` is that of the link between them, and `evidence` what the gate found: the opposites, or what differs.
    """

    nums: tuple[int, ...]
    id: UUID
    relation: Relation
    evidence: str


class Features(NamedTuple):
    """The features of a candidate. `without_vector` if its vector is still to be made."""

    num: int
    id: UUID
    title: str
    triggers: tuple[str, ...]
    speaker: str | None
    thread: str | None
    confidence: float
    without_vector: bool
    newer: NewerMemory | None
    usage_stats: UsageStats


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """The candidates of a recall. `words` and `cosines` are the arms' own scores, `inherited` those of the graph arm.

    The latter are 0 to 1. `beside` maps a candidate in a thread to its neighbours with their distance.
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

    def names_of_people(self) -> frozenset[str]:
        """Return the words of the speakers' names, in lower case."""
        speakers = {features.speaker for features in self.features.values() if features.speaker}
        return frozenset(word for speaker in speakers for word in speaker.casefold().split())


async def load_candidates(
    tx: Tx,
    query: RecallQuery,
    joined: MergedArms,
    *,
    candidates: int | None,
    space_id: int | None,
    states_compared: bool,
) -> Pool:
    """Load the best `candidates`, or all if that is None. `space_id` is the space of the vector arm, None without."""
    fused = joined.fused if candidates is None else _head(joined.fused, candidates)
    features = await _features(tx, query, [match.num for match in fused], space_id)
    fused = [match for match in fused if match.num in features]
    beside: Mapping[int, Mapping[int, int]] = {}
    states: dict[int, list[bytes]] = {}
    if states_compared and space_id is not None:
        head = [match.num for match in fused]
        beside = await neighbours_of(tx, [num for num in head if features[num].thread is not None])
        states = await _states(tx, {*head, *(num for near in beside.values() for num in near)}, space_id)
    return Pool(
        fused=fused,
        features=features,
        words=joined.lexical.words,
        cosines=joined.cosines,
        inherited=joined.inherited,
        triggered=joined.lexical.triggered,
        beside=beside,
        expansion=joined.lexical.expansion,
        states=states,
    )


def _head(fused: list[Fused], candidates: int) -> list[Fused]:
    """Return the best matches, and the first ones of the trigger and graph arms, however few words they share."""
    vouched = (
        match
        for match in fused[candidates:]
        if any(match.ranks.get(arm, _FAR) <= _VOUCHED for arm in _VOUCHING)
    )
    return [*fused[:candidates], *vouched]


async def newest(tx: Tx, query: RecallQuery, *, limit: int) -> Pool:
    """Load the memories saved or used last, for a query without words."""
    rows = await _sql.all(
        tx,
        "newest_candidates",
        scopes=list(query.scopes),
        kinds=sorted(query.kinds),
        agent_id=query.agent_id,
        period=query.period.tstzrange(),
        limit=limit,
    )
    features = await _features(tx, query, [row["num"] for row in rows], None)
    fused = [
        Fused(num=row["num"], score=1.0, share=1.0, share_by_words=1.0, ranks={})
        for row in rows
        if row["num"] in features
    ]
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


async def _features(tx: Tx, query: RecallQuery, nums: list[int], space_id: int | None) -> dict[int, Features]:
    parameters = {
        "space": space_id,
        "nums": nums,
        "scopes": list(query.scopes),
        "kinds": sorted(query.kinds),
        "agent_id": query.agent_id,
        "period": query.period.tstzrange(),
        "as_of": query.as_of,
    }
    cursor = tx.cursor(row_factory=tuple_row)
    # In binary: reading a hundred rows as text takes twice as long.
    await cursor.execute(_sql.by_name["candidate_features"], parameters, binary=True)
    return {row[0]: _features_of_row(*row) for row in await cursor.fetchall()}


def _features_of_row(
    num: int,
    id: UUID,  # noqa: A002 - the column's name
    title: str,
    triggers: Sequence[str],
    speaker: str | None,
    thread: str | None,
    confidence: float,
    without_vector: bool,
    newer_nums: Sequence[int] | None,
    newer_id: UUID,
    newer_relation: str,
    newer_evidence: str,
    kind: str,
    tier: str,
    memory_type: str,
    *rest: Any,
) -> Features:
    usage_stats = UsageStats(MemoryKind(kind), ImportanceTier(tier), MemoryType(memory_type), *rest)
    newer = None
    if newer_nums:
        newer = NewerMemory(tuple(newer_nums), newer_id, Relation(newer_relation), newer_evidence)
    return Features(
        num, id, title, tuple(triggers), speaker, thread, confidence, without_vector, newer, usage_stats
    )


async def _states(tx: Tx, nums: Collection[int], space_id: int) -> dict[int, list[bytes]]:
    from frasier.memory.vectors.states import states_of

    return await states_of(tx, space_id, nums)
