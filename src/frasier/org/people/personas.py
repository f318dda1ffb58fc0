"""Personas: each version is kept, and the agent points to the one in force."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from frasier.kernel.errors import NotFound
from frasier.org.people.types import Persona
from frasier.store import Statements, Tx, from_row, parameters_of

_sql = Statements("frasier.org.people")


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonaVersion:
    """A version of an agent's persona, and why it was written."""

    version: int
    persona: Persona
    why: str
    created_at: datetime


async def persona_of(tx: Tx, agent_id: UUID) -> Persona:
    """Return the persona in force; raise NotFound for an unknown agent."""
    row = await _sql.maybe(tx, "persona_of", agent_id=agent_id)
    if row is None:
        raise NotFound(f"There is no agent {agent_id}.")
    return from_row(Persona, row)


async def persona_versions(tx: Tx, agent_id: UUID) -> list[PersonaVersion]:
    """Return every version of an agent's persona, newest first."""
    return [
        PersonaVersion(
            version=row["version"],
            persona=from_row(Persona, row),
            why=row["why"],
            created_at=row["created_at"],
        )
        for row in await _sql.all(tx, "persona_versions", agent_id=agent_id)
    ]


async def insert_persona(tx: Tx, agent_id: UUID, version: int, persona: Persona, why: str) -> None:
    await _sql.run(
        tx,
        "insert_persona",
        agent_id=agent_id,
        version=version,
        why=why,
        **parameters_of(persona) | {"sources": list(persona.sources)},
    )
