"""The delivery of a step: storing the version, requesting reviews, applying verdicts."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from frasier.kernel.ids import new_id
from frasier.kernel.text import digest, shorten
from frasier.llm import Tier
from frasier.memory import MemoryKind, NewMemory, save_lesson, save_memory
from frasier.org.governance import (
    AutonomySettings,
    Review,
    ReviewKind,
    Verdict,
    approve_by_policy,
    ask_for_review,
    choose_reviewer,
    reviews_of_steps,
    route_review,
    store_verdict,
    withdraw_reviews,
)
from frasier.org.people import get_agent, roster
from frasier.org.planning.approaches import remember_approach
from frasier.org.planning.completion import settle_mission
from frasier.org.planning.deliverables import (
    REHEARSAL,
    Deliverable,
    Draft,
    get_deliverable,
    store_deliverable,
)
from frasier.org.planning.escalations import ask_about_strikes, block_for_founder
from frasier.org.planning.steps import MissionStep
from frasier.org.skills import record_use
from frasier.store import Tx
from frasier.workflow import POLICY, SYSTEM, Actor, ActorKind, NewTask, Task, create_tasks, get_task, move

_REVIEW_TIERS = {ReviewKind.QA: Tier.T1, ReviewKind.EXPERT: Tier.T2, ReviewKind.LEAD: Tier.T2}


@dataclass(frozen=True, slots=True)
class Handover:
    """The result of a delivery: the stored version, and its pending reviews (none if policy approved)."""

    deliverable: Deliverable
    stages: tuple[ReviewKind, ...]
    reason: str


async def deliver_step(
    tx: Tx, step: MissionStep, draft: Draft, *, attempt: int, actor: Actor, autonomy: AutonomySettings
) -> Handover:
    """Store the next version of a step's deliverable and route it to review, in the caller's transaction.

    Raises BadReply if the text breaks the rules for deliverables, and LeaseLost if the attempt is over.
    """
    stored = await store_deliverable(
        tx, task_id=step.task_id, mission_id=step.mission_id, attempt=attempt, draft=draft
    )
    route = route_review(
        autonomy,
        critique_mean=stored.critique_mean,
        citations=stored.citations,
        verification=stored.verification,
        tier=step.tier,
        is_final=step.is_final,
    )
    task = await move(
        tx,
        step.task_id,
        "deliver",
        actor=actor,
        attempt=attempt,
        note=f"version {stored.version} delivered; {route.reason}",
        fields={
            "deliverable_id": str(stored.id),
            "result_digest": stored.digest,
            "result_size": len(stored.content.encode()),
            "review_stages": [str(stage) for stage in route.stages],
        },
    )
    if route.by_policy:
        critique = draft.critique
        scores = (
            critique.model_dump(include={"completeness", "accuracy", "actionability", "depth"})
            if critique
            else {}
        )
        await approve_by_policy(
            tx,
            deliverable_id=stored.id,
            step_id=step.task_id,
            reason=route.reason,
            scores={**scores, "citation_score": round(stored.citations.score, 3)},
            overall=stored.critique_mean or 0.0,
        )
        await _accept(tx, step, stored, actor=POLICY, reason=f"approved by policy: {route.reason}")
    else:
        await _open_review(tx, step, task, stored, route.stages[0])
    return Handover(stored, route.stages, route.reason)


async def _open_review(
    tx: Tx, step: MissionStep, task: Task, deliverable: Deliverable, kind: ReviewKind
) -> None:
    author = await get_agent(tx, step.agent_id)
    earlier = [
        r.reviewer for r in await reviews_of_steps(tx, [step.task_id]) if r.deliverable_id == deliverable.id
    ]
    candidates = [agent for agent in await roster(tx) if agent.id not in earlier]
    reviewer = choose_reviewer(kind, author=author.id, role=step.role, team=author.team, roster=candidates)
    if reviewer is None:
        await block_for_founder(
            tx,
            task,
            reason=f"nobody but its author could give the {kind} review.",
            action="activate or hire a reviewer, then continue",
            actor=SYSTEM,
        )
        return
    review = NewTask(
        id=new_id(),
        process="review",
        slug=f"{step.key}-v{deliverable.version}-{kind}",
        title=f"Review ({kind}): {step.title}",
        group_id=step.mission_id,
        assignee=reviewer.id,
        priority=5,
        fields={"mission": task.fields.get("mission", "")},
    )
    await create_tasks(tx, [review], actor=SYSTEM)
    await ask_for_review(
        tx,
        deliverable_id=deliverable.id,
        step_id=step.task_id,
        review_task=review.id,
        kind=kind,
        reviewer=reviewer.id,
        tier=_REVIEW_TIERS[kind],
    )


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
        await _open_review(tx, step, task, deliverable, open_stages[0])
        return await get_task(tx, step.task_id)
    return await _accept(tx, step, deliverable, actor=actor, reason=f"{reviewer.name}: {verdict.feedback}")


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
    await save_lesson(
        tx,
        agent_id=step.agent_id,
        lesson=f"Work was sent back: {shorten(verdict.feedback, 400)}",
        context=shorten(step.title, 100),
        importance=8,
        tags=("review",),
        provenance=_provenance(step, deliverable),
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


async def _accept(tx: Tx, step: MissionStep, deliverable: Deliverable, *, actor: Actor, reason: str) -> Task:
    """Approve the step, and learn from this version; rejected versions teach no skill and no approach."""
    task = await move(tx, step.task_id, "approve", actor=actor, fields={"reason": shorten(reason, 1_000)})
    await record_use(tx, step.agent_id, f"{step.title}\n{step.instruction}")
    await remember_approach(tx, step, deliverable)
    await save_memory(
        tx,
        NewMemory(
            kind=MemoryKind.TASK,
            scope=f"agent:{step.agent_id}",
            title=step.title,
            content=shorten(deliverable.content, 500),
            importance=6,
            agent_id=step.agent_id,
            task_id=step.task_id,
            provenance=_provenance(step, deliverable),
        ),
    )
    if lesson := (deliverable.critique or {}).get("lesson"):
        await save_lesson(
            tx,
            agent_id=step.agent_id,
            lesson=lesson,
            context=step.title,
            importance=7,
            tags=("critique",),
            provenance=_provenance(step, deliverable),
        )
    await settle_mission(tx, step.mission_id)
    return task


def _provenance(step: MissionStep, deliverable: Deliverable) -> dict[str, str | bool]:
    return {
        "mission": str(step.mission_id),
        "deliverable": str(deliverable.id),
        REHEARSAL: deliverable.rehearsal,
    }


async def feedback_on(tx: Tx, step_id: UUID) -> tuple[str, ...]:
    """Return the feedback on the rejected versions of a step, oldest first."""
    reviews = await reviews_of_steps(tx, [step_id])
    return tuple(review.feedback or "" for review in reviews if review.state == "rejected")
