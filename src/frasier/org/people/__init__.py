"""People: the agents, their teams, and the personas that make them who they are."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.org.people.find_agent import find_agent as find_agent
    from frasier.org.people.founding_agents import found_organisation as found_organisation
    from frasier.org.people.personas import (
        persona_of as persona_of,
    )
    from frasier.org.people.persona_prompt import render_persona as render_persona
    from frasier.org.people.agents import (
        chief_of_staff as chief_of_staff,
        get_agent as get_agent,
        roster as roster,
    )
    from frasier.org.people.role_routing import route_role as route_role
    from frasier.org.people.types import (
        Agent as Agent,
        AgentKind as AgentKind,
        AgentStatus as AgentStatus,
        Persona as Persona,
        Role as Role,
    )
else:
    lazy_exports(__name__)
