"""People: the agents, their teams, and the personas that make them who they are."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.org.people.founding_agents import found_organisation
    from frasier.org.people.personas import persona_of
    from frasier.org.people.persona_prompt import render_persona
    from frasier.org.people.agents import chief_of_staff, find_agent, get_agent, roster
    from frasier.org.people.role_routing import route_role
    from frasier.org.people.types import Agent, AgentKind, AgentStatus, Persona, Role
else:
    lazy_exports(__name__)
