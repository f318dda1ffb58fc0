"""Changes of the staff by the founder: hire, rest, wake and retire agents and teams. Open work is handed over.

Nobody is retired for scores (D-007): that is the founder's word alone.
"""

from __future__ import annotations

from dataclasses import dataclass

from frasier.kernel.errors import InvalidInput, Refused
from frasier.kernel.text import strip_control
from frasier.org.execution.reviewer_search import ReviewerSearch
from frasier.org.governance import (
    ReviewKind,
    give_review,
    pending_reviews_of,
    reviews_of_version,
    waive_review,
    waiver,
)
from frasier.org.missions import get_step, open_steps_of
from frasier.org.people import (
    Agent,
    AgentKind,
    AgentStatus,
    Role,
    TeamStatus,
    append_agent_event,
    chief_of_staff,
    find_agent,
    find_team,
    get_agent,
    members_of,
    roster,
    set_agent_status,
    set_team_status,
)
from frasier.org.planning import hand_over
from frasier.org.staffing import WantedColleague, end_hire, hire
from frasier.store import Tx
from frasier.workflow import FOUNDER, reassign

_TITLE_CHARS_MAX = 80
_REASON_CHARS_MAX = 300
_KEPT = "Nothing was changed."


@dataclass(frozen=True, slots=True, kw_only=True)
class StaffChange:
    """An agent after a change, and how many open steps and reviews of theirs others have got."""

    agent: Agent
    steps: int = 0
    reviews: int = 0
    is_new: bool = False


async def hire_by_founder(
    tx: Tx, title: str, role: Role, *, reason: str = "", is_test: bool = False
) -> StaffChange:
    """Hire a colleague with a title; whoever has been hired for that trade already is returned.

    Their persona is researched before their first work; a test identity gets no work, and never reviews.
    Raises InvalidInput for a title that is none.
    """
    name = " ".join(strip_control(title).split())
    if not 3 <= len(name) <= _TITLE_CHARS_MAX:
        raise InvalidInput(
            f"A title has 3 to {_TITLE_CHARS_MAX} characters.",
            kept="Nobody was hired.",
            hint="Name the trade as its members do, such as “Tax advisor for German SMEs”.",
        )
    before = {agent.id for agent in await roster(tx, active_only=False)}
    because = (
        " ".join(strip_control(reason).split())[:_REASON_CHARS_MAX]
        or "the founder wants the trade in the house"
    )
    wanted = WantedColleague(title=name, role=role, reason=because, expected_usd_micros=0)
    agent = await hire(tx, wanted, mission_id=None, by_founder=True, is_test=is_test)
    return StaffChange(agent=agent, is_new=agent.id not in before)


async def rest_agent(tx: Tx, name: str) -> StaffChange:
    """Make an agent dormant: they get no work, and others get what they have not ended."""
    return await _leave(tx, await _movable(tx, name, {AgentStatus.ACTIVE}), AgentStatus.DORMANT)


async def retire_agent(tx: Tx, name: str) -> StaffChange:
    """Retire an agent for good: others get what they have not ended, and their name is free again.

    What they did, their persona and their memories are kept.
    """
    agent = await _movable(tx, name, {AgentStatus.ACTIVE, AgentStatus.DORMANT})
    change = await _leave(tx, agent, AgentStatus.RETIRED)
    await end_hire(tx, agent.id, actor=FOUNDER)
    return change


async def wake_agent(tx: Tx, name: str) -> StaffChange:
    """Give work to a dormant agent again."""
    agent = await _movable(tx, name, {AgentStatus.DORMANT})
    return StaffChange(agent=await _set_status(tx, agent, AgentStatus.ACTIVE))


async def set_team(tx: Tx, name: str, status: TeamStatus) -> list[StaffChange]:
    """Make a team and its agents active or dormant, and return those that changed.

    Raises Refused where nobody would be left to give a review.
    """
    team = await find_team(tx, name)
    await set_team_status(tx, team.id, status)
    everybody = await roster(tx, active_only=False)
    changes = []
    for agent in members_of(team, everybody):
        if status is TeamStatus.DORMANT and agent.status is AgentStatus.ACTIVE:
            changes.append(await _leave(tx, agent, AgentStatus.DORMANT))
        elif status is TeamStatus.ACTIVE and agent.status is AgentStatus.DORMANT:
            changes.append(StaffChange(agent=await _set_status(tx, agent, AgentStatus.ACTIVE)))
    return changes


async def _movable(tx: Tx, name: str, statuses: set[AgentStatus]) -> Agent:
    agent = await find_agent(tx, name)
    if agent.kind is AgentKind.CHIEF_OF_STAFF:
        raise Refused(f"{agent.name} is the chief of staff, who plans all work.", kept=_KEPT)
    if agent.status not in statuses:
        hint = "Hire somebody with the same title instead." if agent.status is AgentStatus.RETIRED else ""
        raise Refused(f"{agent.name} is {agent.status}.", kept=_KEPT, hint=hint)
    return agent


async def _leave(tx: Tx, agent: Agent, status: AgentStatus) -> StaffChange:
    changed = await _set_status(tx, agent, status)
    steps = await open_steps_of(tx, agent.id)
    await hand_over(tx, steps, actor=FOUNDER)
    return StaffChange(agent=changed, steps=len(steps), reviews=await _hand_over_reviews(tx, agent))


async def _set_status(tx: Tx, agent: Agent, status: AgentStatus) -> Agent:
    await set_agent_status(tx, agent.id, status)
    await append_agent_event(tx, agent, f"agent.{status}", actor=str(FOUNDER))
    return await get_agent(tx, agent.id)


async def _hand_over_reviews(tx: Tx, agent: Agent) -> int:
    reviews = await pending_reviews_of(tx, agent.id)
    for review in reviews:
        step = await get_step(tx, review.step_id)
        others = await reviews_of_version(tx, step.task_id, review.deliverable_id)
        choice = (await ReviewerSearch.of(tx, step)).choose(
            ReviewKind(review.kind), taken={one.reviewer for one in others if one.reviewer}
        )
        heir = choice.reviewer
        if heir is None and review.kind == ReviewKind.QA:
            raise Refused(
                f"Nobody but its authors could give the review of {step.title!r} in place of {agent.name}.",
                kept=_KEPT,
                hint="Hire or wake a colleague first.",
            )
        if heir is None:
            await waive_review(tx, review.id, reason=waiver(ReviewKind(review.kind), choice.why))
            heir = await chief_of_staff(tx)  # whose task ends without a verdict
        else:
            await give_review(tx, review.id, heir.id, choice=choice.why)
        if review.review_task is not None:
            await reassign(tx, review.review_task, heir.id, actor=FOUNDER)
    return len(reviews)
