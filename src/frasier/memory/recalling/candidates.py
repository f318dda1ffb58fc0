"""A close look at the best of what was found: everything that scoring needs to know of each."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from uuid import UUID

from psycopg.rows import tuple_row

from frasier.memory.expansion import Expansion
from frasier.memory.forgetting import Standing
from frasier.memory.lexical import WordHits
from frasier.memory.recalling.fusion import Arm, Fused
from frasier.memory.recalling.joining import Joined
from frasier.memory.recalling.request import Sought
from frasier.memory.recalling.threads import around
from frasier.memory.types import ImportanceTier, MemoryKind, MemoryType
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.recalling")

# The arms whose first ones are looked at closely wherever the others rank them.
_VOUCHING = (Arm.TRIGGER, Arm.GRAPH)
_VOUCHED = 20
_FAR = _VOUCHED + 1


class Features(NamedTuple):
    """What a candidate is like. `without_vector` where its vector is still to be made."""

    num: int
    id: UUID
    title: str
    triggers: tuple[str, ...]
    speaker: str | None
    thread: str | None
    confidence: float
    without_vector: bool
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


async def look_closely(
    tx: Tx,
    sought: Sought,
    joined: Joined,
    *,
    candidates: int | None,
    space_id: int | None,
    states_compared: bool,
) -> Pool:
    """The best `candidates`, or all where that is None. `space_id` names the space that the vector arm searched, if it
    did.
    """
    fused = joined.fused if candidates is None else _head(joined.fused, candidates)
    features = await _features(tx, sought, [one.num for one in fused], space_id)
    fused = [one for one in fused if one.num in features]
    beside: Mapping[int, Mapping[int, int]] = {}
    states: dict[int, list[bytes]] = {}
    if states_compared and space_id is not None:
        head = [one.num for one in fused]
        beside = await around(tx, [num for num in head if features[num].thread is not None])
        states = await _states(tx, {*head, *(num for near in beside.values() for num in near)}, space_id)
    return Pool(
        fused=fused,
        features=features,
        words=joined.found.words,
        cosines=joined.cosines,
        inherited=joined.inherited,
        triggered=joined.found.triggered,
        beside=beside,
        expansion=joined.found.expansion,
        states=states,
    )


def _head(fused: list[Fused], candidates: int) -> list[Fused]:
    """As many as are looked at closely, and what a phrase or a link vouches for, however few words it shares."""
    vouched = (
        one for one in fused[candidates:] if any(one.ranks.get(arm, _FAR) <= _VOUCHED for arm in _VOUCHING)
    )
    return [*fused[:candidates], *vouched]


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
    features = await _features(tx, sought, [row["num"] for row in rows], None)
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


async def _features(tx: Tx, sought: Sought, nums: list[int], space_id: int | None) -> dict[int, Features]:
    asked = {
        "space": space_id,
        "nums": nums,
        "scopes": list(sought.scopes),
        "kinds": sorted(sought.kinds),
        "agent_id": sought.agent_id,
        "as_of": sought.as_of,
    }
    cursor = tx.cursor(row_factory=tuple_row)
    # As PostgreSQL keeps the values: reading a hundred rows of text takes twice as long.
    await cursor.execute(_sql.by_name["candidate_features"], asked, binary=True)
    return {row[0]: _read(*row) for row in await cursor.fetchall()}


def _read(
    num: int,
    id: UUID,  # noqa: A002 - the column's name
    title: str,
    triggers: Sequence[str],
    speaker: str | None,
    thread: str | None,
    confidence: float,
    without_vector: bool,
    kind: str,
    tier: str,
    memory_type: str,
    *rest: Any,
) -> Features:
    standing = Standing(MemoryKind(kind), ImportanceTier(tier), MemoryType(memory_type), *rest)
    return Features(num, id, title, tuple(triggers), speaker, thread, confidence, without_vector, standing)


async def _states(tx: Tx, nums: Collection[int], space_id: int) -> dict[int, list[bytes]]:
    from frasier.memory.vectors import states_of  # loads numpy

    return await states_of(tx, space_id, nums)
