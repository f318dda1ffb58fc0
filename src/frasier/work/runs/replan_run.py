"""Replan runs: the chief of staff plans one step anew while its mission runs, or replaces it by several."""

from __future__ import annotations

from frasier.org.execution import ask_about_plan_failure
from frasier.org.missions import MissionStep
from frasier.org.planning import (
    PARTS_MAX,
    PARTS_MIN,
    EstimatePlan,
    PlanningSettings,
    Steered,
    find_replan_issues,
    read_graph,
)
from frasier.store import Tx
from frasier.work.finish_run import finish_run
from frasier.work.run_lease import Run
from frasier.work.run_outcomes import Done, RunOutcome
from frasier.work.runs.mission_change import MissionChange, WantedChange
from frasier.work.runs.steer_run import tell_change
from frasier.workflow import BLOCKED, SYSTEM, get_task, restore


class ReplanRuns:
    """Runs of the process `replan`. `estimate` tells what the mission will take with the new plan."""

    process = "replan"

    def __init__(self, settings: PlanningSettings, *, estimate: EstimatePlan) -> None:
        self._settings = settings
        self._estimate = estimate

    async def run(self, run: Run) -> RunOutcome:
        key, splits = str(run.task.fields["step"]), run.task.fields["splits"] == "yes"
        async with run.database.transaction() as tx:
            graph = await read_graph(tx, run.task.group_id)
        step = graph.steps.get(key)
        if step is None or graph.tasks[key].status != BLOCKED:
            return await self._finish(run, "the step went on meanwhile")
        wanted = WantedChange(
            mission_id=run.task.group_id,
            wish=_wish(step, str(run.task.fields["cause"]), splits=splits),
            actor=SYSTEM,
            replaces=key,
            more_issues=lambda graph, change: find_replan_issues(graph, change, key, splits=splits),
        )
        steering = MissionChange(run, wanted, self._settings, estimate=self._estimate)
        checked = await steering.propose()
        if checked.issues:
            return await self._give_back(run, step, checked.issues, splits=splits)

        async def conclude(tx: Tx, steered: Steered) -> None:
            await _release(tx, step, f"it was planned anew: {checked.change.explanation}")
            result = tell_change(checked.change.explanation, steered)
            await finish_run(tx, run, result, parts=",".join(steered.added))

        return await steering.carry_out(checked.change, conclude)

    async def _give_back(
        self, run: Run, step: MissionStep, issues: tuple[str, ...], *, splits: bool
    ) -> RunOutcome:
        """Let a step go on that was only too large; ask the founder anew about one that was in trouble."""
        reason = f"No new plan of it kept the rules, twice: {' '.join(issues)}"
        async with run.fenced() as tx:
            if splits:
                await _release(tx, step, f"it goes on as it is. {reason}")
            else:
                await ask_about_plan_failure(tx, step.task_id, reason=reason)
            await finish_run(tx, run, reason, parts="")
        return Done()

    async def _finish(self, run: Run, note: str) -> RunOutcome:
        async with run.fenced() as tx:
            await finish_run(tx, run, note, parts="")
        return Done()


def _wish(step: MissionStep, cause: str, *, splits: bool) -> str:
    if not splits:
        return (
            f"Plan the step {step.key} ({step.title}) anew, and nothing else: {cause} Change its assignment so that it"
            " can be done, or remove it and add steps that do its work in another way."
        )
    if step.is_final:
        return (
            f"The final step {step.key} ({step.title}) is too large for one worker: {cause} Add {PARTS_MIN} to"
            f" {PARTS_MAX} steps that do its parts, and change its assignment so that it builds on their results."
        )
    return (
        f"The step {step.key} ({step.title}) is too large for one worker: {cause} Remove it and add {PARTS_MIN} to"
        f" {PARTS_MAX} steps that cover all of it; whatever needs it will need them. Nothing else changes."
    )


async def _release(tx: Tx, step: MissionStep, note: str) -> None:
    """Let the step go on, if it is still wanted."""
    if (await get_task(tx, step.task_id)).status == BLOCKED:
        await restore(tx, step.task_id, actor=SYSTEM, note=note)
