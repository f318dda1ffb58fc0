"""Upskill runs: the chief of staff writes the next version of a persona or a skill, from rejected work and the craft.

What is written passes the checks of its kind and becomes the candidate of a trial; it is not in force.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from frasier.kernel.fault_points import fault_point
from frasier.kernel.humanize import plural
from frasier.kernel.text import shorten, strip_control
from frasier.llm import MethodInputs, Passage, RejectedWork, UpskillInputs
from frasier.llm.reply_schemas import MethodReply, UpskillReply
from frasier.org.execution import feedback_on
from frasier.org.governance import reviews_of_steps
from frasier.org.improvement import MethodText, propose_trial, refuse_candidate, work_with
from frasier.org.missions import deliverables_of, get_mission, get_step
from frasier.org.people import (
    Agent,
    Capability,
    Persona,
    find_persona_faults,
    find_texts_aimed_elsewhere,
    get_agent,
    persona_of,
)
from frasier.org.skills import SkillVersion, skill_version
from frasier.org.staffing import Trial, TrialState, lock_trial, trial_of_task
from frasier.prompts import method_request, upskill_request
from frasier.store import Tx
from frasier.work.craft_research import read_craft
from frasier.work.finish_run import finish_run
from frasier.work.run_lease import Run
from frasier.work.run_outcomes import Done, RunOutcome
from frasier.work.trials.frozen_inputs import FrozenInputs, load_frozen_inputs
from frasier.work.trials.price import pair_usd_micros
from frasier.work.written_personas import other_personas, written_persona
from frasier.work.written_texts import WritingContext, WrittenText, gather_writing, write_checked

_TEXT_CHARS = 3_000
_FEEDBACK_CHARS = 1_500
_TASK_CHARS = 600
_PRICED = 3
_SAME = "It is the version in force, word for word."


class UpskillRuns:
    """Runs of the process `upskill`."""

    process = "upskill"

    async def run(self, run: Run) -> RunOutcome:
        async with run.database.transaction() as tx:
            trial = await trial_of_task(tx, run.task.id)
            agent = await get_agent(tx, trial.agent_id)
        passages = await self._read_craft(run, trial, agent)
        if trial.skill:
            method = await self._write_method(run, trial, agent, passages)
            text = MethodText(short=method.reply.short, long=method.reply.long)
            await self._propose(run, text, method.reply.hypothesis, method.faults)
        else:
            persona = await self._write_persona(run, trial, agent, passages)
            await self._propose(run, written_persona(persona.reply), persona.reply.hypothesis, persona.faults)
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

    async def _write_persona(
        self, run: Run, trial: Trial, agent: Agent, passages: tuple[Passage, ...]
    ) -> WrittenText[UpskillReply]:
        context = await gather_writing(
            run,
            WritingContext[UpskillInputs],
            about=agent.title,
            work=agent.title,
            inputs=lambda tx: _persona_inputs(tx, trial, agent, passages),
            of_mission=False,
        )

        async def find_faults(tx: Tx, reply: UpskillReply) -> Sequence[str]:
            persona = written_persona(reply)
            if persona == await persona_of(tx, agent.id):
                return (_SAME,)
            # The hypothesis stands in no prompt, and people read it: the same must not be in it.
            claimed = replace(persona, standards=f"{persona.standards}\n{_one_line(reply.hypothesis)}")
            return find_persona_faults(claimed, await other_personas(tx, agent.id))

        return await write_checked(
            run,
            context,
            WrittenText[UpskillReply],
            UpskillReply,
            request=upskill_request,
            find_faults=find_faults,
        )

    async def _write_method(
        self, run: Run, trial: Trial, agent: Agent, passages: tuple[Passage, ...]
    ) -> WrittenText[MethodReply]:
        async with run.database.transaction() as tx:
            before = await skill_version(tx, trial.skill or "", trial.baseline)
        context = await gather_writing(
            run,
            WritingContext[MethodInputs],
            about=f"{before.skill.replace('_', ' ')}: {before.short}",
            work=agent.title,
            inputs=lambda tx: _method_inputs(tx, trial, agent, before, passages),
            of_mission=False,
        )

        async def find_faults(_tx: Tx, reply: MethodReply) -> Sequence[str]:
            if (reply.short.strip(), reply.long.strip()) == (before.short, before.long):
                return (_SAME,)
            return find_texts_aimed_elsewhere(f"{reply.short}\n{reply.long}\n{reply.hypothesis}")

        return await write_checked(
            run,
            context,
            WrittenText[MethodReply],
            MethodReply,
            request=method_request,
            find_faults=find_faults,
        )

    async def _propose(
        self, run: Run, text: Persona | MethodText, hypothesis: str, faults: Sequence[str]
    ) -> None:
        """Make a version without faults the candidate of the trial, with its price; one transaction."""
        async with run.fenced(Capability.WRITE_PERSONAS) as tx:
            trial = await lock_trial(tx, (await trial_of_task(tx, run.task.id)).id)
            if trial.state is not TrialState.WRITING:
                note = "the version was written before"
            elif faults:
                await refuse_candidate(tx, trial, faults=faults)
                note = f"the version in force stays: {' '.join(faults)}"
            else:
                await propose_trial(
                    tx,
                    trial,
                    text,
                    hypothesis=_one_line(hypothesis),
                    author=await get_agent(tx, run.assignee_id),
                    pair_usd_micros=await _price(run, tx, trial, text),
                )
                note = "the new version is the candidate of a trial"
            await finish_run(tx, run, note)
            fault_point("upskill.before_commit")
        fault_point("upskill.committed")


def _one_line(text: str) -> str:
    return " ".join(strip_control(text).split())


async def _price(run: Run, tx: Tx, trial: Trial, text: Persona | MethodText) -> int:
    work: list[FrozenInputs] = []
    for step in await work_with(tx, trial, version=trial.baseline):
        if len(work) == _PRICED:
            break
        author = await get_agent(tx, step.agent_id)
        if step.task_id not in trial.studied and (
            inputs := await load_frozen_inputs(tx, author, step.task_id)
        ):
            work.append(inputs)
    parts = (
        (text.identity, text.soul, text.method, text.standards)
        if isinstance(text, Persona)
        else (text.short, text.long)
    )
    return pair_usd_micros(run.gateway, "\n".join(parts), work)


async def _persona_inputs(tx: Tx, trial: Trial, agent: Agent, passages: tuple[Passage, ...]) -> UpskillInputs:
    persona = await persona_of(tx, agent.id)
    return UpskillInputs(
        name=agent.name,
        title=agent.title,
        role=agent.role,
        reason=trial.why,
        identity=persona.identity,
        soul=persona.soul,
        method=persona.method,
        standards=persona.standards,
        sources=persona.sources,
        rejected=tuple([await _rejected(tx, trial, number) for number in range(len(trial.studied))]),
        scores=await _scores(tx, trial),
        found=passages,
    )


async def _method_inputs(
    tx: Tx, trial: Trial, agent: Agent, before: SkillVersion, passages: tuple[Passage, ...]
) -> MethodInputs:
    return MethodInputs(
        skill=before.skill.replace("_", " "),
        title=agent.title,
        reason=trial.why,
        short=before.short,
        long=before.long,
        rejected=tuple([await _rejected(tx, trial, number) for number in range(len(trial.studied))]),
        scores=await _scores(tx, trial),
        found=passages,
    )


async def _rejected(tx: Tx, trial: Trial, number: int) -> RejectedWork:
    step = await get_step(tx, trial.studied[number])
    versions = await deliverables_of(tx, [step.task_id])
    return RejectedWork(
        task=shorten(f"{step.title}: {step.instruction}", _TASK_CHARS),
        text=shorten(versions[-1].content, _TEXT_CHARS) if versions else "",
        feedback=shorten(" ".join(await feedback_on(tx, step.task_id)), _FEEDBACK_CHARS),
    )


async def _scores(tx: Tx, trial: Trial) -> str:
    """Say how the newest work with what the trial is about was scored, with n."""
    steps = [step.task_id for step in await work_with(tx, trial, version=trial.baseline)]
    scores = [one.overall for one in await reviews_of_steps(tx, steps) if one.overall is not None]
    if not scores:
        return ""
    return f"Mean {sum(scores) / len(scores):.2f} of 5 over {plural(len(scores), 'review')}."
