"""The verdict of a review applied: the next stage, acceptance, a strike, or failure at the last strike."""

from __future__ import annotations

from uuid import UUID

from frasier.kernel.fault_points import fault_point
from frasier.kernel.text import digest, shorten
from frasier.memory import WorkOutcome, save_lesson
from frasier.org.execution.coherence import is_left_unsettled
from frasier.org.execution.completion import settle_mission
from frasier.org.execution.delivery import accept_step, open_reviews, provenance_of
from frasier.org.execution.escalations import announce_strikes, ask_about_strikes
from frasier.org.governance import (
    AutonomySettings,
    CoherenceRules,
    Review,
    ReviewKind,
    Verdict,
    debate_decisions,
    feedback_of,
    reviews_of_steps,
    reviews_of_version,
    rules_in_force,
    store_verdict,
    withdraw_reviews,
)
from frasier.org.improvement import mark_by_colleagues, upskill_after_verdict
from frasier.org.missions import (
    Deliverable,
    MissionStatus,
    MissionStep,
    get_deliverable,
    judge_lessons,
    lock_step,
)
from frasier.org.people import get_agent
from frasier.org.planning import start_debate, start_mentoring
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
    """Store a verdict, end its review task, and with the last review of the version move the step, or have the
    reviewers debate where they disagree: one transaction.

    Returns the step's task.
    """
    if review.review_task is None or review.reviewer is None:
        raise AssertionError("a policy approval has no verdict to apply")
    await lock_step(tx, step.task_id)
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
    return await _conclude(tx, step, review, autonomy=autonomy)


async def conclude_waived(
    tx: Tx, step: MissionStep, review: Review, *, attempt: int, worker: Actor, autonomy: AutonomySettings
) -> Task:
    """End the task of a review that is not given any more, and move the step if all others are; one transaction."""
    if review.review_task is None:
        raise AssertionError("a review without a task is never waited for")
    await lock_step(tx, step.task_id)
    note = review.feedback or "waived"
    await move(
        tx,
        review.review_task,
        "finish",
        actor=worker,
        attempt=attempt,
        note=note,
        fields={"result_digest": digest(note), "result_size": len(note.encode())},
    )
    task = await get_task(tx, step.task_id)
    return await _conclude(tx, step, review, autonomy=autonomy) if task.status == "in_review" else task


async def _conclude(tx: Tx, step: MissionStep, review: Review, *, autonomy: AutonomySettings) -> Task:
    """Move the step of a review once every review of its version is given; return the step's task."""
    reviews = await reviews_of_version(tx, step.task_id, review.deliverable_id)
    task = await get_task(tx, step.task_id)
    if any(one.state == "pending" for one in reviews):
        # The author gets what all reviewers say, at once.
        return task
    deliverable = await get_deliverable(tx, review.deliverable_id)
    await mark_by_colleagues(tx, deliverable, reviews)
    if await start_debate(tx, step, deliverable, reviews):
        return task
    return await settle_reviews(tx, step, deliverable, autonomy=autonomy)


async def settle_reviews(
    tx: Tx, step: MissionStep, deliverable: Deliverable, *, autonomy: AutonomySettings, note: str = ""
) -> Task:
    """Move a step by the verdicts on its version that stand, all of which are given; return its task.

    One rejection sends it back, unless it is about the coherence of its parts and the tries for that are used up: then
    it is accepted with what is left, or fails, as the policy says. The author gets what all reviewers say, and the
    `note` after it.
    """
    task = await get_task(tx, step.task_id)
    reviews = await reviews_of_version(tx, step.task_id, deliverable.id)
    standing = [one for one in reviews if one.state in {"approved", "rejected"}]
    feedback = f"{feedback_of(standing)} {note}".strip()
    last = task.strikes + 1 >= autonomy.strikes_max
    unsettled = await is_left_unsettled(tx, step, task, deliverable, standing, last=last)
    rejected = [one for one in standing if one.state == "rejected"]
    if unsettled and not (await rules_in_force(tx, CoherenceRules)).escalate:
        rejected = []
    if rejected:
        actor = await _actor_of(tx, rejected[0])
        return await _send_back(tx, step, deliverable, feedback, actor=actor, last=last or unsettled)
    given = {one.kind for one in reviews}
    missing = [kind for kind in map(ReviewKind, task.fields["review_stages"]) if kind not in given]
    if missing:
        await open_reviews(tx, step, task, deliverable, missing)
        reviews = await reviews_of_version(tx, step.task_id, deliverable.id)
        if any(one.state == "pending" for one in reviews):
            return await get_task(tx, step.task_id)
    latest = max(
        (one for one in standing if one.reviewer), key=lambda one: (one.reviewed_at or one.created_at, one.id)
    )
    accepted = await accept_step(tx, step, deliverable, actor=await _actor_of(tx, latest), reason=feedback)
    if unsettled:
        fault_point("coherence.before_commit")
    return accepted


async def _actor_of(tx: Tx, review: Review) -> Actor:
    if review.reviewer is None:
        raise AssertionError("a policy approval has no reviewer")
    return Actor(ActorKind.REVIEWER, (await get_agent(tx, review.reviewer)).key)


async def _send_back(
    tx: Tx,
    step: MissionStep,
    deliverable: Deliverable,
    feedback: str,
    *,
    actor: Actor,
    last: bool,
) -> Task:
    """Give the step back to its author with one strike, or fail it at the `last` one."""
    await withdraw_reviews(tx, step.task_id)
    await learn_from_rejection(tx, step, deliverable, f"Work was sent back: {shorten(feedback, 400)}")
    task = await get_task(tx, step.task_id)
    await upskill_after_verdict(tx, step, strikes=task.strikes + 1)
    if not last:
        wait_s = await start_mentoring(tx, step, deliverable)
        return await move(
            tx, step.task_id, "reject", actor=actor, fields={"feedback": feedback}, delay_s=wait_s
        )
    failed = await move(
        tx,
        step.task_id,
        "strike_out",
        actor=actor,
        fields={"reason": f"rejected {task.strikes + 1} times; the last feedback: {feedback}"},
    )
    await ask_about_strikes(tx, failed, feedback=feedback)
    if (await settle_mission(tx, step.mission_id)).status is MissionStatus.IN_PROGRESS:
        await announce_strikes(tx, failed)  # what ends its mission is announced as that
    return failed


async def learn_from_rejection(tx: Tx, step: MissionStep, deliverable: Deliverable, lesson: str) -> None:
    """Remember a lesson of a version that was sent back, and judge those that its author had."""
    # The verdict of a rehearsal is computed, and says nothing of a lesson.
    if not deliverable.rehearsal:
        await judge_lessons(tx, [step.task_id], WorkOutcome.REJECTED)
    await save_lesson(
        tx,
        agent_id=step.agent_id,
        lesson=lesson,
        context=shorten(step.title, 100),
        importance=8,
        tags=("review",),
        provenance=provenance_of(step, deliverable),
    )


def _debated(decision: str) -> str:
    return f"Its reviewers debated it: {decision}" if decision else ""


async def feedback_on(tx: Tx, step_id: UUID) -> tuple[str, ...]:
    """Return the feedback on the rejected versions of a step, oldest first: of each what all its reviewers say, and
    what a debate of theirs decided.
    """
    versions: dict[UUID, list[Review]] = {}
    for review in await reviews_of_steps(tx, [step_id]):
        if review.state != "set_aside":
            versions.setdefault(review.deliverable_id, []).append(review)
    decided = await debate_decisions(tx, list(versions))
    return tuple(
        f"{feedback_of(reviews)} {_debated(decided.get(version, ''))}".strip()
        for version, reviews in versions.items()
        if any(review.state == "rejected" for review in reviews)
    )
