"""The verdict of a review applied: the next stage, acceptance, a strike, or failure at the last strike."""

from __future__ import annotations

from uuid import UUID

from frasier.kernel.text import digest, shorten
from frasier.memory import WorkOutcome, save_lesson
from frasier.org.governance import (
    AutonomySettings,
    Review,
    ReviewKind,
    Verdict,
    reviews_of_steps,
    store_verdict,
    withdraw_reviews,
)
from frasier.org.people import get_agent
from frasier.org.planning.completion import settle_mission
from frasier.org.planning.deliverables import Deliverable, get_deliverable
from frasier.org.planning.delivery import accept_step, open_review, provenance_of
from frasier.org.planning.escalations import ask_about_strikes
from frasier.org.planning.steps import MissionStep
from frasier.org.planning.used_memories import judge_lessons
from frasier.store import Tx
from frasier.workflow import Actor, ActorKind, Task, get_task, move


async def apply_verdict(
    tx: Tx,
    step: MissionStep,
    review: Review,
    verdict: Verdict,
    *,
    attempt: int,
    worker: Actor,
    autonomy: AutonomySettings,
) -> Task:
    """Store a verdict, end its review task and move the step: one transaction. Returns the step's task."""
    if review.review_task is None or review.reviewer is None:
        raise AssertionError("a policy approval has no verdict to apply")
    await store_verdict(tx, review.id, verdict)
    await move(
        tx,
        review.review_task,
        "finish",
        actor=worker,
        attempt=attempt,
        note=f"{'approved' if verdict.approved else 'rejected'} with {verdict.overall:.1f}",
        fields={"result_digest": digest(verdict.feedback), "result_size": len(verdict.feedback.encode())},
    )
    deliverable = await get_deliverable(tx, review.deliverable_id)
    reviewer = await get_agent(tx, review.reviewer)
    actor = Actor(ActorKind.REVIEWER, reviewer.key)
    if not verdict.approved:
        return await _send_back(tx, step, deliverable, verdict, actor=actor, autonomy=autonomy)
    task = await get_task(tx, step.task_id)
    kinds = {r.kind for r in await reviews_of_steps(tx, [step.task_id]) if r.deliverable_id == deliverable.id}
    open_stages = [ReviewKind(name) for name in task.fields["review_stages"] if ReviewKind(name) not in kinds]
    if open_stages:
        await open_review(tx, step, task, deliverable, open_stages[0])
        return await get_task(tx, step.task_id)
    return await accept_step(
        tx, step, deliverable, actor=actor, reason=f"{reviewer.name}: {verdict.feedback}"
    )


async def _send_back(
    tx: Tx,
    step: MissionStep,
    deliverable: Deliverable,
    verdict: Verdict,
    *,
    actor: Actor,
    autonomy: AutonomySettings,
) -> Task:
    await withdraw_reviews(tx, step.task_id)
    # The verdict of a rehearsal is computed, and says nothing of a lesson.
    if not deliverable.rehearsal:
        await judge_lessons(tx, step.task_id, step.agent_id, WorkOutcome.REJECTED)
    await save_lesson(
        tx,
        agent_id=step.agent_id,
        lesson=f"Work was sent back: {shorten(verdict.feedback, 400)}",
        context=shorten(step.title, 100),
        importance=8,
        tags=("review",),
        provenance=provenance_of(step, deliverable),
    )
    task = await get_task(tx, step.task_id)
    if task.strikes + 1 < autonomy.strikes_max:
        return await move(tx, step.task_id, "reject", actor=actor, fields={"feedback": verdict.feedback})
    failed = await move(
        tx,
        step.task_id,
        "strike_out",
        actor=actor,
        fields={"reason": f"rejected {task.strikes + 1} times; the last feedback: {verdict.feedback}"},
    )
    await ask_about_strikes(tx, failed, feedback=verdict.feedback)
    await settle_mission(tx, step.mission_id)
    return failed


async def feedback_on(tx: Tx, step_id: UUID) -> tuple[str, ...]:
    """Return the feedback on the rejected versions of a step, oldest first."""
    reviews = await reviews_of_steps(tx, [step_id])
    return tuple(review.feedback or "" for review in reviews if review.state == "rejected")
