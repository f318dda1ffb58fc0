"""Personas: each version is kept, and the agent points to the one in force."""

from __future__ import annotations

from dataclasses import astuple, fields
from uuid import UUID

from frasier.kernel.errors import InvalidInput, NotFound
from frasier.kernel.text import shorten, strip_control
from frasier.org.people.types import Persona
from frasier.store import Statements, Tx, append_event

_sql = Statements("frasier.org.people")

PART_CHARS_MAX = 4_000
_SHOWN_REASON_CHARS = 300
_PARTS = tuple(field.name for field in fields(Persona))


async def persona_of(tx: Tx, agent_id: UUID) -> Persona:
    """Return the persona in force; raise NotFound for an unknown agent."""
    row = await _sql.maybe(tx, "persona_of", agent_id=agent_id)
    if row is None:
        raise NotFound(f"There is no agent {agent_id}.")
    return Persona(**row)


async def add_persona_version(tx: Tx, agent_id: UUID, persona: Persona, why: str) -> int:
    """Make `persona` the one in force and return its version number. Earlier versions stay.

    Raises InvalidInput if a part or the reason is empty or a part has more than PART_CHARS_MAX characters, and
    NotFound for an unknown agent; then nothing is changed.
    """
    checked, reason = _checked(persona), strip_control(why).strip()
    if not reason:
        raise InvalidInput("A new persona needs a reason.", kept="The persona in force stays.")
    # Moving the pointer first makes two writers of one agent wait for each other: no version is taken twice.
    row = await _sql.maybe(tx, "next_persona_version", agent_id=agent_id)
    if row is None:
        raise NotFound(f"There is no agent {agent_id}.")
    version = int(row["persona_version"])
    await insert_persona(tx, agent_id, version, checked, reason)
    await append_event(
        tx,
        stream=agent_id,
        kind="agent.persona_changed",
        actor="system:frasier",
        payload={"version": version, "why": shorten(reason, _SHOWN_REASON_CHARS)},
    )
    return version


async def insert_persona(tx: Tx, agent_id: UUID, version: int, persona: Persona, why: str) -> None:
    parts = dict(zip(_PARTS, astuple(persona), strict=True))
    await _sql.run(tx, "insert_persona", agent_id=agent_id, version=version, why=why, **parts)


def _checked(persona: Persona) -> Persona:
    parts = {name: strip_control(getattr(persona, name)).strip() for name in _PARTS}
    wrong = [name for name, text in parts.items() if not 0 < len(text) <= PART_CHARS_MAX]
    if wrong:
        raise InvalidInput(
            f"The persona's {' and '.join(wrong)} must have 1 to {PART_CHARS_MAX} characters.",
            kept="The persona in force stays.",
        )
    return Persona(**parts)
