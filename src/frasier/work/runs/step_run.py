"""Step runs: deep work on one step of a mission, up to a delivered version."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from uuid import UUID

from frasier.kernel.errors import BadReply
from frasier.kernel.fault_points import fault_point
from frasier.kernel.mission_depth import MissionDepth
from frasier.memory import Memory
from frasier.org.conversation import amendments_of
from frasier.org.execution import deliver_step
from frasier.org.governance import AutonomySettings
from frasier.org.missions import Draft, begin_step_learning, current_plan, get_step
from frasier.org.people import Capability
from frasier.org.planning import PlanningSettings, may_split, split_step
from frasier.store import Tx
from frasier.work.collections.table_work import TableWork
from frasier.work.deep_work.context import StepContext, gather_context
from frasier.work.deep_work.depth_bounds import pipeline_bounds, review_bounds
from frasier.work.deep_work.pipeline import DeepWork
from frasier.work.deep_work.research_phase import Research
from frasier.work.run_lease import Run
from frasier.work.run_outcomes import Done, GivenUp, RetryLater, RunOutcome, TooLarge
from frasier.work.settings import PipelineSettings


async def _note_beginning(
    run: Run, tx: Tx, context: StepContext, used: Mapping[UUID, Sequence[Memory]]
) -> None:
    """Note which memories a step's prompts are given, and what its author knows before its questions are known."""
    await run.note_memories(used)(tx, context)
    await begin_step_learning(
        tx,
        await get_step(tx, run.task.id),
        [context.title],
        round_number=run.task.round,
        at_hand=context.at_hand,
        has_inputs=context.has_documents or bool(context.brief.predecessors),
    )


class StepRuns:
    """Runs of the process `mission_step`. The settings are those of a standard
    mission; see depth_bounds.
    """

    process = "mission_step"

    def __init__(
        self,
        settings: PipelineSettings,
        autonomy: AutonomySettings,
        planning: PlanningSettings,
    ) -> None:
        self._planning = planning
        self._settings = settings
        self._autonomy = autonomy

    async def run(self, run: Run) -> RunOutcome:
        # Rounds, strikes, editions and amendments are part of the key: after a rejection the context is gathered anew,
        # with the feedback, and after the founder changed the assignment or said more of the mission, with that.
        async with run.database.transaction() as tx:
            step = await get_step(tx, run.task.id)
            amended = len(await amendments_of(tx, step.mission_id))
            plan = await current_plan(tx, step.mission_id)
        depth = plan.depth if plan else MissionDepth.STANDARD
        key = (run.task.id, run.task.round, run.task.strikes, step.edition, amended)
        used: dict[UUID, Sequence[Memory]] = {}
        context = await run.checkpoint(
            "context",
            key,
            StepContext,
            lambda: gather_context(run, used),
            alongside=lambda tx, context: _note_beginning(run, tx, context, used),
        )
        run.narrow(context.withheld)
        draft = await self._write(run, context, depth)
        if isinstance(draft, GivenUp):
            return draft
        if isinstance(draft, TooLarge):
            return await self._split(run, draft)
        try:
            await self._deliver(run, draft, review_bounds(self._autonomy, depth))
        except BadReply as error:
            return RetryLater(error.message)
        return Done()

    async def _write(self, run: Run, context: StepContext, depth: MissionDepth) -> Draft | GivenUp | TooLarge:
        if context.examines_documents:
            return await TableWork(run, context).write()
        async with run.database.transaction() as tx:
            # A rehearsal plans nothing anew.
            can_split = not run.gateway.is_rehearsal and await may_split(
                tx, await get_step(tx, run.task.id), settings=self._planning
            )
        settings = pipeline_bounds(self._settings, depth)
        research = Research(settings=settings)
        work = DeepWork(run, context, research=research, settings=settings, may_split=can_split)
        return await work.write()

    async def _split(self, run: Run, outcome: TooLarge) -> RunOutcome:
        """Have the step replaced by several; what was read and paid for it is the mission's."""
        async with run.fenced(Capability.WRITE_DELIVERABLES) as tx:
            step = await get_step(tx, run.task.id)
            await split_step(tx, step, cause=outcome.reason, actor=run.worker, attempt=run.attempt)
            fault_point("split.before_commit")
        fault_point("split.committed")
        return Done()

    async def _deliver(self, run: Run, draft: Draft, autonomy: AutonomySettings) -> None:
        async with run.fenced(Capability.WRITE_DELIVERABLES) as tx:
            step = await get_step(tx, run.task.id)
            await deliver_step(
                tx,
                step,
                draft,
                attempt=run.attempt,
                actor=run.worker,
                autonomy=autonomy,
                author=run.assignee_id,
            )
            fault_point("deliver.before_commit")
        fault_point("deliver.committed")
