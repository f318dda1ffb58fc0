"""Hire runs: the chief of staff writes the persona of a new colleague, from what can be read of the trade.

The first persona stays in force until a written one has passed the checks; the colleague's steps wait for the run.
"""

from __future__ import annotations

from collections.abc import Sequence

from frasier.kernel.fault_points import fault_point
from frasier.kernel.text import shorten
from frasier.llm import PersonaInputs, one_line
from frasier.llm.reply_schemas import PersonaReply
from frasier.org.governance import pending_reviews_of
from frasier.org.missions import Mission, get_mission, get_step, steps_of
from frasier.org.people import (
    Agent,
    Capability,
    add_persona_version,
    append_agent_event,
    find_agent,
    find_persona_faults,
    get_agent,
    persona_of,
    roster,
)
from frasier.org.staffing import Hire, HirePersona, HireState, hire_of, set_hire_persona, take_writing
from frasier.prompts import persona_request
from frasier.store import Tx
from frasier.work.craft_research import CraftPages, read_craft
from frasier.work.finish_run import finish_run
from frasier.work.run_lease import Run
from frasier.work.run_outcomes import Done, RetryLater, RunOutcome
from frasier.work.written_personas import other_personas, written_persona
from frasier.work.written_texts import WritingContext, WrittenText, gather_writing, write_checked

_WAIT_S = 2.0
_TASK_CHARS = 300


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
        context = await gather_writing(
            run,
            WritingContext[PersonaInputs],
            about=agent.title,
            work=f"{agent.title}\n{hire.reason}",
            inputs=lambda tx: _gather(tx, agent, hire, mission, craft),
            of_mission=True,
        )

        async def find_faults(tx: Tx, reply: PersonaReply) -> Sequence[str]:
            if run.gateway.is_rehearsal:
                return ()
            return find_persona_faults(written_persona(reply), await other_personas(tx, agent.id))

        written = await write_checked(
            run,
            context,
            WrittenText[PersonaReply],
            PersonaReply,
            request=persona_request,
            find_faults=find_faults,
        )
        await self._put_in_force(run, agent, written)
        return Done()

    async def _put_in_force(self, run: Run, agent: Agent, written: WrittenText[PersonaReply]) -> None:
        """Put the persona in force, or keep the first one where its faults remain; one transaction."""
        async with run.fenced(Capability.WRITE_PERSONAS) as tx:
            hire = await hire_of(tx, agent.id)
            if hire is not None and hire.persona is HirePersona.FIRST:
                if written.faults:
                    await set_hire_persona(tx, agent.id, HirePersona.REFUSED)
                    note = f"the first persona stays: {' '.join(written.faults)}"
                    kind = "persona.refused"
                else:
                    await add_persona_version(
                        tx,
                        agent.id,
                        written_persona(written.reply),
                        why="as researched for the hire",
                        actor=str(run.worker),
                    )
                    await set_hire_persona(tx, agent.id, HirePersona.RESEARCHED)
                    note = "its persona is in force"
                    kind = "persona.changed"
                await append_agent_event(tx, agent, kind, actor=str(run.worker), note=note)
            else:
                note = "the persona was written before"
            await finish_run(tx, run, note, note=f"{agent.name}, {agent.title}: {note}")
            fault_point("hire.before_commit")
        fault_point("hire.committed")

    async def _finish(self, run: Run, agent: Agent, note: str) -> None:
        async with run.fenced() as tx:
            await finish_run(tx, run, note, note=f"{agent.name}, {agent.title}: {note}")


async def _reviews_waiting(tx: Tx, agent: Agent) -> tuple[str, ...]:
    """Return the reviews that wait for a new colleague."""
    steps = [await get_step(tx, review.step_id) for review in await pending_reviews_of(tx, agent.id)]
    return tuple(
        shorten(one_line(f"The review of {step.title}: {step.instruction}"), _TASK_CHARS) for step in steps
    )


async def _gather(tx: Tx, agent: Agent, hire: Hire, mission: Mission, craft: CraftPages) -> PersonaInputs:
    first = await persona_of(tx, agent.id)
    current = await get_agent(tx, agent.id)
    tasks = tuple(
        shorten(one_line(f"{step.title}: {step.instruction}"), _TASK_CHARS)
        for step in await steps_of(tx, mission.id)
        if step.agent_id == agent.id and not step.removed
    )
    return PersonaInputs(
        name=current.name,
        title=current.title,
        role=current.role,
        reason=hire.reason,
        directive=mission.directive,
        tasks=tasks + await _reviews_waiting(tx, agent),
        found=craft.passages,
        colleagues=tuple(f"{one.name}, {one.title}" for one in await roster(tx) if one.id != agent.id),
        first=(first.identity, first.soul, first.method, first.standards),
    )
