"""The delivery of a step: storing the version, requesting reviews, and accepting it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from frasier.kernel.ids import new_id
from frasier.kernel.text import shorten
from frasier.llm import Tier
from frasier.memory import MemoryKind, NewMemory, WorkOutcome, save_lesson, save_memory
from frasier.org.execution.coherence import coherence_stages
from frasier.org.execution.completion import settle_mission
from frasier.org.execution.escalations import block_for_founder
from frasier.org.execution.reviewer_search import ReviewerSearch
from frasier.org.governance import (
    AutonomySettings,
    ReviewKind,
    approve_by_policy,
    ask_for_review,
    record_waived,
    reviews_of_version,
    route_review,
    waiver,
)
from frasier.org.improvement import upskill_after_verdict
from frasier.org.missions import (
    MISSION_RECORDS,
    REHEARSAL,
    STEP_LENGTH,
    Deliverable,
    Draft,
    MissionStep,
    finish_step_learning,
    judge_lessons,
    remember_approach,
    steps_of,
    store_deliverable,
    store_handover_notes,
)
from frasier.org.people import roster
from frasier.org.planning import hire_reviewer, personas_of
from frasier.org.skills import record_use
from frasier.org.staffing import ReviewerChoice
from frasier.store import Tx
from frasier.workflow import (
    POLICY,
    SYSTEM,
    Actor,
    Dependency,
    NewTask,
    Task,
    create_tasks,
    dependencies_of,
    move,
)

_HANDOVER_CHARS = 300
_REVIEW_TIERS = {
    ReviewKind.QA: Tier.T1,
    ReviewKind.EXPERT: Tier.T2,
    ReviewKind.LEAD: Tier.T2,
    ReviewKind.COHERENCE: Tier.T2,
}


@dataclass(frozen=True, slots=True)
class Handover:
    """The result of a delivery: the stored version, and its pending reviews (none if policy approved)."""

    deliverable: Deliverable
    stages: tuple[ReviewKind, ...]
    reason: str


async def deliver_step(
    tx: Tx,
    step: MissionStep,
    draft: Draft,
    *,
    attempt: int,
    actor: Actor,
    autonomy: AutonomySettings,
    author: UUID | None = None,
) -> Handover:
    """Store the next version of a step's deliverable and route it to review, in the caller's transaction.

    The author is the agent who has the step, unless another wrote it before the step was handed over.
    Raises BadReply if the text breaks the rules for deliverables, and LeaseLost if the attempt is over.
    """
    ids = {"task_id": step.task_id, "mission_id": step.mission_id}
    stored = await store_deliverable(tx, **ids, attempt=attempt, draft=draft, author=author)
    route = route_review(
        autonomy,
        critique_mean=stored.critique_mean,
        citations=stored.citations,
        verification=stored.verification,
        tier=step.tier,
        is_final=step.is_final,
    )
    stages = (*route.stages, *await coherence_stages(tx, step))
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
            "review_stages": [str(stage) for stage in stages],
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
        await accept_step(tx, step, stored, actor=POLICY, reason=f"approved by policy: {route.reason}")
    else:
        await open_reviews(tx, step, task, stored, stages)
    return Handover(stored, stages, route.reason)


async def open_reviews(
    tx: Tx, step: MissionStep, task: Task, deliverable: Deliverable, kinds: Sequence[ReviewKind]
) -> None:
    """Ask for reviews of a version, each of another reviewer; they are given at the same time.

    Where nobody knows the subject, the policy says whether an expert is hired, whose review waits for the hire, or QA
    alone decides. If nobody can give the QA review, none is asked for, and the step waits for the founder.
    """
    search = await ReviewerSearch.of(tx, step)
    given = await reviews_of_version(tx, step.task_id, deliverable.id)
    taken = {review.reviewer for review in given if review.reviewer}
    choices: dict[ReviewKind, ReviewerChoice] = {}
    for kind in kinds:
        choices[kind] = search.choose(kind, taken=taken)
        if reviewer := choices[kind].reviewer:
            taken.add(reviewer.id)
    if ReviewKind.QA in choices and choices[ReviewKind.QA].reviewer is None:
        await block_for_founder(
            tx,
            task,
            reason="nobody but its authors could give the qa review.",
            action="activate or hire a reviewer, then continue",
            actor=SYSTEM,
        )
        return
    for kind, choice in choices.items():
        final = choice
        if choice.reviewer is None and kind is not ReviewKind.COHERENCE:
            final = await hire_reviewer(tx, step, search.subject, choice, others=search.wrote | taken)
        waits_for = await personas_of(tx, step, final)
        await _open_review(tx, step, task, deliverable, kind, final, waits_for)


async def _open_review(
    tx: Tx,
    step: MissionStep,
    task: Task,
    deliverable: Deliverable,
    kind: ReviewKind,
    choice: ReviewerChoice,
    waits_for: Sequence[UUID],
) -> None:
    """Ask the chosen reviewer, or record that nobody is asked."""
    if choice.reviewer is None:
        await record_waived(
            tx,
            deliverable_id=deliverable.id,
            step_id=step.task_id,
            kind=kind,
            reason=waiver(kind, choice.why),
        )
        return
    review = NewTask(
        id=new_id(),
        process="review",
        slug=f"{step.key}-v{deliverable.version}-{kind}",
        title=f"Review ({kind}): {step.title}",
        group_id=step.mission_id,
        assignee=choice.reviewer.id,
        # What waits for the step waits for its review.
        length_behind=max(task.path_length - STEP_LENGTH, 0),
        fields={"mission": task.fields.get("mission", "")},
        depends_on=tuple(Dependency(depends_on=needed) for needed in waits_for),
    )
    await create_tasks(tx, [review], actor=SYSTEM)
    await ask_for_review(
        tx,
        deliverable_id=deliverable.id,
        step_id=step.task_id,
        review_task=review.id,
        kind=kind,
        reviewer=choice.reviewer.id,
        tier=_REVIEW_TIERS[kind],
        choice=choice.why,
    )


async def accept_step(
    tx: Tx, step: MissionStep, deliverable: Deliverable, *, actor: Actor, reason: str
) -> Task:
    """Approve the step, and learn from this version; rejected versions teach no skill and no approach."""
    task = await move(tx, step.task_id, "approve", actor=actor, fields={"reason": shorten(reason, 1_000)})
    await finish_step_learning(tx, step, deliverable, round_number=task.round)
    await store_handover_notes(tx, deliverable)
    await _note_handover(tx, step, deliverable)
    await record_use(tx, step.agent_id, f"{step.title}\n{step.instruction}")
    await remember_approach(tx, step, deliverable)
    if not deliverable.rehearsal:
        approved = await reviews_of_version(tx, step.task_id, deliverable.id)
        reviewed = [
            review.review_task for review in approved if review.review_task and review.state == "approved"
        ]
        await judge_lessons(tx, [step.task_id, *reviewed], WorkOutcome.ACCEPTED)
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
            provenance=provenance_of(step, deliverable),
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
            provenance=provenance_of(step, deliverable),
        )
    await upskill_after_verdict(tx, step, strikes=0)
    await settle_mission(tx, step.mission_id)
    return task


async def _note_handover(tx: Tx, step: MissionStep, accepted: Deliverable) -> None:
    """Note for all that a result went to the colleagues who build on it; a final step's goes to the founder."""
    after = await _after(tx, step)
    dependants = [other for other in await steps_of(tx, step.mission_id) if other.task_id in after]
    if not dependants:
        return
    names = {agent.id: agent.name for agent in await roster(tx, active_only=False)}
    to = "; ".join(f"{names[other.agent_id]} ({other.title})" for other in dependants)
    counts = accepted.verification.counts
    await save_memory(
        tx,
        NewMemory(
            kind=MemoryKind.OBSERVATION,
            scope=MISSION_RECORDS,
            title=f"Hand-over: {step.title}",
            content=f"{names[step.agent_id]} handed {step.title!r} over to {to}: {counts['verified']} of"
            f" {counts['statements']} statements verified. It begins: {shorten(accepted.content, _HANDOVER_CHARS)}",
            tags=("handover",),
            agent_id=step.agent_id,
            task_id=step.task_id,
            provenance=provenance_of(step, accepted),
        ),
    )


async def _after(tx: Tx, step: MissionStep) -> set[UUID]:
    """Return the steps that build on this one."""
    edges = await dependencies_of(tx, step.mission_id)
    return {task_id for task_id, needed in edges.items() if any(e.depends_on == step.task_id for e in needed)}


def provenance_of(step: MissionStep, deliverable: Deliverable) -> dict[str, str | bool]:
    """Return what a memory about a version says of its origin."""
    return {
        "mission": str(step.mission_id),
        "deliverable": str(deliverable.id),
        REHEARSAL: deliverable.rehearsal,
    }
