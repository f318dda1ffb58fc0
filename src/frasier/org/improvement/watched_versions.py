"""The watch over versions that a trial kept: where the scores of the work that follows fall, the founder is told.

Whether the version before comes back is for the founder to decide.
"""

from __future__ import annotations

from collections.abc import Collection

from frasier.kernel.advice import Advice
from frasier.kernel.statistics.estimate import seed_of
from frasier.org.conversation import announce
from frasier.org.improvement.score_trends import scored_versions
from frasier.org.improvement.trial_subjects import subject_of, version_in_force, work_with
from frasier.org.people import Agent, get_agent
from frasier.org.staffing import SCORES_COMPARED, ScoreTrend, Trial, TrialState, kept_trial_of, trend_around
from frasier.store import Tx

_HALF = SCORES_COMPARED // 2


async def watch_kept_versions(tx: Tx, agent: Agent, skills: Collection[str]) -> None:
    """Tell the founder, once each, since which kept versions of an agent's persona and of some skills the scores of
    real work have fallen.
    """
    for skill in (None, *sorted(skills)):
        trial = await kept_trial_of(tx, agent_id=agent.id, skill=skill)
        if trial is None or await version_in_force(tx, trial) != trial.candidate:
            continue
        trend = await read_following_work(tx, trial)
        if trend is not None and trend.falling:
            await _announce(tx, trial, trend)


async def read_following_work(tx: Tx, trial: Trial) -> ScoreTrend | None:
    """Read how real work was scored before a version that was kept, and since; None for a trial that kept none."""
    if trial.state is not TrialState.KEPT or trial.ended_at is None:
        return None
    versions = await scored_versions(tx, [step.task_id for step in await work_with(tx, trial)])
    return trend_around(
        [one.score for one in versions if one.at <= trial.ended_at],
        [one.score for one in versions if one.at > trial.ended_at],
        seed=seed_of(trial.id, "following"),
    )


async def _announce(tx: Tx, trial: Trial, trend: ScoreTrend) -> None:
    agent = await get_agent(tx, trial.agent_id)
    text = (
        f"Since version {trial.candidate} of {subject_of(trial, agent)} is in force, the scores of real work have"
        f" fallen: the newest {_HALF} lie below the {_HALF} before it. Mean since then {trend.newest},"
        f" before {trend.before}."
    )
    to = f"put version {trial.baseline} in force again"
    back = (
        Advice("skill.rollback", to=to, skill=trial.skill, version=str(trial.baseline))
        if trial.skill
        else Advice("persona.rollback", to=to, agent=agent.key)
    )
    await announce(
        tx, mission_id=trial.id, kind="trial", key=f"{trial.id}:following", text=text, advice=(back,)
    )
