"""Personas: each version is kept, and the agent points to the one in force.

Each act that puts a version in force or sets one aside is added to a history, in which nothing is changed.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from frasier.kernel.errors import NotFound, Stale
from frasier.org.people.types import Persona
from frasier.store import Statements, Tx, from_row, parameters_of

_sql = Statements("frasier.org.people")
_SYSTEM = "system:frasier"


class PersonaActKind(StrEnum):
    """The kinds of acts in the history of a persona. One that is set aside was a candidate and never in force."""

    FIRST = "first"
    PUT_IN_FORCE = "put_in_force"
    ROLLED_BACK = "rolled_back"
    SET_ASIDE = "set_aside"


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonaVersion:
    """A stored version of a persona: who wrote it, why, and what it was expected to change."""

    version: int
    persona: Persona
    why: str
    actor: str
    hypothesis: str
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonaAct:
    """An act in the history: a version came into force at `at`, and was until `until` (None: it is), or was set aside.

    A rollback puts an earlier version in force again. `trial_id` is the trial that decided it, if one did.
    """

    version: int
    act: PersonaActKind
    actor: str
    why: str
    trial_id: UUID | None
    at: datetime
    until: datetime | None


async def persona_of(tx: Tx, agent_id: UUID) -> Persona:
    """Return the persona in force; raise NotFound for an unknown agent."""
    row = await _sql.maybe(tx, "persona_of", agent_id=agent_id)
    if row is None:
        raise NotFound(f"There is no agent {agent_id}.")
    return from_row(Persona, row)


async def lock_persona(tx: Tx, agent_id: UUID) -> int:
    """Return the version in force, and let no other transaction change it until this one ends; raise NotFound."""
    row = await _sql.maybe(tx, "persona_in_force", agent_id=agent_id)
    if row is None:
        raise NotFound(f"There is no agent {agent_id}.")
    version: int = row["version"]
    return version


async def insert_persona(
    tx: Tx,
    agent_id: UUID,
    version: int,
    persona: Persona,
    why: str,
    *,
    actor: str = _SYSTEM,
    hypothesis: str = "",
) -> None:
    await _sql.run(
        tx,
        "insert_persona",
        agent_id=agent_id,
        version=version,
        why=why,
        actor=actor,
        hypothesis=hypothesis,
        **parameters_of(persona) | {"sources": list(persona.sources)},
    )


async def add_persona_candidate(
    tx: Tx, agent_id: UUID, persona: Persona, *, why: str, actor: str, hypothesis: str = ""
) -> int:
    """Store a persona as the agent's next version, which is not in force, and return its number."""
    row = await _sql.one(tx, "next_persona_version", agent_id=agent_id)
    version: int = row["version"]
    await insert_persona(tx, agent_id, version, persona, why, actor=actor, hypothesis=hypothesis)
    return version


async def add_persona_version(tx: Tx, agent_id: UUID, persona: Persona, *, why: str, actor: str) -> int:
    """Store a persona as the agent's next version, put it in force, and return its number."""
    version = await add_persona_candidate(tx, agent_id, persona, why=why, actor=actor)
    await put_persona_in_force(tx, agent_id, version, actor=actor, why=why)
    return version


async def put_persona_in_force(
    tx: Tx, agent_id: UUID, version: int, *, actor: str, why: str, trial_id: UUID | None = None
) -> None:
    """Put a stored version in force, as a new act of the history; an earlier version is a rollback to it.

    Raises NotFound for a version that there is not, and Stale where it is in force already.
    """
    in_force = await lock_persona(tx, agent_id)
    known = [one.version for one in await persona_versions(tx, agent_id)]
    if version not in known:
        raise NotFound(
            f"There is no version {version} of this persona.",
            kept="Nothing was changed.",
            hint=f"There are: {', '.join(map(str, sorted(known)))}.",
        )
    if in_force == version:
        raise Stale(f"Version {version} is in force already.", kept="Nothing was changed.")
    act = PersonaActKind.ROLLED_BACK if version < in_force else PersonaActKind.PUT_IN_FORCE
    await _sql.run(tx, "set_persona_version", agent_id=agent_id, version=version)
    await _record(tx, agent_id, version, act, actor=actor, why=why, trial_id=trial_id)


async def set_persona_aside(
    tx: Tx, agent_id: UUID, version: int, *, actor: str, why: str, trial_id: UUID | None
) -> None:
    """Record that a candidate does not come into force."""
    await _record(tx, agent_id, version, PersonaActKind.SET_ASIDE, actor=actor, why=why, trial_id=trial_id)


async def _record(
    tx: Tx, agent_id: UUID, version: int, act: PersonaActKind, *, actor: str, why: str, trial_id: UUID | None
) -> None:
    await _sql.run(
        tx,
        "insert_persona_act",
        agent_id=agent_id,
        version=version,
        act=act,
        actor=actor,
        why=why,
        trial_id=trial_id,
    )


async def persona_versions(tx: Tx, agent_id: UUID) -> list[PersonaVersion]:
    """Return every version of an agent's persona, newest first."""
    parts = ("identity", "soul", "method", "standards", "sources")
    return [
        PersonaVersion(
            persona=from_row(Persona, {part: row[part] for part in parts}),
            **{name: value for name, value in row.items() if name not in parts},
        )
        for row in await _sql.all(tx, "persona_versions", agent_id=agent_id)
    ]


async def persona_history(tx: Tx, agent_id: UUID) -> list[PersonaAct]:
    """Return the acts in the history of an agent's personas, newest first."""
    return await _sql.all_as(PersonaAct, tx, "persona_acts", agent_id=agent_id)
