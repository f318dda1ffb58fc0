"""Affinity: how well two agents have worked together, computed from reviews and shared missions, never stored."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from frasier.org.people import Agent, AgentKind, AgentStatus, Role
from frasier.store import Statements, Tx

_sql = Statements("frasier.org.staffing")

_GOOD = 3.0
_SCORE_SPAN = 2.0
_MISSION_WEIGHT = 0.25
_DOUBT = 3.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Affinity:
    """The meetings of two agents: reviews of one's work by the other with their mean score, and missions that
    both had steps in and that were completed.
    """

    agent_id: UUID
    reviews: int
    mean_score: float | None
    missions: int

    @property
    def value(self) -> float:
        """From -1 to 1; 0 for strangers. Few meetings count little."""
        scored = 0.0 if self.mean_score is None else (self.mean_score - _GOOD) / _SCORE_SPAN * self.reviews
        met = self.reviews + _MISSION_WEIGHT * self.missions
        return (scored + _MISSION_WEIGHT * self.missions) / (met + _DOUBT)


async def read_affinities(tx: Tx, agent_id: UUID) -> dict[UUID, Affinity]:
    """Return the affinity of an agent to each one that it has worked with."""
    rows = await _sql.all(tx, "affinities_of", agent_ids=[agent_id])
    return {row["other"]: _affinity(row) for row in rows}


async def read_all_affinities(tx: Tx) -> dict[UUID, dict[UUID, Affinity]]:
    """Return the affinities of all agents who have worked with somebody."""
    affinities: dict[UUID, dict[UUID, Affinity]] = {}
    for row in await _sql.all(tx, "affinities_of", agent_ids=None):
        affinities.setdefault(row["agent"], {})[row["other"]] = _affinity(row)
    return affinities


def affinity_to_team(
    affinities: Mapping[UUID, Mapping[UUID, Affinity]], team: Collection[UUID]
) -> dict[UUID, float]:
    """Return the mean affinity of each agent to those of `team`, for ties in the choice of who joins them. Pure."""
    if not team:
        return {}
    return {
        agent: sum(others[one].value for one in team if one in others) / len(team)
        for agent, others in affinities.items()
    }


def choose_mentor(
    author: Agent, role: Role, agents: Sequence[Agent], affinities: Mapping[UUID, Affinity]
) -> Agent | None:
    """Choose who mentors an author: a colleague of the role of the work, else of the author's team, else the chief of
    staff; of these whoever works best with the author. Pure.
    """
    others = [agent for agent in agents if agent.id != author.id and agent.status is AgentStatus.ACTIVE]
    groups = (
        [agent for agent in others if agent.role is role],
        [agent for agent in others if author.team is not None and agent.team == author.team],
        [agent for agent in others if agent.kind is AgentKind.CHIEF_OF_STAFF],
    )
    for group in groups:
        if group:
            return min(
                group,
                key=lambda agent: (
                    -(affinities[agent.id].value if agent.id in affinities else 0.0),
                    agent.key,
                ),
            )
    return None


def _affinity(row: Mapping[str, object]) -> Affinity:
    mean = row["mean_score"]
    return Affinity(
        agent_id=UUID(str(row["other"])),
        reviews=int(str(row["reviews"])),
        mean_score=None if mean is None else float(str(mean)),
        missions=int(str(row["missions"])),
    )
