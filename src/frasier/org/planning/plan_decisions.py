"""The founder's part in a plan: approval where it is asked for, and the answer to the planner's one question."""

from __future__ import annotations

from uuid import UUID

from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvariantBroken, Stale
from frasier.kernel.humanize import ended, plural
from frasier.org.conversation import CANCEL, CLARIFICATION, CONTINUE, NO, PLAN_QUESTION, YES, announce
from frasier.org.governance import FounderQuestion, ask_founder, withdraw_questions
from frasier.org.missions import (
    Mission,
    PlanState,
    StoredPlan,
    current_plan,
    get_mission,
    plans_of,
    set_plan_state,
)
from frasier.org.planning.mission_lifecycle import cancel_mission
from frasier.store import Tx, append_event
from frasier.workflow import BLOCKED, Actor, Task, block, get_task, restore

_ID_CHARS = 8
_DIGEST_CHARS = 12


async def ask_about_plan(
    tx: Tx, task: Task, mission: Mission, plan: StoredPlan, *, actor: Actor, attempt: int
) -> None:
    """Pause planning until the founder has decided about the plan; ask and announce it once."""
    blocked = await block(
        tx,
        task.id,
        reason="the plan waits for a decision",
        owner="founder",
        action="approve or reject it",
        actor=actor,
        attempt=attempt,
    )
    await show_plan(tx, blocked, mission, plan)


async def show_plan(tx: Tx, task: Task, mission: Mission, plan: StoredPlan) -> None:
    """Ask whether the plan shall be carried out, in place of any other question about the task."""
    await withdraw_questions(tx, task.id)
    name, digest = str(mission.id)[-_ID_CHARS:], plan.digest[:_DIGEST_CHARS]
    takes = f" It takes {plan.estimate.headline}." if plan.estimate else ""
    same = " They are those of a plan that you rejected; edit it to change them." * await _was_rejected(
        tx, plan
    )
    text = f"The plan of {mission.title!r} has {plural(len(plan.plan['steps']), 'step')}.{same}{takes} Shall it begin?"
    advice = (
        Advice("mission.show", to="read the plan", mission=name),
        Advice("approval.give", to="begin", id=name, digest=digest),
        Advice("approval.refuse", to="have it planned again", id=name, reason="WHY"),
    )
    question_id = await ask_founder(
        tx,
        kind=PLAN_QUESTION,
        mission_id=mission.id,
        task_id=task.id,
        question=text,
        options=[YES, NO],
        place=(task.id, task.attempt, plan.version, plan.digest),
        advice=advice,
        digest=plan.digest,
    )
    if question_id:
        await _announce(tx, mission.id, question_id, text, advice)


async def _was_rejected(tx: Tx, plan: StoredPlan) -> bool:
    """Whether the founder rejected a plan of these steps: a planner may not follow the reason, a rehearsal cannot."""
    return any(
        earlier.state is PlanState.REJECTED and _steps_of(earlier) == _steps_of(plan)
        for earlier in await plans_of(tx, plan.mission_id)
    )


def _steps_of(plan: StoredPlan) -> list[tuple[str, ...]]:
    return [tuple(str(step[name]) for name in ("title", "task", "role")) for step in plan.plan["steps"]]


async def ask_to_clarify(
    tx: Tx, task: Task, mission: Mission, question: str, *, actor: Actor, attempt: int
) -> None:
    """Pause planning until the founder has answered the planner's question; ask and announce it once."""
    blocked = await block(
        tx,
        task.id,
        reason=f"the chief of staff asks: {ended(question)}",
        owner="founder",
        action="answer",
        actor=actor,
        attempt=attempt,
    )
    text = f"Before {mission.title!r} is planned: {question}"
    question_id = await ask_founder(
        tx,
        kind=CLARIFICATION,
        mission_id=mission.id,
        task_id=task.id,
        question=text,
        options=[CONTINUE, CANCEL],
        place=(task.id, blocked.attempt),
    )
    if question_id:
        await _announce(tx, mission.id, question_id, text, (to_answer(question_id),))


def to_answer(question_id: UUID) -> Advice:
    """Return the advice how a question that asks for words is answered."""
    return Advice("question.decide", to="answer", question=str(question_id)[-_ID_CHARS:], answer="ANSWER")


async def decide_plan(tx: Tx, question: FounderQuestion, answer: str, *, note: str, actor: Actor) -> str:
    """Carry out the founder's decision about a plan; return a sentence about the effect.

    A plan that is rejected with a note is made again with the note; without one the mission is cancelled. Raises Stale
    if the plan is not the one that the question showed.
    """
    if question.mission_id is None or question.task_id is None:
        raise InvariantBroken(f"question {question.id} is about no plan")
    mission = await get_mission(tx, question.mission_id)
    plan = await current_plan(tx, mission.id)
    task = await get_task(tx, question.task_id)
    if plan is None or plan.state is not PlanState.PROPOSED or plan.digest != question.digest:
        raise plan_changed(mission)
    if task.status != BLOCKED:
        raise Stale(f"{task.title} is not blocked any more.", kept="Nothing was changed.")
    approved = answer == YES
    await set_plan_state(tx, plan, PlanState.APPROVED if approved else PlanState.REJECTED)
    await append_event(
        tx,
        stream=mission.id,
        kind="plan.approved" if approved else "plan.rejected",
        actor=str(actor),
        payload={"version": plan.version, "digest": plan.digest, "note": note},
    )
    if not approved and not note:
        await cancel_mission(tx, mission, actor=actor, reason="its plan was rejected")
        return f"The plan is rejected, and the mission {mission.title!r} is cancelled."
    await restore(tx, task.id, actor=actor)
    if approved:
        return f"The plan of {mission.title!r} is approved."
    return f"The plan is rejected; {mission.title!r} is planned again."


def plan_changed(mission: Mission) -> Stale:
    """Return the error of a decision about a plan that is not the current one."""
    name = str(mission.id)[-_ID_CHARS:]
    return Stale(
        f"The plan of {mission.title!r} is not the one that was shown any more.",
        kept="Nothing was changed.",
        advice=Advice("mission.show", to="see the plan as it is now", mission=name),
    )


async def _announce(
    tx: Tx, mission_id: UUID, question_id: UUID, text: str, advice: tuple[Advice, ...]
) -> None:
    await announce(
        tx,
        mission_id=mission_id,
        kind="blocked",
        key=str(question_id),
        text=f"Waiting for you. {text}",
        advice=advice,
    )
