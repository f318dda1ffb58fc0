"""Review runs: one reviewer, one version, one verdict. An unreadable reply is no verdict, and never an approval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from uuid import UUID

from frasier.kernel.fault_points import fault_point
from frasier.kernel.text import shorten
from frasier.llm import CallState, ReviewInputs, Tier, VersionBefore, calls_of_task
from frasier.llm.reply_schemas import ReviewReply
from frasier.memory import Memory
from frasier.org.conversation import amendments_of, answers_of
from frasier.org.execution import apply_verdict, conclude_waived, feedback_on
from frasier.org.governance import (
    WAIVED,
    AutonomySettings,
    Review,
    ReviewKind,
    judge,
    review_faults,
    review_of_task,
    review_scope,
    reviews_of_version,
)
from frasier.org.missions import Deliverable, deliverables_of, get_deliverable, get_mission, get_step
from frasier.org.people import Capability, get_agent
from frasier.prompts import review_request
from frasier.store import Tx
from frasier.work.deep_work.context import LeftOutRule, predecessors_of, reader_of, system_prompt
from frasier.work.run_lease import Run
from frasier.work.run_memory import lessons_for
from frasier.work.run_outcomes import Done, RunOutcome
from frasier.work.runs.version_differences import version_differences

_ABOUT_CHARS = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewContext:
    """The inputs of a verdict, gathered once."""

    inputs: ReviewInputs
    system: str
    tier: Tier
    rules_left_out: tuple[LeftOutRule, ...] = ()


class ReviewRuns:
    """Runs of the process `review`."""

    process = "review"

    def __init__(self, autonomy: AutonomySettings) -> None:
        self._autonomy = autonomy

    async def run(self, run: Run) -> RunOutcome:
        if await self._is_waived(run):
            return Done()
        used: dict[UUID, Sequence[Memory]] = {}
        context = await run.checkpoint(
            "context",
            (run.task.id,),
            ReviewContext,
            lambda: _gather(run, used),
            alongside=run.note_memories(used),
        )

        async def ask() -> ReviewReply:
            request = review_request(
                context.inputs,
                system=context.system,
                tier=context.tier,
                find_faults=partial(
                    review_faults,
                    text=context.inputs.deliverable,
                    compares=context.inputs.before is not None,
                ),
            )
            return await run.ask_for(ReviewReply, request, "review")

        reply = await run.checkpoint("review", (context,), ReviewReply, ask)
        verdict = judge(reply, context.inputs.citations, context.inputs.deliverable)
        async with run.fenced(Capability.JUDGE_WORK) as tx:
            calls = await calls_of_task(tx, run.task.id)
            degraded = next(
                (call.degraded for call in reversed(calls) if call.state is CallState.SETTLED), False
            )
            verdict = replace(verdict, degraded=degraded)
            review = await review_of_task(tx, run.task.id)
            step = await get_step(tx, review.step_id)
            task = await apply_verdict(
                tx, step, review, verdict, attempt=run.attempt, worker=run.worker, autonomy=self._autonomy
            )
            fault_point("review.before_commit")
        fault_point("review.committed")
        # A final deliverable is always reviewed, and its approval completes the mission.
        if step.is_final and task.status == "completed":
            fault_point("mission.completed")
        return Done()

    async def _is_waived(self, run: Run) -> bool:
        """Conclude without a verdict where the review is not given any more."""
        async with run.fenced() as tx:
            review = await review_of_task(tx, run.task.id)
            if review.state == WAIVED:
                step = await get_step(tx, review.step_id)
                await conclude_waived(
                    tx, step, review, attempt=run.attempt, worker=run.worker, autonomy=self._autonomy
                )
        return review.state == WAIVED


async def _gather(run: Run, used: dict[UUID, Sequence[Memory]]) -> ReviewContext:
    async with run.database.transaction() as tx:
        review = await review_of_task(tx, run.task.id)
        step = await get_step(tx, review.step_id)
        mission = await get_mission(tx, step.mission_id)
    about = f"{step.title}\n{shorten(mission.directive, _ABOUT_CHARS)}"
    lessons = await lessons_for(
        await run.memory(), run.assignee_id, about, rehearsal=run.gateway.is_rehearsal
    )
    async with run.database.transaction() as tx:
        deliverable = await get_deliverable(tx, review.deliverable_id)
        reviewer = await get_agent(tx, run.assignee_id)
        prompt = await system_prompt(
            run, tx, run.assignee_id, work=f"{step.title}\n{step.instruction}", lessons=lessons
        )
        used[run.assignee_id] = prompt.memories
        reads_whole = review.kind is ReviewKind.COHERENCE
        return ReviewContext(
            rules_left_out=prompt.rules_left_out,
            system=prompt.text,
            tier=Tier(review.tier or Tier.T2),
            inputs=ReviewInputs(
                directive=mission.directive,
                task=f"{step.title}\n{step.instruction}",
                acceptance=tuple(step.acceptance),
                deliverable=deliverable.content,
                citations=deliverable.citations,
                verification=deliverable.verification,
                scope="coherence" if reads_whole else review_scope(reviewer, step.role),
                kind=step.kind,
                reader=reader_of(step),
                form=step.form,
                questions=tuple(deliverable.questions),
                answers=await answers_of(tx, mission.id),
                amendments=await amendments_of(tx, mission.id),
                earlier_feedback=await feedback_on(tx, step.task_id),
                before=await _version_before(tx, deliverable),
                parts=(await predecessors_of(tx, step))[0] if reads_whole else (),
            ),
        )


async def _version_before(tx: Tx, deliverable: Deliverable) -> VersionBefore | None:
    """Return the version before a reviewed one, with its reviews; None for a first one."""
    earlier = [
        one
        for one in await deliverables_of(tx, [deliverable.task_id])
        if one.version == deliverable.version - 1
    ]
    if not earlier:
        return None
    reviews = await reviews_of_version(tx, deliverable.task_id, earlier[0].id)
    return VersionBefore(
        number=earlier[0].version,
        changed=version_differences(earlier[0].content, deliverable.content),
        reviews=tuple(map(_review_line, reviews)),
    )


def _review_line(review: Review) -> str:
    quoted = "".join(f" “{one['quotation']}”: {one['remark']}" for one in review.passages)
    return f"{review.kind}, {review.state}: {review.feedback or ''}{quoted}"
