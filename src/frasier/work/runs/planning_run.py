"""Planning runs: the chief of staff turns a directive into a graph of steps that keeps the rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from frasier.kernel.fault_points import fault_point
from frasier.kernel.humanize import plural
from frasier.kernel.text import digest, shorten
from frasier.llm import DocumentEntry, Passage, PlanInputs, StaffedRole, one_line
from frasier.llm.reply_schemas import PlanReply
from frasier.memory import Memory
from frasier.org.people import roster
from frasier.org.planning import (
    PlanningSettings,
    accept_plan,
    escalation_of,
    find_plan_issues,
    get_mission,
    record_plan,
)
from frasier.org.skills import skills_of
from frasier.prompts import plan_request
from frasier.store import Tx
from frasier.work.deep_work.context import LeftOutRule, system_prompt
from frasier.work.research.mission_sources import Source, sources_of
from frasier.work.run_lease import Run
from frasier.work.run_memory import approaches_to, earlier_results, lessons_for
from frasier.work.run_outcomes import Done, GivenUp, NeedsFounder, RunOutcome
from frasier.workflow import move

_OUTLINE_SOURCES = 40
_OUTLINE_CHARS = 600
_HINT_CHARS = 900


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanningContext:
    """The inputs of a plan, gathered once."""

    inputs: PlanInputs
    system: str
    rules_left_out: tuple[LeftOutRule, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedPlan:
    """A plan with the issues against it; none if it can be carried out."""

    plan: PlanReply
    issues: tuple[str, ...]


class PlanningRuns:
    """Runs of the process `planning`: a plan, at most one more with the reasons against the first, its steps."""

    process = "planning"

    def __init__(self, settings: PlanningSettings) -> None:
        self._settings = settings

    async def run(self, run: Run) -> RunOutcome:
        used: list[Memory] = []
        context = await run.checkpoint(
            "context",
            (run.task.id, run.task.round, _founder_note(run)),
            PlanningContext,
            lambda: self._gather(run, used),
            alongside=run.note_memories(used),
        )
        checked = await self._plan(run, context, "plan-1")
        if checked.issues:
            again = replace(context, inputs=replace(context.inputs, issues=checked.issues))
            checked = await self._plan(run, again, "plan-2")
        if checked.issues:
            return GivenUp(f"no plan kept the rules, twice: {' '.join(checked.issues)}")
        if (escalation := escalation_of(checked.plan)) and not _founder_note(run):
            return NeedsFounder(
                f"Before work begins: {escalation}",
                "answer, with a note",
                asks=True,
            )
        await self._accept(run, checked.plan, context.inputs.documents)
        return Done()

    async def _gather(self, run: Run, used: list[Memory]) -> PlanningContext:
        chief = run.assignee_id
        async with run.database.transaction() as tx:
            mission = await get_mission(tx, run.task.group_id)
        lessons = await lessons_for(run.memory, chief, mission.directive, rehearsal=run.gateway.is_rehearsal)
        approaches = await approaches_to(
            run.memory, chief, shorten(mission.directive, 2_000), rehearsal=run.gateway.is_rehearsal
        )
        earlier = await earlier_results(
            run.memory, shorten(mission.directive, 2_000), rehearsal=run.gateway.is_rehearsal
        )
        async with run.database.transaction() as tx:
            directive = mission.directive
            if note := _founder_note(run):
                directive = f"{directive}\n\nThe founder added: {note}"
            prompt = await system_prompt(run, tx, chief, lessons=lessons)
            used += [*prompt.memories, *approaches, *earlier]
            sources = await sources_of(tx, mission.id)
            return PlanningContext(
                rules_left_out=prompt.rules_left_out,
                system=prompt.text,
                inputs=PlanInputs(
                    directive=directive,
                    roles=await staffed_roles(tx, chief),
                    documents=tuple(_entry(source) for source in sources),
                    outline=_outline(sources),
                    earlier_results=tuple(_earlier_line(passage) for passage in earlier),
                    can_read_earlier=mission.uses_earlier_results,
                    web_search=mission.web_search,
                    kind=mission.kind,
                    max_steps=self._settings.steps_max,
                    max_parallel=self._settings.parallel_max,
                    max_queries_per_step=self._settings.queries_per_step,
                    max_sources_per_step=self._settings.sources_per_step,
                    hints=tuple(shorten(approach.content, _HINT_CHARS) for approach in approaches),
                ),
            )

    async def _plan(self, run: Run, context: PlanningContext, phase: str) -> CheckedPlan:
        inputs = context.inputs

        async def compute() -> CheckedPlan:
            plan = await run.ask_for(PlanReply, plan_request(inputs, system=context.system), phase)
            issues = find_plan_issues(
                plan,
                self._settings,
                roles={role.role for role in inputs.roles},
                documents=inputs.documents,
                can_search=inputs.web_search,
            )
            return CheckedPlan(plan=plan, issues=tuple(issues))

        async def keep_refused(tx: Tx, checked: CheckedPlan) -> None:
            if checked.issues:
                await record_plan(tx, run.task.group_id, checked.plan, issues=checked.issues, accepted=False)

        return await run.checkpoint(phase, (context,), CheckedPlan, compute, alongside=keep_refused)

    async def _accept(self, run: Run, plan: PlanReply, documents: Sequence[DocumentEntry]) -> None:
        async with run.fenced() as tx:
            mission = await get_mission(tx, run.task.group_id)
            await accept_plan(
                tx, mission, plan, roster=await roster(tx), actor=run.worker, documents=documents
            )
            outline = "\n".join(f"{step.key}: {step.title}" for step in plan.steps)
            await move(
                tx,
                run.task.id,
                "finish",
                actor=run.worker,
                attempt=run.attempt,
                note=f"planned {plural(len(plan.steps), 'step')}: {', '.join(step.key for step in plan.steps)}",
                fields={"result_digest": digest(outline), "result_size": len(outline.encode())},
            )
            fault_point("plan.before_commit")
        fault_point("plan.committed")


def _founder_note(run: Run) -> str:
    """Return the founder's answer to an escalation of an earlier attempt, if any."""
    return str(run.task.fields.get("founder_note", ""))


async def staffed_roles(tx: Tx, chief: UUID) -> tuple[StaffedRole, ...]:
    """Return the roles filled by agents other than the chief of staff, who plans but does not do steps."""
    return tuple(
        [
            StaffedRole(
                role=agent.role,
                agent=agent.name,
                title=agent.title,
                skills=tuple(skill.name for skill in await skills_of(tx, agent.id)),
            )
            for agent in await roster(tx)
            if agent.id != chief
        ]
    )


def _earlier_line(passage: Memory) -> str:
    return (
        f"{passage.created_at:%Y-%m-%d} {one_line(passage.title)}: {shorten(one_line(passage.content), 200)}"
    )


def _entry(source: Source) -> DocumentEntry:
    return DocumentEntry(number=source.number, title=source.title, path=source.uri, chars=source.chars)


def _outline(sources: Sequence[Source]) -> tuple[Passage, ...]:
    """Return the beginning of the first sources, for the planner."""
    return tuple(
        Passage(number=source.number, title=source.title, text=shorten(source.opening, _OUTLINE_CHARS))
        for source in sources[:_OUTLINE_SOURCES]
    )
