"""The start of team routines, in the transaction that causes them and where the policy allows it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from uuid import UUID

from frasier.kernel.ids import new_id
from frasier.kernel.text import shorten
from frasier.org.governance import (
    Review,
    ReviewKind,
    Routine,
    RoutineKind,
    RoutineRules,
    computed_refusals,
    insert_routine,
    money_for_routine,
    rules_in_force,
)
from frasier.org.missions import Deliverable, Mission, MissionStep, authors_of, is_deep
from frasier.org.people import Agent, AgentKind, chief_of_staff, get_agent, roster
from frasier.org.staffing import choose_mentor, read_affinities
from frasier.store import Tx
from frasier.workflow import SYSTEM, NewTask, create_tasks

DISAGREEMENT_FROM = 1.0
"""Two reviews of a version disagree where their scores differ by more than this."""

_FIRST = 30
_SUBJECT_CHARS = 160
_ROUNDING = 1e-6


async def rules_of_routine(tx: Tx, kind: RoutineKind) -> RoutineRules | None:
    """Return the rules of routines where one of that kind may be held now; None where it is off or nothing is left."""
    rules = await rules_in_force(tx, RoutineRules)
    if rules.budget_usd <= 0 or not getattr(rules, kind):
        return None
    return rules if await money_for_routine(tx, rules) else None


async def start_brainstorm(tx: Tx, mission: Mission) -> UUID | None:
    """Have colleagues discuss a deep mission before it is planned; return the task that planning waits for."""
    if not is_deep(mission) or await rules_of_routine(tx, RoutineKind.BRAINSTORM) is None:
        return None
    chief = await chief_of_staff(tx)
    routine = await _create(
        tx,
        RoutineKind.BRAINSTORM,
        mission_id=mission.id,
        slug="brainstorm",
        subject=mission.title,
        assignee=chief.id,
    )
    return routine.task_id if routine else None


async def start_debate(
    tx: Tx, step: MissionStep, deliverable: Deliverable, reviews: Sequence[Review]
) -> bool:
    """Have the reviewers of a version who disagree settle it between them; return whether its reviews wait for that.

    Whoever decides wrote no part of the work and gave no review of it. What computed checks forbid is not debated.
    """
    disputed = disagreement(reviews)
    if disputed is None or computed_refusals(deliverable.citations):
        return False
    if await rules_of_routine(tx, RoutineKind.DEBATE) is None:
        return False
    excluded = {*await authors_of(tx, step), *(one.reviewer for one in reviews if one.reviewer)}
    moderator = choose_moderator(await roster(tx), excluded)
    if moderator is None:
        return False
    lower, higher = disputed
    routine = await _create(
        tx,
        RoutineKind.DEBATE,
        mission_id=step.mission_id,
        slug=f"{step.key}-v{deliverable.version}-debate",
        subject=f"{step.title}, version {deliverable.version}: scored {lower.overall:.1f} and {higher.overall:.1f}",
        assignee=moderator.id,
        deliverable_id=deliverable.id,
    )
    return routine is not None


async def start_mentoring(tx: Tx, step: MissionStep, deliverable: Deliverable) -> float:
    """Have a colleague mentor the author of a version that was sent back; return the most seconds to wait for it."""
    rules = await rules_of_routine(tx, RoutineKind.MENTORING)
    if rules is None:
        return 0.0
    author = await get_agent(tx, step.agent_id)
    if await find_mentor(tx, step) is None:
        return 0.0
    routine = await _create(
        tx,
        RoutineKind.MENTORING,
        mission_id=step.mission_id,
        slug=f"{step.key}-v{deliverable.version}-mentoring",
        subject=f"{author.name}'s work on {step.title} was sent back",
        assignee=author.id,
        deliverable_id=deliverable.id,
    )
    return rules.minutes * 60 if routine else 0.0


async def _create(
    tx: Tx,
    kind: RoutineKind,
    *,
    mission_id: UUID,
    slug: str,
    subject: str,
    assignee: UUID,
    deliverable_id: UUID | None = None,
) -> Routine | None:
    """Create the task of a routine with it; None where it was held before."""
    task_id = new_id()
    about = shorten(subject, _SUBJECT_CHARS)
    routine = await insert_routine(
        tx, kind, task_id=task_id, subject=about, mission_id=mission_id, deliverable_id=deliverable_id
    )
    if routine is None:
        return None
    name = kind.replace("_", "-").capitalize()
    task = NewTask(
        id=task_id,
        process="routine",
        slug=slug,
        title=shorten(f"{name}: {about}", _SUBJECT_CHARS),
        group_id=mission_id,
        assignee=assignee,
        priority=_FIRST,
    )
    await create_tasks(tx, [task], actor=SYSTEM)
    return routine


def disagreement(reviews: Sequence[Review]) -> tuple[Review, Review] | None:
    """Return the lowest and the highest review of a version where these differ by more than a point; who reads the
    whole disagrees with nobody who judges the parts. Pure.
    """
    given = [
        review
        for review in reviews
        if review.reviewer is not None
        and review.kind is not ReviewKind.COHERENCE
        and review.overall is not None
        and review.state in {"approved", "rejected"}
    ]
    if len(given) < 2:
        return None
    ordered = sorted(given, key=lambda review: (review.overall or 0.0, review.state == "approved", review.id))
    lower, higher = ordered[0], ordered[-1]
    gap = (higher.overall or 0.0) - (lower.overall or 0.0)
    return (lower, higher) if gap > DISAGREEMENT_FROM + _ROUNDING else None


def choose_moderator(agents: Sequence[Agent], excluded: Collection[UUID]) -> Agent | None:
    """Choose who decides a debate, of those who are not excluded: the chief of staff, else a team lead, else anybody,
    since where the chief is the expert and the lead has read the whole, these two reviewed it. Pure.
    """
    able = [agent for agent in agents if agent.id not in excluded]
    ranks = (AgentKind.CHIEF_OF_STAFF, AgentKind.TEAM_LEAD)
    return min(able, key=lambda agent: [agent.kind is not kind for kind in ranks], default=None)


async def find_mentor(tx: Tx, step: MissionStep) -> Agent | None:
    """Return the colleague who mentors the author of a step: of its role, and who works best with them."""
    author = await get_agent(tx, step.agent_id)
    return choose_mentor(author, step.role, await roster(tx), await read_affinities(tx, author.id))
