"""Trial pair runs: both versions of a persona or a skill do the same past task, and another agent scores the results
blind.

The judge is told of two results for one task and nothing of who wrote them, in both orders, so that what the place of a
result does to its score falls out of the difference.
"""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from frasier.kernel.fault_points import fault_point
from frasier.llm import ComparedText, CompareInputs, SynthesizeInputs, Tier
from frasier.llm.reply_schemas import CompareReply
from frasier.org.execution import ReviewerSearch
from frasier.org.governance import ReviewKind
from frasier.org.improvement import conclude_pair, drop_pair
from frasier.org.missions import MissionStep, find_faults, get_mission, get_step
from frasier.org.people import Agent, Capability, get_agent, persona_of, persona_versions
from frasier.org.skills import skill_version
from frasier.org.staffing import PairState, Trial, TrialState, lock_trial, pair_of_task
from frasier.prompts import compare_request, synthesize_request
from frasier.store import Tx
from frasier.work.deep_work.context import system_prompt
from frasier.work.finish_run import finish_run
from frasier.work.run_lease import Run
from frasier.work.run_outcomes import Done, RunOutcome
from frasier.work.trials.frozen_inputs import FrozenInputs, load_frozen_inputs
from frasier.work.verification.verify import verify_text

_NO_INPUTS = "what its author was given is not known any more, or it was not written in one reply"
_NO_JUDGE = "nobody but its author could judge it"
_NO_METHOD = "its author was not given this version of the skill"
_OTHER_MEANS = "it was done with other means: a rehearsal is not compared with a model"


@dataclass(frozen=True, slots=True, kw_only=True)
class PairContext:
    """The inputs that both versions are given, and who judges: gathered once."""

    mission_id: UUID
    tier: Tier
    inputs: SynthesizeInputs
    before_system: str
    after_system: str
    # Of a skill, whose method stands in the inputs; else both versions are given the same ones.
    after_inputs: SynthesizeInputs | None = None
    judge: UUID
    judge_system: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GatheredPair:
    """The context of a pair, or the `fault` for which it cannot be compared."""

    context: PairContext | None = None
    fault: str = ""


class TrialPairRuns:
    """Runs of the process `trial_pair`."""

    process = "trial_pair"

    async def run(self, run: Run) -> RunOutcome:
        if await self._is_over(run):
            return Done()
        gathered = await run.checkpoint(
            "context", (run.task.id, run.task.round), GatheredPair, lambda: _gather(run)
        )
        if (context := gathered.context) is None:
            await self._drop(run, gathered.fault)
            return Done()
        before = await self._write(run, context, context.inputs, context.before_system, "before")
        after = await self._write(
            run, context, context.after_inputs or context.inputs, context.after_system, "after"
        )
        one = await self._compare(run, context, before, after, "compare-1")
        other = await self._compare(run, context, after, before, "compare-2")
        async with run.fenced(Capability.JUDGE_WORK) as tx:
            await conclude_pair(
                tx,
                run.task.id,
                before=(one.first.overall + other.second.overall) / 2,
                after=(one.second.overall + other.first.overall) / 2,
                judge=context.judge,
                note=one.reason,
            )
            await finish_run(tx, run, "compared")
            fault_point("trial.before_commit")
        fault_point("trial.committed")
        return Done()

    async def _is_over(self, run: Run) -> bool:
        """End the task of a pair that is wanted no more, because its trial has ended."""
        async with run.fenced() as tx:
            pair = await pair_of_task(tx, run.task.id)
            trial = await lock_trial(tx, pair.trial_id)
            if pair.state is PairState.OPEN and trial.state is TrialState.RUNNING:
                return False
            await finish_run(tx, run, "its trial has ended")
            return True

    async def _drop(self, run: Run, fault: str) -> None:
        async with run.fenced() as tx:
            await drop_pair(tx, run.task.id, note=fault)
            await finish_run(tx, run, fault)

    async def _write(
        self, run: Run, context: PairContext, inputs: SynthesizeInputs, system: str, phase: str
    ) -> ComparedText:
        async def compute() -> ComparedText:
            request = synthesize_request(inputs, system=system, tier=context.tier, find_faults=find_faults)
            reply = await run.ask(request, phase)
            verification = await verify_text(run.database, context.mission_id, reply.text)
            return ComparedText(text=reply.text, verification=verification)

        return await run.checkpoint(phase, (context,), ComparedText, compute)

    async def _compare(
        self,
        run: Run,
        context: PairContext,
        first: ComparedText,
        second: ComparedText,
        phase: str,
    ) -> CompareReply:
        brief = context.inputs.brief
        inputs = CompareInputs(
            directive=brief.directive,
            task=brief.task,
            first=first,
            second=second,
            acceptance=brief.acceptance,
            reader=brief.reader,
            kind=brief.kind,
            form=brief.form,
            answers=brief.answers,
            amendments=brief.amendments,
        )

        async def compute() -> CompareReply:
            request = compare_request(inputs, system=context.judge_system)
            return await run.ask_for(CompareReply, request, phase, agent_id=context.judge)

        return await run.checkpoint(phase, (inputs, context.judge_system), CompareReply, compute)


async def _gather(run: Run) -> GatheredPair:
    async with run.database.transaction() as tx:
        pair = await pair_of_task(tx, run.task.id)
        trial = await lock_trial(tx, pair.trial_id)
        step = await get_step(tx, pair.step_id)
        if (await get_mission(tx, step.mission_id)).rehearsal != run.gateway.is_rehearsal:
            return GatheredPair(fault=_OTHER_MEANS)
        return await _context_of(run, tx, trial, step)


async def _context_of(run: Run, tx: Tx, trial: Trial, step: MissionStep) -> GatheredPair:
    author = await get_agent(tx, step.agent_id)
    frozen = await load_frozen_inputs(tx, author, step.task_id)
    if frozen is None:
        return GatheredPair(fault=_NO_INPUTS)
    judge = (await ReviewerSearch.of(tx, step)).choose(ReviewKind.QA, taken={author.id}).reviewer
    if judge is None:
        return GatheredPair(fault=_NO_JUDGE)
    before, after = await _versions(tx, trial, author, frozen)
    if after is None:
        return GatheredPair(fault=_NO_METHOD)
    work = f"{step.title}\n{step.instruction}"
    judged_by = await system_prompt(run, tx, judge.id, work=work, lessons=())
    context = PairContext(
        mission_id=step.mission_id,
        tier=frozen.context.tier,
        inputs=before.inputs,
        before_system=before.system,
        after_system=after.system,
        after_inputs=after.inputs if after.inputs != before.inputs else None,
        judge=judge.id,
        judge_system=judged_by.text,
    )
    return GatheredPair(context=context)


async def _versions(
    tx: Tx, trial: Trial, author: Agent, frozen: FrozenInputs
) -> tuple[FrozenInputs, FrozenInputs | None]:
    """Return what a past step's author is given with the version before, and with the candidate: None where the method
    that is tried was not part of it. The system messages are whole.
    """
    candidate = trial.candidate or trial.baseline
    if trial.skill is None:
        personas = {one.version: one.persona for one in await persona_versions(tx, author.id)}
        return (
            frozen.with_persona(author, personas[trial.baseline]),
            frozen.with_persona(author, personas[candidate]),
        )
    before = frozen.with_persona(author, await persona_of(tx, author.id))
    after = before.with_method(
        await skill_version(tx, trial.skill, trial.baseline), await skill_version(tx, trial.skill, candidate)
    )
    return before, after
