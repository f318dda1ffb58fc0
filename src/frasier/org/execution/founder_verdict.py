"""The founder's own verdict on a delivered step, in place of its reviewers'."""

from __future__ import annotations

from dataclasses import dataclass

from frasier.board import anybody_works, blocked_tasks
from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvalidInput, Stale
from frasier.kernel.humanize import ended
from frasier.kernel.text import shorten, strip_control
from frasier.llm import book_unknown
from frasier.org.execution.apply_verdict import learn_from_rejection
from frasier.org.execution.delivery import accept_step
from frasier.org.governance import (
    reviews_of_steps,
    store_founder_verdict,
    withdraw_questions,
    withdraw_reviews,
)
from frasier.org.improvement import mark_by_founder, upskill_after_verdict
from frasier.org.missions import (
    Deliverable,
    Mission,
    MissionStep,
    deliverables_of,
    find_mission_task,
    get_mission,
    get_step,
)
from frasier.store import Tx
from frasier.workflow import BLOCKED, FOUNDER, Task, get_task, lock_group, move, restore, tasks_of

_APPROVED = "Approved by the founder."


@dataclass(frozen=True, slots=True, kw_only=True)
class StepJudged:
    """The founder's verdict as it was carried out. `unattended` where work is left and nobody works."""

    task: Task
    mission: Mission
    version: int
    approved: bool
    done: str
    unattended: bool


async def approve_step(tx: Tx, name: str, *, digest: str = "", reason: str = "") -> StepJudged:
    """Approve the version that waits for a verdict, and complete the step. Its open reviews are withdrawn.

    `name` is MISSION/KEY, or the id of the step. With `digest`, a beginning of it, only the version that has it: raises
    Stale for another one, and InvalidInput where no version waits for a verdict.
    """
    step, deliverable = await _take_from_reviewers(tx, name, digest)
    said = strip_control(reason).strip()
    feedback = f"{_APPROVED} {ended(said)}" if said else _APPROVED
    await store_founder_verdict(
        tx, deliverable_id=deliverable.id, step_id=step.task_id, approved=True, feedback=feedback
    )
    await mark_by_founder(tx, step, deliverable, approved=True, reason=feedback)
    task = await accept_step(tx, step, deliverable, actor=FOUNDER, reason=feedback)
    return await _judged(
        tx, step, task, deliverable, approved=True, effect=f"Version {deliverable.version} is approved."
    )


async def reject_step(tx: Tx, name: str, *, digest: str = "", reason: str) -> StepJudged:
    """Send back the version that waits for a verdict; `reason` tells the author what must be different.

    It is a strike, but never the step's end: the founder, who is asked at the last one, has spoken. Raises as
    approve_step does, and InvalidInput without a reason.
    """
    step, deliverable = await _take_from_reviewers(tx, name, digest)
    feedback = strip_control(reason).strip()
    if not feedback:
        raise InvalidInput(
            "A rejection needs a reason: it is all that the author is told.",
            kept="Nothing was changed.",
            advice=Advice("approval.refuse", to="say what must be different", id=name, reason="WHY"),
        )
    await store_founder_verdict(
        tx, deliverable_id=deliverable.id, step_id=step.task_id, approved=False, feedback=feedback
    )
    await mark_by_founder(tx, step, deliverable, approved=False, reason=feedback)
    lesson = f"The founder sent work back: {shorten(feedback, 400)}"
    await learn_from_rejection(tx, step, deliverable, lesson)
    task = await move(tx, step.task_id, "reject", actor=FOUNDER, fields={"feedback": feedback})
    await upskill_after_verdict(tx, step, strikes=task.strikes)
    effect = f"Version {deliverable.version} goes back to its author with your reason."
    return await _judged(tx, step, task, deliverable, approved=False, effect=effect)


async def _take_from_reviewers(tx: Tx, name: str, digest: str) -> tuple[MissionStep, Deliverable]:
    """End the reviews of the version that waits, and a pause for want of a reviewer; return step and version."""
    task = await find_mission_task(tx, name)
    if task.process != "mission_step":
        raise InvalidInput(
            f"{task.title} is not a step.",
            kept="Nothing was changed.",
            hint="A verdict is given on a step that was delivered, as MISSION/KEY.",
        )
    # A reviewer may be concluding at this moment: it holds its review task, then takes the step, then others.
    await lock_group(tx, task.group_id)
    task = await get_task(tx, task.id)
    if task.status == BLOCKED and await _paused_in_review(tx, task):
        await withdraw_questions(tx, task.id)
        task = await restore(tx, task.id, actor=FOUNDER, note="the founder gives the verdict")
    if task.status != "in_review":
        raise InvalidInput(
            f"{task.title} is {task.status.replace('_', ' ')}: no version of it waits for a verdict.",
            kept="Nothing was changed.",
            advice=Advice("step.show", to="see its versions", step=name),
        )
    step = await get_step(tx, task.id)
    deliverable = (await deliverables_of(tx, [task.id]))[-1]
    if not deliverable.digest.startswith(digest):
        raise Stale(
            f"{task.title} has a newer version than the one that you were shown: {deliverable.version}.",
            kept="Nothing was changed.",
            advice=Advice("step.show", to="see it", step=name),
        )
    await _cancel_reviews(tx, step)
    return step, deliverable


async def _paused_in_review(tx: Tx, task: Task) -> bool:
    return any(one.id == task.id and one.was == "in_review" for one in await blocked_tasks(tx, task.group_id))


async def _cancel_reviews(tx: Tx, step: MissionStep) -> None:
    waiting = {
        review.review_task
        for review in await reviews_of_steps(tx, [step.task_id])
        if review.state == "pending"
    }
    for task in await tasks_of(tx, step.mission_id):
        if task.id in waiting and not task.terminal:
            await withdraw_questions(tx, task.id)
            await move(
                tx, task.id, "cancel", actor=FOUNDER, fields={"reason": "the founder gave the verdict"}
            )
            # No run returns to a call that is in flight now, and it may be billed.
            await book_unknown(tx, task_id=task.id, before_attempt=task.attempt + 1)
    await withdraw_reviews(tx, step.task_id)


async def _judged(
    tx: Tx, step: MissionStep, task: Task, deliverable: Deliverable, *, approved: bool, effect: str
) -> StepJudged:
    mission = await get_mission(tx, step.mission_id)
    return StepJudged(
        task=task,
        mission=mission,
        version=deliverable.version,
        approved=approved,
        done=f"{task.title}: {effect}",
        unattended=not mission.status.ended and not await anybody_works(tx, mission.id),
    )
