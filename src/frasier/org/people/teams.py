"""Teams: where agents belong; a team at rest is given no work."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from frasier.kernel.errors import NotFound
from frasier.org.people.types import Agent, AgentStatus
from frasier.store import Statements, Tx

_sql = Statements("frasier.org.people")


class TeamStatus(StrEnum):
    """The agents of a dormant team are given no work."""

    ACTIVE = "active"
    DORMANT = "dormant"


@dataclass(frozen=True, slots=True, kw_only=True)
class Team:
    """A team. `lead` is the agent who leads it, if there is one."""

    id: str
    name: str
    description: str
    lead: UUID | None
    status: TeamStatus


async def list_teams(tx: Tx) -> list[Team]:
    """Return the teams by their ids."""
    return await _sql.all_as(Team, tx, "teams")


async def find_team(tx: Tx, name: str) -> Team:
    """Return the team with this id or name, in any case; raise NotFound."""
    wanted = name.strip().casefold()
    teams = await list_teams(tx)
    for team in teams:
        if wanted in {team.id, team.name.casefold()}:
            return team
    known = ", ".join(team.id for team in teams)
    raise NotFound(f"There is no team {name[:60]!r}.", hint=f"There are: {known or 'none yet'}.")


async def set_team_status(tx: Tx, team_id: str, status: TeamStatus) -> Team:
    """Store the status of a team."""
    return await _sql.one_as(Team, tx, "set_team_status", id=team_id, status=status)


def members_of(team: Team, roster: list[Agent]) -> list[Agent]:
    """Return the agents of a team who have not retired and are not only proposed."""
    gone = {AgentStatus.RETIRED, AgentStatus.PROPOSED}
    return [agent for agent in roster if agent.team == team.id and agent.status not in gone]
