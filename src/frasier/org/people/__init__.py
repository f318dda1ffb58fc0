"""People: the agents, their teams, and the personas that make them who they are."""

from frasier.org.people.finding import find_agent
from frasier.org.people.founding import found_organisation
from frasier.org.people.personas import add_persona_version, persona_of
from frasier.org.people.rendering import render_persona
from frasier.org.people.roster import agent_by_key, chief_of_staff, get_agent, roster, teams
from frasier.org.people.routing import route_role
from frasier.org.people.types import Agent, AgentKind, AgentStatus, Persona, Role, Team, TeamStatus

__all__ = [
    "Agent",
    "AgentKind",
    "AgentStatus",
    "Persona",
    "Role",
    "Team",
    "TeamStatus",
    "add_persona_version",
    "agent_by_key",
    "chief_of_staff",
    "find_agent",
    "found_organisation",
    "get_agent",
    "persona_of",
    "render_persona",
    "roster",
    "route_role",
    "teams",
]
