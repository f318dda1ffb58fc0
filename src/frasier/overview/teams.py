"""Teams: who leads them, and who belongs to them."""

from __future__ import annotations

from dataclasses import dataclass

from frasier.org.people import Agent, Team, find_team, list_teams, members_of, roster
from frasier.store import Tx


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamMember:
    """A member of a team."""

    key: str
    name: str
    title: str
    status: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamSummary:
    """A team with its lead and its members, the lead first."""

    team: str
    name: str
    description: str
    status: str
    lead: str
    members: tuple[TeamMember, ...]


async def read_teams(tx: Tx) -> tuple[TeamSummary, ...]:
    """Read the teams with their members."""
    everybody = await roster(tx, active_only=False)
    return tuple(_summary(team, everybody) for team in await list_teams(tx))


async def read_team(tx: Tx, name: str) -> TeamSummary:
    """Read the team with this id or name; raises NotFound."""
    return _summary(await find_team(tx, name), await roster(tx, active_only=False))


def _summary(team: Team, everybody: list[Agent]) -> TeamSummary:
    members = members_of(team, everybody)
    return TeamSummary(
        team=team.id,
        name=team.name,
        description=team.description,
        status=team.status,
        lead=next((agent.name for agent in members if agent.id == team.lead), ""),
        members=tuple(
            TeamMember(key=agent.key, name=agent.name, title=agent.title, status=agent.status)
            for agent in members
        ),
    )
