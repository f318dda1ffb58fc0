"""The versions of skills that prompts were given, by run: noted with the context, before a model is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from frasier.org.skills.skill_versions import SkillVersion
from frasier.store import Statements, Tx

_sql = Statements("frasier.org.skills")


@dataclass(frozen=True, slots=True, kw_only=True)
class UsedSkill:
    """A version of a skill that an agent's prompts in a run were given, the short text or also the long one
    (`in_full`).
    """

    task_id: UUID
    attempt: int
    agent_id: UUID
    skill: str
    version: int
    in_full: bool
    used_at: datetime


async def note_used_skills(
    tx: Tx,
    *,
    task_id: UUID,
    attempt: int,
    agent_id: UUID,
    short: Sequence[SkillVersion],
    long: Sequence[SkillVersion] = (),
) -> None:
    """Note the versions whose short or long texts an agent's prompts in a run are given."""
    used = {one.skill: (one.version, False) for one in short} | {
        one.skill: (one.version, True) for one in long
    }
    if not used:
        return
    await _sql.run(
        tx,
        "note_used_skills",
        task_id=task_id,
        attempt=attempt,
        agent_id=agent_id,
        skills=list(used),
        versions=[version for version, _ in used.values()],
        in_full=[in_full for _, in_full in used.values()],
    )


async def skills_used_by_task(tx: Tx, task_id: UUID) -> list[UsedSkill]:
    """Return the versions that a task's prompts were given, run by run, those in full first."""
    return await _sql.all_as(UsedSkill, tx, "skills_used_by_task", task_id=task_id)


async def uses_of_skill(tx: Tx, skill: str, *, version: int | None = None, limit: int) -> list[UsedSkill]:
    """Return the runs that were given a version of a skill, or any version of it, newest first."""
    return await _sql.all_as(UsedSkill, tx, "uses_of_skill", skill=skill, version=version, limit=limit)
