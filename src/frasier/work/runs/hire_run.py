"""Hire runs: the chief of staff writes the persona of a new colleague, from what can be read of the trade.

The first persona stays in force until a written one has passed the checks; the colleague's steps wait for the run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from frasier.kernel.fault_points import fault_point
from frasier.kernel.text import digest, shorten
from frasier.llm import PersonaInputs, one_line
from frasier.llm.reply_schemas import PersonaReply
from frasier.memory import Memory
from frasier.org.governance import pending_reviews_of
from frasier.org.people import (
    Agent,
    Capability,
    Persona,
    add_persona_version,
    find_agent,
    find_persona_faults,
    get_agent,
    persona_of,
    roster,
)
from frasier.org.planning import Mission, get_mission, get_step, steps_of
from frasier.org.staffing import Hire, HirePersona, HireState, hire_of, set_hire_persona, take_writing
from frasier.prompts import persona_request
from frasier.store import Tx, append_event
from frasier.work.craft_research import CraftPages, read_craft
from frasier.work.deep_work.context import LeftOutRule, system_prompt
from frasier.work.run_lease import Run
from frasier.work.run_memory import lessons_for
from frasier.work.run_outcomes import Done, RetryLater, RunOutcome
from frasier.workflow import move

_WAIT_S = 2.0
_TASK_CHARS = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class HireContext:
    """The inputs of a persona, gathered once."""

    agent_id: UUID
    inputs: PersonaInputs
    system: str
    rules_left_out: tuple[LeftOutRule, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedPersona:
    """A written persona with the faults against it; none if it can be put in force."""

    persona: PersonaReply
    faults: tuple[str, ...]


class HireRuns:
    """Runs of the process `hire`."""

    process = "hire"

    async def run(self, run: Run) -> RunOutcome:
        async with run.database.transaction() as tx:
            agent = await find_agent(tx, str(run.task.fields["colleague"]))
            hire = await hire_of(tx, agent.id)
            mission = await get_mission(tx, run.task.group_id)
        if hire is None or hire.persona is not HirePersona.FIRST:
            await self._finish(run, agent, "the persona was written before")
            return Done()
        if hire.state is HireState.ENDED:
            await self._finish(run, agent, "has retired, so no persona is written")
            return Done()
        async with run.fenced() as tx:
            if not await take_writing(tx, agent.id, run.task.id):
                return RetryLater("another mission has the persona written", after_s=_WAIT_S)
        craft = await read_craft(run, agent, mission)
        used: dict[UUID, Sequence[Memory]] = {}
        context = await run.checkpoint(
            "context",
            (run.task.id, run.task.round),
            HireContext,
            lambda: _gather(run, agent, hire, mission, craft, used),
            alongside=run.note_memories(used),
        )
        checked = await self._write(run, context, "persona-1")
        if checked.faults:
            again = replace(context, inputs=replace(context.inputs, faults=checked.faults))
            checked = await self._write(run, again, "persona-2")
        await self._put_in_force(run, agent, checked)
        return Done()

    async def _write(self, run: Run, context: HireContext, phase: str) -> CheckedPersona:
        async def compute() -> CheckedPersona:
            reply = await run.ask_for(
                PersonaReply, persona_request(context.inputs, system=context.system), phase
            )
            async with run.database.transaction() as tx:
                others = {
                    one.name: await persona_of(tx, one.id)
                    for one in await roster(tx, active_only=False)
                    if one.id != context.agent_id
                }
            faults = [] if run.gateway.is_rehearsal else find_persona_faults(_persona(reply), others)
            return CheckedPersona(persona=reply, faults=tuple(faults))

        return await run.checkpoint(phase, (context,), CheckedPersona, compute)

    async def _put_in_force(self, run: Run, agent: Agent, checked: CheckedPersona) -> None:
        """Put the persona in force, or keep the first one where its faults remain; one transaction."""
        async with run.fenced(Capability.WRITE_PERSONAS) as tx:
            hire = await hire_of(tx, agent.id)
            if hire is not None and hire.persona is HirePersona.FIRST:
                if checked.faults:
                    await set_hire_persona(tx, agent.id, HirePersona.REFUSED)
                    note = f"the first persona stays: {' '.join(checked.faults)}"
                    kind = "persona.refused"
                else:
                    await add_persona_version(
                        tx,
                        agent.id,
                        _persona(checked.persona),
                        why="as researched for the hire",
                        actor=str(run.worker),
                    )
                    await set_hire_persona(tx, agent.id, HirePersona.RESEARCHED)
                    note = "its persona is in force"
                    kind = "persona.changed"
                await append_event(
                    tx,
                    stream=agent.id,
                    kind=kind,
                    actor=str(run.worker),
                    payload={"key": agent.key, "title": agent.title, "note": note},
                )
            else:
                note = "the persona was written before"
            await _end(tx, run, agent, note)
            fault_point("hire.before_commit")
        fault_point("hire.committed")

    async def _finish(self, run: Run, agent: Agent, note: str) -> None:
        async with run.fenced() as tx:
            await _end(tx, run, agent, note)


async def _end(tx: Tx, run: Run, agent: Agent, note: str) -> None:
    await move(
        tx,
        run.task.id,
        "finish",
        actor=run.worker,
        attempt=run.attempt,
        note=f"{agent.name}, {agent.title}: {note}",
        fields={"result_digest": digest(note), "result_size": len(note.encode())},
    )


def _persona(reply: PersonaReply) -> Persona:
    return Persona(
        identity=reply.identity,
        soul=reply.soul,
        method=reply.method,
        standards=reply.standards,
        sources=tuple(reply.sources),
    )


async def _reviews_waiting(tx: Tx, agent: Agent) -> tuple[str, ...]:
    """Return the reviews that wait for a new colleague."""
    steps = [await get_step(tx, review.step_id) for review in await pending_reviews_of(tx, agent.id)]
    return tuple(
        shorten(one_line(f"The review of {step.title}: {step.instruction}"), _TASK_CHARS) for step in steps
    )


async def _gather(
    run: Run,
    agent: Agent,
    hire: Hire,
    mission: Mission,
    craft: CraftPages,
    used: dict[UUID, Sequence[Memory]],
) -> HireContext:
    chief = run.assignee_id
    lessons = await lessons_for(await run.memory(), chief, agent.title, rehearsal=run.gateway.is_rehearsal)
    async with run.database.transaction() as tx:
        prompt = await system_prompt(run, tx, chief, work=f"{agent.title}\n{hire.reason}", lessons=lessons)
        used[chief] = prompt.memories
        first = await persona_of(tx, agent.id)
        current = await get_agent(tx, agent.id)
        return HireContext(
            agent_id=agent.id,
            rules_left_out=prompt.rules_left_out,
            system=prompt.text,
            inputs=PersonaInputs(
                name=current.name,
                title=current.title,
                role=current.role,
                reason=hire.reason,
                directive=mission.directive,
                tasks=tuple(
                    shorten(one_line(f"{step.title}: {step.instruction}"), _TASK_CHARS)
                    for step in await steps_of(tx, mission.id)
                    if step.agent_id == agent.id and not step.removed
                )
                + await _reviews_waiting(tx, agent),
                found=craft.passages,
                colleagues=tuple(
                    f"{one.name}, {one.title}" for one in await roster(tx) if one.id != agent.id
                ),
                first=(first.identity, first.soul, first.method, first.standards),
            ),
        )
