"""The founding of the organisation: its agents with the skills of their roles, and the methods of the skills."""

from __future__ import annotations

from frasier.org.people import Agent, found_organisation
from frasier.org.skills import seed_founding_skills, store_catalogue
from frasier.store import Tx


async def found(tx: Tx) -> list[Agent]:
    """Create the missing founding agents, skills and methods; return those agents as they are now.

    May be called at every start and by many processes at once: existing agents are not changed.
    """
    agents = await found_organisation(tx)
    await seed_founding_skills(tx, agents)
    await store_catalogue(tx)
    return agents
