"""The organisation, founded whole: agents who also have the skills of their trade."""

from __future__ import annotations

from frasier.org.people import Agent, found_organisation
from frasier.org.skills import seed_founding_skills
from frasier.store import Tx


async def found(tx: Tx) -> list[Agent]:
    """Make what is missing of the founding agents and their skills; return those agents as they are now.

    May be called at every start and by many processes at once: nothing that exists is changed.
    """
    agents = await found_organisation(tx)
    await seed_founding_skills(tx, agents)
    return agents
