"""Hires for reviews: an expert for a subject that nobody in the house can judge, where the policy wants one."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from uuid import UUID

from frasier.kernel.text import shorten
from frasier.org.governance import HIRED_FOR_REVIEWS, HiringRules, rules_in_force
from frasier.org.missions import MissionStep, current_plan, get_mission
from frasier.org.people import AgentStatus
from frasier.org.planning.hiring import create_hires
from frasier.org.staffing import ReviewerChoice, Subject, WantedColleague, hire, was_refused
from frasier.store import Tx

_TITLE_CHARS = 80
_REASON_CHARS = 300


async def hire_reviewer(
    tx: Tx, step: MissionStep, subject: Subject, nobody: ReviewerChoice, *, others: Collection[UUID]
) -> ReviewerChoice:
    """Hire an expert for the review of a step, or propose one to the founder.

    The choice stays `nobody` where the policy hires nobody for reviews, the founder refused it for this mission, or the
    expert is dormant or one of the `others`, who wrote or review the work.
    """
    if not subject.terms or not (await rules_in_force(tx, HiringRules)).for_reviews:
        return nobody
    mission = await get_mission(tx, step.mission_id)
    wanted = WantedColleague(
        title=shorten(f"Expert reviewer for {subject.name}", _TITLE_CHARS),
        role=step.role,
        reason=shorten(f"the review of {step.title!r}: {nobody.why}", _REASON_CHARS),
        expected_usd_micros=await _expected_usd_micros(tx, mission.id),
    )
    if await was_refused(tx, wanted.title, mission_id=mission.id):
        return replace(nobody, why=f"{nobody.why}, and the founder hires nobody for it")
    expert = await hire(tx, wanted, mission_id=mission.id)
    if expert.status is AgentStatus.DORMANT or expert.id in others:
        return nobody
    return ReviewerChoice(reviewer=expert, why=f"{expert.title}, {HIRED_FOR_REVIEWS}: {nobody.why}")


async def personas_of(tx: Tx, step: MissionStep, choice: ReviewerChoice) -> tuple[UUID, ...]:
    """Return the tasks that a review waits for: who was hired gives none before their persona is written."""
    if choice.reviewer is None:
        return ()
    mission = await get_mission(tx, step.mission_id)
    return (await create_hires(tx, mission, [choice.reviewer])).get(choice.reviewer.id, ())


async def _expected_usd_micros(tx: Tx, mission_id: UUID) -> int:
    plan = await current_plan(tx, mission_id)
    return plan.estimate.hire_usd_micros if plan and plan.estimate else 0
