"""A mission's used-up budget: what the question about it proposes, and the budget with which the mission goes on."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvalidInput
from frasier.llm import cap_periods, plain_usd, spend_of_mission
from frasier.org.governance import FounderQuestion, budgets_asked, open_questions, withdraw_questions
from frasier.org.missions import current_plan, get_mission, steps_of
from frasier.org.planning.mission_lifecycle import give_budget
from frasier.store import Tx
from frasier.workflow import BLOCKED, SYSTEM, get_task, restore, tasks_of

_BUDGET = "budget:"
_SHOWN_DIGITS = 2


async def propose_budget(tx: Tx, mission_id: UUID | None, advice: Sequence[Advice]) -> tuple[Advice, ...]:
    """Add to the budget that the next call needs the one that the whole mission is expected to need by its plan."""
    plan = await current_plan(tx, mission_id) if mission_id and budgets_asked(advice) else None
    if mission_id is None or plan is None or plan.estimate is None:
        return tuple(advice)
    (least, *_), estimate = budgets_asked(advice), plan.estimate
    ended = {task.id for task in await tasks_of(tx, mission_id) if task.terminal}
    ahead = [step.key for step in await steps_of(tx, mission_id) if step.task_id not in ended]
    remaining = sum(estimate.steps[key].usd_micros for key in ahead if key in estimate.steps)
    needed = _rounded_up(max(estimate.high.usd_micros, least + remaining))
    name = str(mission_id)[-8:]
    purpose = "give it what the whole mission may need by its plan"
    return (*advice, Advice("mission.resume", to=purpose, mission=name, budget=plain_usd(needed)))


async def settle_budget(tx: Tx, question: FounderQuestion, usd_micros: int | None) -> str:
    """Give the mission of an answered question about its budget the one named, else the one that the question
    proposed; return a sentence about it, empty where its own suffices by now.

    Raises InvalidInput where no sufficient budget is named and none was proposed.
    """
    budgets = budgets_asked(question.advice)
    if question.mission_id is None or not budgets:
        if usd_micros is not None:
            raise InvalidInput(
                "This answer takes no budget: the question is not about a mission's budget.",
                kept="Nothing was decided.",
            )
        return ""
    own = (await spend_of_mission(tx, question.mission_id)).budget_usd_micros
    if usd_micros is None and own is not None and own >= budgets[0]:
        return ""
    new = next(iter(budgets[1:]), 0) if usd_micros is None else usd_micros
    if new < budgets[0]:
        raise budget_too_small(question, usd_micros)
    mission = await get_mission(tx, question.mission_id)
    await give_budget(tx, mission, new)
    return f"The mission {mission.title!r} may cost ${plain_usd(new)} in all now."


async def lacks_budget(tx: Tx, question: FounderQuestion) -> bool:
    """Return whether the budget of a question, the mission's own or that of its depth, is still too small."""
    budgets = budgets_asked(question.advice)
    if question.mission_id is None or not budgets:
        return False
    spend = await spend_of_mission(tx, question.mission_id)
    limit = spend.depth_budget_usd_micros if spend.budget_usd_micros is None else spend.budget_usd_micros
    return limit is not None and limit < budgets[0]


def budget_too_small(question: FounderQuestion, usd_micros: int | None) -> InvalidInput:
    """Return the refusal to go on with a budget that the next call would pass; None if no other one is named."""
    least, *proposed = budgets_asked(question.advice)
    named = (
        "The budget is used up"
        if usd_micros is None
        else f"A budget of ${plain_usd(usd_micros)} is too small"
    )
    return InvalidInput(
        f"{named}: with what is spent and in flight, the mission's next call needs ${plain_usd(least)}.",
        kept="Nothing was changed, and the question stays open.",
        advice=Advice(
            "question.decide",
            to="go on with a larger one",
            question=str(question.id)[-8:],
            answer="continue",
            budget=plain_usd(*proposed) if proposed else "USD",
        ),
    )


async def end_past_caps(tx: Tx) -> None:
    """Go on with what the cap of a day or a month stopped that is over; its questions are withdrawn."""
    present = {f"{_BUDGET}{scope}:{key}" for scope, key in (await cap_periods(tx)).items()}
    for question in await open_questions(tx):
        of_period = question.cause_key.startswith((f"{_BUDGET}day:", f"{_BUDGET}month:"))
        if question.task_id is None or not of_period or question.cause_key in present:
            continue
        await withdraw_questions(tx, question.task_id)
        if (await get_task(tx, question.task_id)).status == BLOCKED:
            await restore(tx, question.task_id, actor=SYSTEM, note="the period of its budget is over")


def _rounded_up(usd_micros: int) -> int:
    """Round up to two digits: a proposal that is read, and typed again."""
    unit: int = 10 ** max(len(str(usd_micros)) - _SHOWN_DIGITS, 0)
    return -(-usd_micros // unit) * unit
