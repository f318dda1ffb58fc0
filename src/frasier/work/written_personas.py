"""Personas as a model writes them."""

from __future__ import annotations

from uuid import UUID

from frasier.kernel.copy_fields import copy_fields
from frasier.llm.reply_schemas import PersonaReply
from frasier.org.people import Persona, persona_of, roster
from frasier.store import Tx


def written_persona(reply: PersonaReply) -> Persona:
    """Return the persona of a reply."""
    return copy_fields(Persona, reply, sources=tuple(reply.sources))


async def other_personas(tx: Tx, agent_id: UUID) -> dict[str, Persona]:
    """Return the personas in force of everybody else, by name."""
    return {
        one.name: await persona_of(tx, one.id)
        for one in await roster(tx, active_only=False)
        if one.id != agent_id
    }
