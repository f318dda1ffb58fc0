"""Upskill runs: the chief of staff writes the next version of an agent's persona, from rejected work and the craft.

What is written passes the checks of a persona and becomes the candidate of a trial; it is not in force.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from uuid import UUID

from frasier.kernel.fault_points import fault_point
from frasier.kernel.humanize import plural
from frasier.kernel.text import digest, shorten, strip_control
from frasier.llm import Passage, RejectedWork, UpskillInputs
from frasier.llm.reply_schemas import UpskillReply
from frasier.org.governance import reviews_of_steps
from frasier.org.people import (
    Agent,
    Capability,
    Persona,
    find_persona_faults,
    get_agent,
    persona_of,
    roster,
)
from frasier.org.planning import (
    deliverables_of,
    feedback_on,
    get_mission,
    get_step,
    newest_steps_of,
    propose_trial,
    refuse_candidate,
)
from frasier.org.staffing import Trial, TrialState, lock_trial, trial_of_task
from frasier.prompts import upskill_request
from frasier.store import Tx
from frasier.work.craft_research import read_craft
from frasier.work.deep_work.context import LeftOutRule, system_prompt
from frasier.work.run_lease import Run
from frasier.work.run_memory import lessons_for
from frasier.work.run_outcomes import Done, RunOutcome
from frasier.work.trials.frozen_inputs import FrozenInputs, load_frozen_inputs
from frasier.work.trials.price import pair_usd_micros
from frasier.workflow import move

_STEPS_READ = 100
_TEXT_CHARS = 3_000
_FEEDBACK_CHARS = 1_500
_TASK_CHARS = 600
_PRICED = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class UpskillContext:
    """The inputs of a new version, gathered once."""

    agent_id: UUID
    inputs: UpskillInputs
    system: str
    rules_left_out: tuple[LeftOutRule, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedCandidate:
    """A written version with the faults against it; none if it can be tried."""

    reply: UpskillReply
    faults: tuple[str, ...]


class UpskillRuns:
    """Runs of the process `upskill`."""

    process = "upskill"

    async def run(self, run: Run) -> RunOutcome:
        async with run.database.transaction() as tx:
            trial = await trial_of_task(tx, run.task.id)
            agent = await get_agent(tx, trial.agent_id)
        passages = await self._read_craft(run, trial, agent)
        context = await run.checkpoint(
            "context",
            (run.task.id, run.task.round),
            UpskillContext,
            lambda: _gather(run, trial, agent, passages),
        )
        checked = await self._write(run, context, "upskill-1")
        if checked.faults:
            again = replace(context, inputs=replace(context.inputs, faults=checked.faults))
            checked = await self._write(run, again, "upskill-2")
        await self._propose(run, checked)
        return Done()

    async def _read_craft(self, run: Run, trial: Trial, agent: Agent) -> tuple[Passage, ...]:
        """Read pages about the craft through a mission that is at work and may use the web; else none."""
        async with run.database.transaction() as tx:
            steps = [await get_step(tx, step_id) for step_id in trial.studied]
            missions = [await get_mission(tx, step.mission_id) for step in steps]
        mission = next((one for one in missions if one.web_search and not one.status.ended), None)
        if mission is None:
            return ()
        return (await read_craft(run, agent, mission)).passages

    async def _write(self, run: Run, context: UpskillContext, phase: str) -> CheckedCandidate:
        async def compute() -> CheckedCandidate:
            request = upskill_request(context.inputs, system=context.system)
            reply = await run.ask_for(UpskillReply, request, phase)
            async with run.database.transaction() as tx:
                current = await persona_of(tx, context.agent_id)
                others = {
                    one.name: await persona_of(tx, one.id)
                    for one in await roster(tx, active_only=False)
                    if one.id != context.agent_id
                }
            return CheckedCandidate(reply=reply, faults=tuple(_faults_of(reply, current, others)))

        return await run.checkpoint(phase, (context,), CheckedCandidate, compute)

    async def _propose(self, run: Run, checked: CheckedCandidate) -> None:
        """Make a version without faults the candidate of the trial, with its price; one transaction."""
        reply = checked.reply
        async with run.fenced(Capability.WRITE_PERSONAS) as tx:
            trial = await lock_trial(tx, (await trial_of_task(tx, run.task.id)).id)
            if trial.state is not TrialState.WRITING:
                note = "the version was written before"
            elif checked.faults:
                await refuse_candidate(tx, trial, faults=checked.faults)
                note = f"the version in force stays: {' '.join(checked.faults)}"
            else:
                await propose_trial(
                    tx,
                    trial,
                    _persona(reply),
                    hypothesis=_hypothesis(reply),
                    author=await get_agent(tx, run.assignee_id),
                    pair_usd_micros=await _price(run, tx, trial, _persona(reply)),
                )
                note = "the new version is the candidate of a trial"
            await move(
                tx,
                run.task.id,
                "finish",
                actor=run.worker,
                attempt=run.attempt,
                note=note,
                fields={"result_digest": digest(note), "result_size": len(note.encode())},
            )
            fault_point("upskill.before_commit")
        fault_point("upskill.committed")


def _faults_of(reply: UpskillReply, current: Persona, others: dict[str, Persona]) -> list[str]:
    persona = _persona(reply)
    if persona == current:
        return ["It is the version in force, word for word."]
    # The hypothesis stands in no prompt, and people read it: the same must not be in it.
    claimed = replace(persona, standards=f"{persona.standards}\n{_hypothesis(reply)}")
    return find_persona_faults(claimed, others)


def _persona(reply: UpskillReply) -> Persona:
    return Persona(
        identity=reply.identity,
        soul=reply.soul,
        method=reply.method,
        standards=reply.standards,
        sources=tuple(reply.sources),
    )


def _hypothesis(reply: UpskillReply) -> str:
    return " ".join(strip_control(reply.hypothesis).split())


async def _price(run: Run, tx: Tx, trial: Trial, persona: Persona) -> int:
    agent = await get_agent(tx, trial.agent_id)
    work: list[FrozenInputs] = []
    for step in await newest_steps_of(tx, agent.id, limit=_STEPS_READ):
        if len(work) == _PRICED:
            break
        if step.task_id not in trial.studied and (
            inputs := await load_frozen_inputs(tx, agent, step.task_id)
        ):
            work.append(inputs)
    return pair_usd_micros(run.gateway, persona, work)


async def _gather(run: Run, trial: Trial, agent: Agent, passages: tuple[Passage, ...]) -> UpskillContext:
    chief = run.assignee_id
    lessons = await lessons_for(await run.memory(), chief, agent.title, rehearsal=run.gateway.is_rehearsal)
    async with run.database.transaction() as tx:
        prompt = await system_prompt(run, tx, chief, work=agent.title, lessons=lessons)
        persona = await persona_of(tx, agent.id)
        return UpskillContext(
            agent_id=agent.id,
            system=prompt.text,
            rules_left_out=prompt.rules_left_out,
            inputs=UpskillInputs(
                name=agent.name,
                title=agent.title,
                role=agent.role,
                reason=trial.why,
                identity=persona.identity,
                soul=persona.soul,
                method=persona.method,
                standards=persona.standards,
                sources=persona.sources,
                rejected=tuple([await _rejected(tx, step_id) for step_id in trial.studied]),
                scores=await _scores(tx, agent),
                found=passages,
            ),
        )


async def _rejected(tx: Tx, step_id: UUID) -> RejectedWork:
    step = await get_step(tx, step_id)
    versions = await deliverables_of(tx, [step_id])
    return RejectedWork(
        task=shorten(f"{step.title}: {step.instruction}", _TASK_CHARS),
        text=shorten(versions[-1].content, _TEXT_CHARS) if versions else "",
        feedback=shorten(" ".join(await feedback_on(tx, step_id)), _FEEDBACK_CHARS),
    )


async def _scores(tx: Tx, agent: Agent) -> str:
    """Say how the agent's newest work was scored, with n."""
    steps = [step.task_id for step in await newest_steps_of(tx, agent.id, limit=_STEPS_READ)]
    scores = [one.overall for one in await reviews_of_steps(tx, steps) if one.overall is not None]
    if not scores:
        return ""
    return f"Mean {sum(scores) / len(scores):.2f} of 5 over {plural(len(scores), 'review')}."
