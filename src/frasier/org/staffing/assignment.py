"""The assignment of work to agents. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from uuid import UUID

from frasier.kernel.errors import NotFound
from frasier.org.people import Agent, AgentKind, AgentStatus, Role
from frasier.org.skills import is_generalist
from frasier.org.staffing.preference import prefer


def choose_agent(
    roster: Sequence[Agent],
    role: Role,
    *,
    load: Mapping[UUID, int],
    levels: Mapping[UUID, int] = MappingProxyType({}),
    recent: Sequence[UUID] = (),
    affinity: Mapping[UUID, float] = MappingProxyType({}),
) -> Agent:
    """Choose the active agent for work of `role` by `prefer`: by level, load and name. Whoever has a trade of its own
    within the role gets what that trade is asked for, and other work only where nobody else has the role.

    If no active agent has the role, a team lead stands in. The chief of staff, who plans, is given no step. QA agents
    author only QA work, so that they are free to judge the work of others. `load` counts the open work of each agent;
    a missing one has none. `levels` are those in the skills that the work uses, `recent` who was given the last works,
    newest first; `affinity` breaks ties. Raises NotFound if nobody is left.
    """
    able = [
        agent
        for agent in roster
        if agent.status is AgentStatus.ACTIVE
        and agent.kind is not AgentKind.CHIEF_OF_STAFF
        and (role is Role.QA or not agent.is_tester)
    ]
    of_role = [agent for agent in able if agent.role is role]
    groups = (
        [agent for agent in of_role if is_generalist(agent)],
        of_role,
        [agent for agent in able if agent.kind is AgentKind.TEAM_LEAD],
    )
    for group in groups:
        if group:
            return prefer(group, load=load, levels=levels, recent=recent, affinity=affinity)
    raise NotFound(
        f"No active agent can take {role} work.",
        hint="Wake or hire an agent of that role, or a team lead.",
    )
