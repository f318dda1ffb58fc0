"""The subjects of trials, an agent's persona or a skill: their versions, and the work done with them."""

from __future__ import annotations

from dataclasses import dataclass

from frasier.kernel.errors import InvariantBroken
from frasier.org.missions import MissionStep, get_step, newest_steps_of
from frasier.org.people import (
    Agent,
    AgentStatus,
    Persona,
    add_persona_candidate,
    get_agent,
    put_persona_in_force,
    roster,
    set_persona_aside,
)
from frasier.org.skills import (
    SkillOrigin,
    SkillProvenance,
    add_skill_version,
    put_version_in_force,
    skill_in_force,
    uses_of_skill,
)
from frasier.org.staffing import Trial
from frasier.store import Tx
from frasier.workflow import Actor, ActorKind

_STEPS_READ = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class MethodText:
    """The two texts of a skill's version: for every prompt, and for a step that needs it."""

    short: str
    long: str


def subject_of(trial: Trial, agent: Agent) -> str:
    """Say what a trial is about."""
    return f"the skill {trial.skill.replace('_', ' ')}" if trial.skill else f"the persona of {agent.name}"


async def store_candidate(
    tx: Tx, trial: Trial, text: Persona | MethodText, *, hypothesis: str, author: Agent
) -> int:
    """Store a new version of what a trial is about, which is not in force, and return its number."""
    if isinstance(text, Persona):
        return await add_persona_candidate(
            tx, trial.agent_id, text, why=trial.why, actor=f"agent:{author.key}", hypothesis=hypothesis
        )
    if trial.skill is None:
        raise InvariantBroken(f"trial {trial.id} is about no skill")
    provenance = SkillProvenance(origin=SkillOrigin.UPSKILL, source=f"trial {trial.id}")
    why = f"{hypothesis} Written because {trial.why}"
    actor = Actor(ActorKind.WORKER, author.key)
    version = await add_skill_version(tx, trial.skill, text.short, text.long, provenance, actor, why)
    return version.version


async def version_in_force(tx: Tx, trial: Trial) -> int:
    """Return the version of what a trial is about that is in force now."""
    if trial.skill:
        return (await skill_in_force(tx, trial.skill)).version
    return (await get_agent(tx, trial.agent_id)).persona_version


async def put_candidate_in_force(tx: Tx, trial: Trial, *, actor: Actor, why: str) -> None:
    """Put the candidate of a trial that helps in force."""
    candidate = trial.candidate or trial.baseline
    if trial.skill:
        await put_version_in_force(
            tx, trial.skill, candidate, actor=actor, why=why, expected_version=trial.baseline
        )
    else:
        await put_persona_in_force(
            tx, trial.agent_id, candidate, actor=str(actor), why=why, trial_id=trial.id
        )


async def set_candidate_aside(tx: Tx, trial: Trial, *, actor: Actor, why: str) -> None:
    """Record that a candidate does not come into force. Of a skill the trial's own report says it."""
    if trial.skill is None:
        candidate = trial.candidate or trial.baseline
        await set_persona_aside(tx, trial.agent_id, candidate, actor=str(actor), why=why, trial_id=trial.id)


async def work_with(tx: Tx, trial: Trial, *, version: int | None = None) -> list[MissionStep]:
    """Return the work done with what a trial is about, newest first: of the agent, or of anybody active who was given
    the method of the skill in full (of one `version`, if it is named).
    """
    if trial.skill is None:
        return await newest_steps_of(tx, trial.agent_id, limit=_STEPS_READ)
    active = {agent.id for agent in await roster(tx) if agent.status is AgentStatus.ACTIVE}
    uses = await uses_of_skill(tx, trial.skill, version=version, limit=_STEPS_READ)
    tasks = dict.fromkeys(use.task_id for use in uses if use.in_full and use.agent_id in active)
    return [await get_step(tx, task_id) for task_id in tasks]
