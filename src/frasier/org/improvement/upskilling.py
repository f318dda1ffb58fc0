"""Upskilling: what gives rise to another version of an agent's persona or of a skill (D-005, D-007, D-021).

An agent whose work is rejected gets a better persona, and nobody is dismissed for scores.
"""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from frasier.kernel.errors import Refused
from frasier.kernel.ids import new_id
from frasier.kernel.text import shorten, strip_control
from frasier.org.governance import TrialRules, reviews_of_steps, rules_in_force
from frasier.org.improvement.score_trends import scores_of_agent
from frasier.org.improvement.trial_subjects import subject_of
from frasier.org.improvement.trials import note_finished_work
from frasier.org.improvement.watched_versions import watch_kept_versions
from frasier.org.missions import MissionStep, deliverables_of, newest_steps_of
from frasier.org.people import (
    Agent,
    AgentKind,
    AgentStatus,
    append_agent_event,
    chief_of_staff,
    find_agent,
    get_agent,
    lock_persona,
)
from frasier.org.skills import (
    SkillOrigin,
    SkillVersion,
    lock_skill,
    skill_in_force,
    skill_key,
    skills_in_force,
    skills_used_by_task,
    uses_of_skill,
)
from frasier.org.staffing import (
    SCORES_COMPARED,
    Trial,
    TrialTrigger,
    add_trial,
    falls,
    open_trial_of,
    open_trial_of_skill,
    trials_of,
)
from frasier.store import Tx
from frasier.workflow import FOUNDER, SYSTEM, Actor, NewTask, create_tasks

_STRIKES = 2
_STEPS_READ = 100
_STUDIED_MAX = 3
_WHY_CHARS_MAX = 600


async def upskill_by_founder(tx: Tx, name: str, *, why: str = "", skill: str = "") -> Trial:
    """Have the persona of an agent revised at the founder's word, or a `skill` from their work; return the trial that
    begins with it.

    Raises NotFound for an unknown skill, and Refused for an agent who is not active, for a skill of a third party, and
    while another version is written or tried.
    """
    agent = await find_agent(tx, name)
    if agent.status is not AgentStatus.ACTIVE:
        raise Refused(f"{agent.name} is {agent.status}.", kept="Nothing was changed.")
    method = await _method_to_revise(tx, skill) if skill.strip() else None
    # Of two who ask at once the second sees what the first began.
    await _lock(tx, agent, method)
    if existing := await _open_trial(tx, agent, method):
        raise Refused(
            f"Another version of {subject_of(existing, await get_agent(tx, existing.agent_id))} is being"
            f" {_doing(existing)}.",
            kept="Nothing was changed.",
            hint="Wait for its end.",
        )
    because = shorten(" ".join(strip_control(why).split()), _WHY_CHARS_MAX)
    reason = f"the founder asks for it: {because}" if because else "the founder asks for it"
    studied = await _rejected_steps(tx, agent)
    return await _begin(tx, agent, method, TrialTrigger.FOUNDER, reason, studied, actor=FOUNDER)


async def _method_to_revise(tx: Tx, skill: str) -> SkillVersion:
    version = await skill_in_force(tx, skill_key(skill))
    if version.origin is SkillOrigin.THIRD_PARTY:
        raise Refused(
            f"The skill {version.skill} is of a third party: it is used as it was approved.",
            kept="Nothing was changed.",
            hint="Ask for another version where it comes from, and add that.",
        )
    return version


async def _lock(tx: Tx, agent: Agent, method: SkillVersion | None) -> None:
    await lock_persona(tx, agent.id)
    if method:
        await lock_skill(tx, method.skill)


async def _open_trial(tx: Tx, agent: Agent, method: SkillVersion | None) -> Trial | None:
    of_skill = await open_trial_of_skill(tx, method.skill) if method else None
    return of_skill or await open_trial_of(tx, agent.id)


def _doing(trial: Trial) -> str:
    return "written" if trial.candidate is None else "tried"


async def upskill_after_verdict(tx: Tx, step: MissionStep, *, strikes: int) -> None:
    """Begin an upskilling where a verdict gives rise to it: the second strike of a step, or falling scores.

    The same evidence gives rise to one upskilling at most: each step's strikes to one, and scores that were given
    before the last upskilling to none. Work that ended meanwhile goes into a trial that runs.
    """
    agent = await get_agent(tx, step.agent_id)
    if agent.status is not AgentStatus.ACTIVE or agent.kind is AgentKind.CHIEF_OF_STAFF:
        return
    methods = await _methods_of(tx, step)
    await note_finished_work(tx, agent.id, {one.skill for one in methods})
    await watch_kept_versions(tx, agent, {one.skill for one in methods})
    if await open_trial_of(tx, agent.id):
        return
    if (await deliverables_of(tx, [step.task_id]))[-1].rehearsal:
        # The verdicts of a rehearsal are computed, and say nothing of who worked.
        return
    rules = await rules_in_force(tx, TrialRules)
    earlier = await trials_of(tx, agent.id, limit=_STEPS_READ)
    if rules.at_second_strike and strikes == _STRIKES and not _was_studied(step, earlier):
        why = f"two versions of {step.title!r} were rejected"
        method = await _failing_method(tx, step, methods)
        if method:
            why = f"{why}, and work of somebody else by the same method was, too"
        await _begin_alone(tx, agent, method, TrialTrigger.STRIKE, why, [step.task_id])
    elif rules.at_falling_scores and (why := await _falling(tx, agent, earlier)):
        await _begin_alone(tx, agent, None, TrialTrigger.SCORES, why, await _rejected_steps(tx, agent))


async def _methods_of(tx: Tx, step: MissionStep) -> list[SkillVersion]:
    """Return the methods in force that a step was given in full, without those of third parties."""
    used = {(use.skill, use.version) for use in await skills_used_by_task(tx, step.task_id) if use.in_full}
    in_force = await skills_in_force(tx, {skill for skill, _ in used})
    return [
        one
        for one in in_force
        if (one.skill, one.version) in used and one.origin is not SkillOrigin.THIRD_PARTY
    ]


async def _failing_method(tx: Tx, step: MissionStep, methods: Sequence[SkillVersion]) -> SkillVersion | None:
    """Return the method by which somebody else's work was rejected, too: then it is the method that fails, and not who
    works by it.
    """
    for method in methods:
        uses = await uses_of_skill(tx, method.skill, version=method.version, limit=_STEPS_READ)
        others = {use.task_id for use in uses if use.in_full and use.agent_id != step.agent_id}
        if any(review.state == "rejected" for review in await reviews_of_steps(tx, list(others))):
            return method
    return None


def _was_studied(step: MissionStep, earlier: Sequence[Trial]) -> bool:
    return any(one.trigger is TrialTrigger.STRIKE and step.task_id in one.studied for one in earlier)


async def _falling(tx: Tx, agent: Agent, earlier: Sequence[Trial]) -> str:
    """Return what is said of an agent's falling scores; empty where they do not fall, or too few are new."""
    since = earlier[0].created_at if earlier else None
    versions = await scores_of_agent(tx, agent.id)
    scores = [one.score for one in versions if since is None or one.at > since]
    if not falls(scores):
        return ""
    half = SCORES_COMPARED // 2
    older, newer = scores[-SCORES_COMPARED:-half], scores[-half:]
    return (
        f"the scores of the newest {half} versions fell to {_mean(newer):.1f},"
        f" from {_mean(older):.1f} of the {half} before them"
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


async def _rejected_steps(tx: Tx, agent: Agent) -> list[UUID]:
    """Return the newest steps of an agent of which a version was rejected."""
    steps = [step.task_id for step in await newest_steps_of(tx, agent.id, limit=_STEPS_READ)]
    rejected = {one.step_id for one in await reviews_of_steps(tx, steps) if one.state == "rejected"}
    return [step for step in steps if step in rejected][:_STUDIED_MAX]


async def _begin_alone(
    tx: Tx,
    agent: Agent,
    method: SkillVersion | None,
    trigger: TrialTrigger,
    why: str,
    studied: Sequence[UUID],
) -> None:
    """Begin an upskilling, unless another transaction has begun one of the agent or the skill meanwhile."""
    await _lock(tx, agent, method)
    if await _open_trial(tx, agent, method) is None:
        await _begin(tx, agent, method, trigger, why, studied, actor=SYSTEM)


async def _begin(
    tx: Tx,
    agent: Agent,
    method: SkillVersion | None,
    trigger: TrialTrigger,
    why: str,
    studied: Sequence[UUID],
    *,
    actor: Actor,
) -> Trial:
    """Store the upskilling and create the task that writes the next version."""
    chief = await chief_of_staff(tx)
    baseline = method.version if method else await lock_persona(tx, agent.id)
    about = f"skill {method.skill.replace('_', ' ')}" if method else f"persona of {agent.name}, {agent.title}"
    trial_id, task_id = new_id(), new_id()
    task = NewTask(
        id=task_id,
        process="upskill",
        slug=f"upskill-{agent.key}",
        title=f"Revise the {about}",
        group_id=trial_id,
        assignee=chief.id,
        fields={"colleague": agent.key},
    )
    await create_tasks(tx, [task], actor=actor)
    trial = await add_trial(
        tx,
        trial_id,
        agent_id=agent.id,
        trigger=trigger,
        why=why,
        studied=studied,
        task_id=task_id,
        baseline=baseline,
        skill=method.skill if method else None,
        rules=await rules_in_force(tx, TrialRules),
    )
    await append_agent_event(
        tx,
        agent,
        "agent.upskilling",
        actor=str(actor),
        trial=str(trial_id),
        trigger=trigger,
        skill=method.skill if method else "",
        why=why,
    )
    return trial
