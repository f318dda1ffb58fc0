"""Personas: each version is kept, and the agent points to the one in force."""

from __future__ import annotations

from uuid import UUID

from frasier.kernel.errors import NotFound
from frasier.org.people.types import Persona
from frasier.store import Statements, Tx, from_row, parameters_of

_sql = Statements("frasier.org.people")


async def persona_of(tx: Tx, agent_id: UUID) -> Persona:
    """Return the persona in force; raise NotFound for an unknown agent."""
    row = await _sql.maybe(tx, "persona_of", agent_id=agent_id)
    if row is None:
        raise NotFound(f"There is no agent {agent_id}.")
    return from_row(Persona, row)


async def insert_persona(tx: Tx, agent_id: UUID, version: int, persona: Persona, why: str) -> None:
    await _sql.run(
        tx,
        "insert_persona",
        agent_id=agent_id,
        version=version,
        why=why,
        **parameters_of(persona) | {"sources": list(persona.sources)},
    )
