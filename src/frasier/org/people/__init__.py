"""People: the agents, their teams, and the personas that make them who they are."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.org.people.founding_agents import found_organisation, founding_persona, founding_team
    from frasier.org.people.new_agents import insert_new_agent, lock_hiring, set_agent_status
    from frasier.org.people.personas import (
        PersonaAct,
        PersonaActKind,
        PersonaVersion,
        add_persona_candidate,
        add_persona_version,
        lock_persona,
        persona_history,
        persona_of,
        persona_versions,
        put_persona_in_force,
        set_persona_aside,
    )
    from frasier.org.people.persona_checks import find_persona_faults, find_texts_aimed_elsewhere
    from frasier.org.people.persona_prompt import render_persona
    from frasier.org.people.capabilities import (
        Capability,
        CapabilityTable,
        load_capabilities,
    )
    from frasier.org.people.agents import append_agent_event, chief_of_staff, find_agent, get_agent, roster
    from frasier.org.people.teams import (
        Team,
        TeamStatus,
        find_team,
        list_teams,
        members_of,
        set_team_status,
    )
    from frasier.org.people.role_routing import route_role
    from frasier.org.people.types import Agent, AgentKind, AgentStatus, Persona, Role
else:
    lazy_exports(__name__)
