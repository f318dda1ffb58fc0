"""Colleagues of an agent, and how well they have worked together."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from frasier.org.people import roster
from frasier.org.staffing import read_affinities
from frasier.store import Tx


@dataclass(frozen=True, slots=True, kw_only=True)
class ColleagueAffinity:
    """The colleague of an agent, with their `affinity` from -1 to 1, computed from `reviews` of one's work by the other
    and from `missions` of both.
    """

    key: str
    name: str
    affinity: float
    reviews: int
    mean_score: float | None
    missions: int


async def read_colleagues(tx: Tx, agent_id: UUID) -> tuple[ColleagueAffinity, ...]:
    """Read whom an agent has worked with, the closest first."""
    people = {one.id: one for one in await roster(tx, active_only=False)}
    met = await read_affinities(tx, agent_id)
    return tuple(
        ColleagueAffinity(
            key=people[one.agent_id].key,
            name=people[one.agent_id].name,
            affinity=round(one.value, 2),
            reviews=one.reviews,
            mean_score=None if one.mean_score is None else round(one.mean_score, 2),
            missions=one.missions,
        )
        for one in sorted(met.values(), key=lambda one: (-one.value, people[one.agent_id].key))
    )
