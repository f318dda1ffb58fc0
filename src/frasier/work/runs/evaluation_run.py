"""Evaluation runs: whoever used results of colleagues evaluates them, apart from the mission and never in its way.

A run always ends: what goes wrong in it is stored as the reason why there is no evaluation, and changes nothing else.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from functools import partial

from frasier.kernel.errors import BudgetExceeded, FrasierError, InvalidInput, LeaseLost, Stale, StoreError
from frasier.kernel.fault_points import fault_point
from frasier.kernel.text import shorten
from frasier.llm import EvaluateInputs, UsedArtefact, set_mission_budget, spend_of_mission
from frasier.llm.reply_schemas import EvaluateReply
from frasier.org.governance import (
    EvaluationRules,
    EvaluationTask,
    EvaluatorRole,
    evaluation_faults,
    evaluations_in,
    get_evaluation_task,
    review_of_task,
    rules_in_force,
    store_evaluation,
    store_evaluation_error,
)
from frasier.org.improvement import evaluated_version
from frasier.org.missions import deliverables_of, get_deliverables, get_mission, get_step
from frasier.org.people import get_agent, persona_of, render_persona
from frasier.prompts import SystemParts, date_line, evaluate_request, render_system
from frasier.store import Tx
from frasier.work.finish_run import finish_run
from frasier.work.run_lease import Run
from frasier.work.run_outcomes import Done, RunOutcome

_FAILED_RUNS_MAX = 2
_RESULT_CHARS = 6_000
_REASON_CHARS = 600
_SWITCHED_OFF = "Evaluations were switched off before this one began."
_OTHER_MEANS = (
    "The mission was done with other means: a rehearsal evaluates no work of a model, nor the reverse."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationContext:
    """The inputs of an evaluation, gathered once."""

    inputs: EvaluateInputs
    system: str


class EvaluationRuns:
    """Runs of the process `evaluation`."""

    process = "evaluation"

    async def run(self, run: Run) -> RunOutcome:
        run.is_background = True
        async with run.fenced() as tx:
            task = await get_evaluation_task(tx, run.task.id)
            rules = await rules_in_force(tx, EvaluationRules)
            await _give_share(tx, run, task, rules)
        reply: EvaluateReply | None = None
        error = ""
        if not rules.enabled:
            error = _SWITCHED_OFF
        elif run.task.failures >= _FAILED_RUNS_MAX:
            error = f"Its runs failed: {run.task.fields.get('reason', '')}"
        else:
            try:
                async with asyncio.timeout(rules.minutes * 60):
                    reply = await _ask(run, task)
            except TimeoutError:
                error = f"It was not over within {rules.minutes:g} minutes."
            except BudgetExceeded as failure:
                error = f"The share of the mission's budget for evaluations does not pay for it. {failure.message}"
            except (LeaseLost, StoreError, Stale):
                raise
            except FrasierError as failure:
                error = failure.message
        async with run.fenced() as tx:
            await _store(tx, run, task, reply, shorten(error, _REASON_CHARS))
            fault_point("evaluation.before_commit")
        fault_point("evaluation.committed")
        return Done()


async def _give_share(tx: Tx, run: Run, task: EvaluationTask, rules: EvaluationRules) -> None:
    """Give the evaluations of a mission their share of its budget; they spend nothing of the mission's own."""
    own = (await spend_of_mission(tx, task.mission_id)).budget_usd_micros
    budget = run.gateway.mission_usd_micros if own is None else own
    await set_mission_budget(tx, run.task.group_id, int(budget * rules.share_of_mission))


async def _ask(run: Run, task: EvaluationTask) -> EvaluateReply:
    context = await run.checkpoint("context", (run.task.id,), EvaluationContext, lambda: _gather(run, task))
    texts = {one.key: one.text for one in context.inputs.artefacts}

    async def ask() -> EvaluateReply:
        request = evaluate_request(
            context.inputs, system=context.system, find_faults=partial(evaluation_faults, texts=texts)
        )
        return await run.ask_for(EvaluateReply, request, "evaluate", agent_id=task.evaluator)

    return await run.checkpoint("evaluate", (context,), EvaluateReply, ask)


async def _gather(run: Run, task: EvaluationTask) -> EvaluationContext:
    async with run.database.transaction() as tx:
        if (await get_mission(tx, task.mission_id)).rehearsal != run.gateway.is_rehearsal:
            raise InvalidInput(_OTHER_MEANS)
        versions = await get_deliverables(tx, task.deliverables)
        steps = {one.task_id: await get_step(tx, one.task_id) for one in versions.values()}
        agent = await get_agent(tx, task.evaluator)
        system = render_system(
            SystemParts(
                persona=render_persona(agent, await persona_of(tx, agent.id)),
                rules=(),
                recent_work=(),
                lessons=(),
                today=date_line(await run.founder_time(tx)),
            )
        )
        work, result = await _own_work(tx, task)
    used = [versions[one] for one in task.deliverables]
    return EvaluationContext(
        system=system,
        inputs=EvaluateInputs(
            task=work,
            result=shorten(result, _RESULT_CHARS),
            artefacts=tuple(
                UsedArtefact(key=_key(number), title=steps[version.task_id].title, text=version.content)
                for number, version in enumerate(used, start=1)
            ),
        ),
    )


async def _own_work(tx: Tx, task: EvaluationTask) -> tuple[str, str]:
    """Return what the evaluator had to do, and what came of it."""
    if task.role is EvaluatorRole.REVIEWER:
        review = await review_of_task(tx, task.consumer)
        step = await get_step(tx, review.step_id)
        return f"You reviewed: {step.title}\n{step.instruction}", f"{review.state}: {review.feedback or ''}"
    step = await get_step(tx, task.consumer)
    own = await deliverables_of(tx, [task.consumer])
    return f"{step.title}\n{step.instruction}", own[-1].content if own else ""


async def _store(tx: Tx, run: Run, task: EvaluationTask, reply: EvaluateReply | None, error: str) -> None:
    """Store the evaluations, or why there are none, and end the task."""
    if reply is None:
        for deliverable_id in task.deliverables:
            await store_evaluation_error(tx, task, run.attempt, deliverable_id, error)
    else:
        given = evaluations_in(reply)
        versions = await get_deliverables(tx, task.deliverables)
        for number, deliverable_id in enumerate(task.deliverables, start=1):
            version = evaluated_version(versions[deliverable_id])
            await store_evaluation(tx, task, run.attempt, version, given[_key(number)])
    await finish_run(tx, run, error or "the evaluations are stored")


def _key(number: int) -> str:
    return f"A{number}"
