"""Skills: the methods in force, who has them, and the work that was given them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from difflib import unified_diff
from textwrap import wrap
from uuid import UUID

from frasier.kernel.copy_fields import copy_fields
from frasier.org.people import roster
from frasier.org.skills import (
    SkillVersion,
    count_holders,
    holders_of,
    skill_in_force,
    skill_version,
    skill_versions,
    skills_in_force,
    uses_of_skill,
)
from frasier.store import Tx

_DIFF_CHARS = 96


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillSummary:
    """A skill as a line: the version in force, how many agents have it, and their accepted works with it."""

    skill: str
    version: int
    origin: str
    short: str
    agents: int
    accepted_works: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillHolder:
    """An agent who has a skill."""

    agent: str
    name: str
    level: int
    accepted_works: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillUse:
    """A run whose prompts were given a version of a skill; `in_full` if also the long text."""

    task: UUID
    attempt: int
    agent: str
    version: int
    in_full: bool
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillText:
    """A version of a skill with both texts and its provenance."""

    skill: str
    version: int
    in_force: bool
    short: str
    long: str
    origin: str
    source: str
    source_digest: str
    actor: str
    why: str
    added_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillPage:
    """A version of a skill, the agents who have the skill, and the last runs that were given that version."""

    text: SkillText
    holders: tuple[SkillHolder, ...]
    uses: tuple[SkillUse, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillDiff:
    """The lines that differ between two versions of a skill, as a unified diff; none where they are the same."""

    skill: str
    old: int
    new: int
    lines: tuple[str, ...]


async def read_skills(tx: Tx) -> tuple[SkillSummary, ...]:
    """Read the skills that have a version in force, by name."""
    held = await count_holders(tx)
    return tuple(
        SkillSummary(
            skill=one.skill,
            version=one.version,
            origin=one.origin,
            short=one.short,
            agents=held[one.skill][0] if one.skill in held else 0,
            accepted_works=held[one.skill][1] if one.skill in held else 0,
        )
        for one in await skills_in_force(tx)
    )


async def read_skill(tx: Tx, skill: str, *, version: int | None, uses: int) -> SkillPage:
    """Read a version of a skill, the one in force by default, with its last `uses`. Raises NotFound."""
    shown = await (skill_in_force(tx, skill) if version is None else skill_version(tx, skill, version))
    everybody = {agent.id: agent for agent in await roster(tx, active_only=False)}
    return SkillPage(
        text=text_of(shown),
        holders=tuple(
            SkillHolder(
                agent=everybody[held.agent_id].key,
                name=everybody[held.agent_id].name,
                level=held.level,
                accepted_works=held.uses,
            )
            for held in await holders_of(tx, skill)
        ),
        uses=tuple(
            SkillUse(
                task=use.task_id,
                attempt=use.attempt,
                agent=everybody[use.agent_id].name,
                version=use.version,
                in_full=use.in_full,
                at=use.used_at,
            )
            for use in await uses_of_skill(tx, skill, version=shown.version, limit=uses)
        ),
    )


async def read_skill_history(tx: Tx, skill: str) -> tuple[SkillText, ...]:
    """Read the versions of a skill, newest first. Raises NotFound."""
    return tuple(text_of(one) for one in await skill_versions(tx, skill))


async def read_skill_diff(tx: Tx, skill: str, *, old: int | None, new: int | None) -> SkillDiff:
    """Compare two versions of a skill: by default the newest with the one before it. Raises NotFound."""
    last = (await skill_versions(tx, skill))[0].version if new is None else new
    first = max(last - 1, 1) if old is None else old
    before, after = await skill_version(tx, skill, first), await skill_version(tx, skill, last)
    names = (f"version {first}", f"version {last}")
    lines = unified_diff(_lines(before), _lines(after), *names, n=2, lineterm="")
    return SkillDiff(skill=skill, old=first, new=last, lines=tuple(lines))


def text_of(version: SkillVersion) -> SkillText:
    """Return a version as it is shown."""
    return copy_fields(SkillText, version)


def _lines(version: SkillVersion) -> list[str]:
    long = [part for line in version.long.splitlines() for part in wrap(line, _DIFF_CHARS) or [""]]
    return [*wrap(version.short, _DIFF_CHARS), "", *long]
