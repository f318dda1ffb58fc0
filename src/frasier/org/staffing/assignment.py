"""Who takes a piece of work. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from uuid import UUID

from frasier.kernel.errors import NotFound
from frasier.org.people import Agent, AgentKind, AgentStatus, Role


def choose_agent(roster: Sequence[Agent], role: Role, *, load: Mapping[UUID, int]) -> Agent:
    """The active agent for work of `role`: of those with that role the one with least to do, then by name.

    Where nobody active has the role, a team lead stands in, and where there is none, the chief of staff.
    Whoever tests authors nothing but QA work, so that they are free to judge what the others make.
    `load` counts the open work of each agent; one that it does not name has none. Raises NotFound where
    nobody is left.
    """
    able = [
        agent
        for agent in roster
        if agent.status is AgentStatus.ACTIVE and (role is Role.QA or not _tests(agent))
    ]
    groups = (
        [agent for agent in able if agent.role is role],
        [agent for agent in able if agent.kind is AgentKind.TEAM_LEAD],
        [agent for agent in able if agent.kind is AgentKind.CHIEF_OF_STAFF],
    )
    for group in groups:
        if group:
            return min(group, key=lambda agent: (load.get(agent.id, 0), agent.name))
    raise NotFound(
        f"No active agent can take {role} work.",
        hint="Activate an agent of that role, a team lead, or the chief of staff.",
    )


def _tests(agent: Agent) -> bool:
    return agent.kind is AgentKind.QA or agent.role is Role.QA
