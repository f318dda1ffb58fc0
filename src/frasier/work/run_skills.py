"""The skills of a run: chosen by the words of its work, and noted with the version that its prompts are given."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

from frasier.org.skills import (
    SkillChoice,
    choose_skills,
    note_used_skills,
    skills_in_force,
    skills_of,
    withhold_unvetted,
)
from frasier.store import Tx
from frasier.work.run_lease import Run


async def skills_for(run: Run, tx: Tx, agent_id: UUID, work: str, *, in_full: bool) -> SkillChoice:
    """Choose the skills of an agent's prompts for `work`, and note that the run uses these versions.

    Long texts only where `in_full`. A run that is taken over goes on with those that its context has.
    """
    levels = {skill.name: skill.level for skill in await skills_of(tx, agent_id)}
    choice = choose_skills(work, await withhold_unvetted(tx, await skills_in_force(tx), held=levels), levels)
    if not in_full:
        choice = replace(choice, long=())
    await note_used_skills(
        tx,
        task_id=run.task.id,
        attempt=run.attempt,
        agent_id=agent_id,
        short=choice.short,
        long=choice.long,
    )
    return choice
