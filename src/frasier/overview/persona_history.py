"""The personas of an agent: each version with who wrote it and why, when it was in force, and what differs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from difflib import ndiff
from uuid import UUID

from frasier.kernel.errors import InvalidInput, NotFound
from frasier.org.people import (
    Agent,
    Persona,
    PersonaAct,
    PersonaVersion,
    find_agent,
    persona_history,
    persona_versions,
)
from frasier.overview.agents import PersonaText, persona_text
from frasier.store import Tx

_PARTS = ("identity", "soul", "method", "standards", "sources")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonaVersionView:
    """A version of a persona, with who wrote it, and what it was expected to change (`hypothesis`)."""

    text: PersonaText
    in_force: bool
    hypothesis: str
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonaActView:
    """An act: a version came into force at `at`, until `until`, or was set aside; `trial` decided it, if one did."""

    version: int
    act: str
    by: str
    why: str
    trial: UUID | None
    at: datetime
    until: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonaHistory:
    """The versions of an agent's persona, and the acts of its history; both newest first."""

    agent: str
    name: str
    title: str
    in_force: int
    versions: tuple[PersonaVersionView, ...]
    acts: tuple[PersonaActView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonaPartDifference:
    """The difference of a part, sentence by sentence, in order."""

    part: str
    removed: tuple[str, ...]
    added: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonaDifference:
    """The difference between two versions of a persona; parts that are alike are left out."""

    agent: str
    before: int
    after: int
    parts: tuple[PersonaPartDifference, ...]


async def read_persona_history(tx: Tx, name: str) -> PersonaHistory:
    """Read the personas of the agent whose name or key begins with `name`. Raises NotFound and InvalidInput."""
    agent = await find_agent(tx, name)
    return PersonaHistory(
        agent=agent.key,
        name=agent.name,
        title=agent.title,
        in_force=agent.persona_version,
        versions=tuple(_version(agent, one) for one in await persona_versions(tx, agent.id)),
        acts=tuple(_act(one) for one in await persona_history(tx, agent.id)),
    )


async def read_persona_difference(
    tx: Tx, name: str, *, before: int | None, after: int | None
) -> PersonaDifference:
    """Read what differs between two versions: by default the newest one, and the one that was written before it.

    Raises NotFound, and InvalidInput where there is only one version.
    """
    agent = await find_agent(tx, name)
    versions = {one.version: one.persona for one in await persona_versions(tx, agent.id)}
    if after is None:
        after = max(versions)
    if before is None:
        before = after - 1
    if before == 0:
        raise InvalidInput(f"{agent.name} has nothing before version 1 of their persona.")
    for wanted in (before, after):
        if wanted not in versions:
            known = ", ".join(map(str, sorted(versions)))
            raise NotFound(f"There is no version {wanted} of this persona.", hint=f"There are: {known}.")
    return PersonaDifference(
        agent=agent.key,
        before=before,
        after=after,
        parts=compare_personas(versions[before], versions[after]),
    )


def compare_personas(before: Persona, after: Persona) -> tuple[PersonaPartDifference, ...]:
    """Compare two personas sentence by sentence. Pure."""
    differences = []
    for part in _PARTS:
        lines = list(ndiff(_sentences(before, part), _sentences(after, part)))
        removed = tuple(line[2:] for line in lines if line.startswith("- "))
        added = tuple(line[2:] for line in lines if line.startswith("+ "))
        if removed or added:
            differences.append(PersonaPartDifference(part=part, removed=removed, added=added))
    return tuple(differences)


def _sentences(persona: Persona, part: str) -> list[str]:
    if part == "sources":
        return list(persona.sources)
    text: str = getattr(persona, part)
    return [line for paragraph in text.splitlines() for line in _SENTENCE_END.split(paragraph) if line]


def _version(agent: Agent, version: PersonaVersion) -> PersonaVersionView:
    return PersonaVersionView(
        text=persona_text(version),
        in_force=version.version == agent.persona_version,
        hypothesis=version.hypothesis,
        by=version.actor,
    )


def _act(act: PersonaAct) -> PersonaActView:
    return PersonaActView(
        version=act.version,
        act=act.act.replace("_", " "),
        by=act.actor,
        why=act.why,
        trial=act.trial_id,
        at=act.at,
        until=act.until,
    )
