"""Step runs: deep work on one step of a mission, up to a delivered version."""

from __future__ import annotations

from frasier.kernel.errors import BadReply
from frasier.kernel.faults import fault_point
from frasier.memory import MemoryKind, NewMemory, agent_scope, save_memory
from frasier.org.governance import AutonomySettings
from frasier.org.planning import Draft, deliver_step, get_step
from frasier.store import Tx
from frasier.work.outcome import Done, Outcome, RetryLater
from frasier.work.pipeline import DeepWork, Research, StepContext, gather_context
from frasier.work.run import Run
from frasier.work.settings import PipelineSettings


class StepRuns:
    """Runs of the process `mission_step`."""

    process = "mission_step"

    def __init__(self, *, research: Research, settings: PipelineSettings, autonomy: AutonomySettings) -> None:
        self._research = research
        self._settings = settings
        self._autonomy = autonomy

    async def run(self, run: Run) -> Outcome:
        # Rounds and strikes are part of the key: after a rejection the context is gathered anew, with the feedback.
        key = (run.task.id, run.task.round, run.task.strikes)
        context = await run.checkpoint("context", key, StepContext, lambda: gather_context(run))
        work = DeepWork(run, context, research=self._research, settings=self._settings)
        draft = await work.write()
        try:
            await self._deliver(run, context, draft)
        except BadReply as error:
            return RetryLater(error.message)
        return Done()

    async def _deliver(self, run: Run, context: StepContext, draft: Draft) -> None:
        async with run.fenced() as tx:
            step = await get_step(tx, run.task.id)
            await deliver_step(
                tx, step, draft, attempt=run.attempt, actor=run.worker, autonomy=self._autonomy
            )
            await _remember_approach(tx, run, context, draft)
            fault_point("deliver.before_commit")
        fault_point("deliver.committed")


async def _remember_approach(tx: Tx, run: Run, context: StepContext, draft: Draft) -> None:
    """How the work was gone about (D-025): next time the agent finds it as a hint."""
    mean = draft.critique.mean if draft.critique else None
    lines = [
        f"Task: {context.title}",
        f"Questions: {'; '.join(draft.questions)}",
        f"Own score: {mean:.2f}" if mean is not None else "Own score: none",
        f"Sources cited: {len(draft.citations.cited)} of {draft.citations.quotable}",
    ]
    await save_memory(
        tx,
        NewMemory(
            kind=MemoryKind.APPROACH,
            scope=agent_scope(run.assignee_id),
            title=context.title,
            content="\n".join(lines),
            agent_id=run.assignee_id,
            task_id=run.task.id,
            provenance={"mission": str(context.mission_id), "score": mean},
        ),
    )
