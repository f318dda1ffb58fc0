"""The methods of skills: each version is kept, and one of each skill is in force."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID, uuid5

from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvalidInput, NotFound, Stale
from frasier.kernel.text import shorten, strip_control
from frasier.store import Statements, Tx, append_event, from_row
from frasier.workflow import Actor

_sql = Statements("frasier.org.skills")
_NAMESPACE = UUID("0f6d2a0e-1a55-4f0e-8f57-6a2f5f6d7c28")
_NAME = re.compile(r"[a-z][a-z0-9_]{0,79}")
_WHY_CHARS = 2_000

SHORT_CHARS_MAX = 600
LONG_CHARS_MAX = 20_000


class SkillOrigin(StrEnum):
    """The author of a version: the catalogue of this program, a task of upskilling, or a third party."""

    CATALOGUE = "catalogue"
    UPSKILL = "upskill"
    THIRD_PARTY = "third_party"


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillProvenance:
    """The origin of a version. `source` is what it was written from: a file of the catalogue, the id of a task, a
    folder or commit; `digest` is the hash of that, empty if it has none.
    """

    origin: SkillOrigin
    source: str
    digest: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillVersion:
    """A version of a skill's method: a `short` text for prompts of whoever has the skill, and a `long` one for a step
    that needs it.
    """

    skill: str
    version: int
    short: str
    long: str
    origin: SkillOrigin
    source: str
    source_digest: str
    actor: str
    why: str
    added_at: datetime
    in_force: bool


def skill_stream(skill: str) -> UUID:
    """Return the stream of a skill's events."""
    return uuid5(_NAMESPACE, skill)


async def add_skill_version(
    tx: Tx, skill: str, short: str, long: str, provenance: SkillProvenance, actor: Actor, why: str
) -> SkillVersion:
    """Add the next version of a skill, or the first of a new one, and return it. It is not in force yet.

    Raises InvalidInput for a name, text or reason that cannot be stored.
    """
    if not _NAME.fullmatch(skill):
        raise InvalidInput(
            f"{shorten(skill, 60)!r} is not the name of a skill.",
            kept="Nothing was changed.",
            hint="A name has lower-case letters, digits and underscores, and begins with a letter.",
        )
    texts = {
        "short": _checked("short", " ".join(strip_control(short).split()), SHORT_CHARS_MAX),
        "long": _checked("long", strip_control(long.replace("\r\n", "\n")).strip(), LONG_CHARS_MAX),
    }
    await lock_skill(tx, skill)
    row = await _sql.one(
        tx,
        "add_skill_version",
        skill=skill,
        **texts,
        origin=provenance.origin,
        source=provenance.source,
        source_digest=provenance.digest,
        actor=str(actor),
        why=_checked("why", shorten(why.strip(), _WHY_CHARS), _WHY_CHARS),
    )
    await append_event(
        tx,
        stream=skill_stream(skill),
        kind="skill.version_added",
        actor=str(actor),
        payload={
            "skill": skill,
            "version": row["version"],
            "origin": provenance.origin,
            "source": provenance.source,
            "source_digest": provenance.digest,
            "why": shorten(why.strip(), _WHY_CHARS),
        },
    )
    return await skill_version(tx, skill, row["version"])


async def lock_skill(tx: Tx, skill: str) -> None:
    """Lock the versions of a skill against changes until the transaction ends."""
    await _sql.one(tx, "lock_skill", skill=skill)


def skill_key(name: str) -> str:
    """Return the key of a skill that a person names, such as "Competitive analysis" or "competitive-analysis"."""
    return re.sub(r"[\s-]+", "_", name.strip().casefold())


async def skill_versions(tx: Tx, skill: str) -> list[SkillVersion]:
    """Return the versions of a skill, newest first; raise NotFound for an unknown skill."""
    rows = await _sql.all(tx, "skill_versions", skill=skill)
    if not rows:
        raise _unknown(skill)
    return [from_row(SkillVersion, row) for row in rows]


async def skill_version(tx: Tx, skill: str, version: int) -> SkillVersion:
    """Return a version of a skill; raise NotFound where there is none."""
    versions = await skill_versions(tx, skill)
    for one in versions:
        if one.version == version:
            return one
    raise NotFound(
        f"The skill {skill} has no version {version}.",
        kept="Nothing was changed.",
        hint=f"Its newest version is {versions[0].version}.",
        advice=Advice("skill.history", to="see its versions", skill=skill),
    )


async def skill_in_force(tx: Tx, skill: str) -> SkillVersion:
    """Return the version of a skill that is in force; raise NotFound where none is."""
    found = await skills_in_force(tx, [skill])
    if not found:
        raise _unknown(skill)
    return found[0]


async def skills_in_force(tx: Tx, skills: Collection[str] | None = None) -> list[SkillVersion]:
    """Return the versions in force of some skills, or of all, by name; one that has none is left out."""
    names = None if skills is None else list(skills)
    return await _sql.all_as(SkillVersion, tx, "skills_in_force", skills=names)


async def put_version_in_force(
    tx: Tx, skill: str, version: int, *, actor: Actor, why: str, expected_version: int | None = None
) -> SkillVersion:
    """Put a version of a skill in force, a newer or an older one, and return it; one that is in force stays so.

    Raises NotFound for an unknown skill or version, and Stale where another version than the expected one was in force.
    """
    await lock_skill(tx, skill)
    wanted = await skill_version(tx, skill, version)
    before = next((one.version for one in await skills_in_force(tx, [skill])), None)
    if expected_version is not None and before != expected_version:
        raise Stale(
            f"Version {before or 'none'} of {skill} is in force, not version {expected_version}.",
            kept="Nothing was changed.",
            advice=Advice("skill.history", to="see its versions", skill=skill),
        )
    if wanted.in_force:
        return wanted
    reason = _checked("why", shorten(why.strip(), _WHY_CHARS), _WHY_CHARS)
    await _sql.run(tx, "put_in_force", skill=skill, version=version, actor=str(actor), why=reason)
    await append_event(
        tx,
        stream=skill_stream(skill),
        kind="skill.version_in_force",
        actor=str(actor),
        payload={"skill": skill, "version": version, "before": before, "why": reason},
    )
    return await skill_version(tx, skill, version)


def _checked(name: str, text: str, chars_max: int) -> str:
    if not text or len(text) > chars_max:
        raise InvalidInput(
            f"The {name} text of a version of a skill has {len(text):,} characters.",
            kept="Nothing was changed.",
            hint=f"It has from 1 to {chars_max:,}.",
        )
    return text


def _unknown(skill: str) -> NotFound:
    return NotFound(
        f"There is no skill {shorten(skill, 60)!r}.",
        kept="Nothing was changed.",
        advice=Advice("skill.list", to="see the skills"),
    )


async def withdraw_version(tx: Tx, skill: str, version: int) -> None:
    """Let no version of a skill be in force, if this one was."""
    await _sql.run(tx, "withdraw_version", skill=skill, version=version)


def render_skills(skills: Sequence[SkillVersion]) -> tuple[str, ...]:
    """Render the short text of each skill as a line. Levels are for the routing of work, and stand in no prompt."""
    return tuple(f"{one.skill.replace('_', ' ')}: {one.short}" for one in skills)
