"""Planning runs: the chief of staff turns a directive into a graph of steps that keeps the rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from frasier.kernel.errors import AllProvidersFailed, BadReply
from frasier.kernel.fault_points import fault_point
from frasier.kernel.humanize import plural
from frasier.kernel.mission_depth import MissionDepth
from frasier.kernel.text import shorten
from frasier.llm import DocumentEntry, Passage, PlanInputs, PromptTooLong, StaffedRole, one_line
from frasier.llm.reply_schemas import PlanReply
from frasier.memory import Memory
from frasier.org.conversation import AS_YOU_THINK_BEST, CLARIFICATION, NO, PLAN_QUESTION
from frasier.org.execution import proposals_for
from frasier.org.governance import FounderQuestion, questions_about
from frasier.org.missions import (
    PlanOrigin,
    PlanState,
    StoredPlan,
    current_plan,
    get_mission,
    plans_of,
    record_plan,
    record_refused_plan,
    title_of,
)
from frasier.org.people import AgentKind, Capability, roster
from frasier.org.planning import (
    EstimatePlan,
    PlanningSettings,
    accept_plan,
    ask_about_plan,
    ask_to_clarify,
    begin_plan,
    default_plan,
    escalation_of,
    find_plan_issues,
    planning_bounds,
    propose_plan,
    question_of_plan,
    waits_for_founder,
)
from frasier.org.skills import skills_of
from frasier.prompts import plan_request
from frasier.store import Tx, append_event
from frasier.work.deep_work.context import LeftOutRule, system_prompt
from frasier.work.finish_run import finish_run
from frasier.work.research.mission_sources import Source, document_entries, sources_of
from frasier.work.run_lease import Run
from frasier.work.run_memory import approaches_to, earlier_results, lessons_for
from frasier.work.run_outcomes import Done, GivenUp, NeedsFounder, RunOutcome

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
    """A plan with the issues against it; none if it can be carried out. Without a plan, no reply could be used."""

    plan: PlanReply | None
    issues: tuple[str, ...]


class PlanningRuns:
    """Runs of the process `planning`: a plan, at most one more with the reasons against the first, else the default
    one; then its steps, once the founder has approved it where that is asked for.
    """

    process = "planning"

    def __init__(self, settings: PlanningSettings, *, estimate: EstimatePlan) -> None:
        self._settings = settings
        self._estimate = estimate

    async def run(self, run: Run) -> RunOutcome:
        used: dict[UUID, Sequence[Memory]] = {}
        async with run.database.transaction() as tx:
            open_plan = await current_plan(tx, run.task.group_id)
            questions = await questions_about(tx, run.task.id)
        if open_plan is not None:
            return await self._go_on(run, open_plan)
        context = await run.checkpoint(
            "context",
            (
                run.task.id,
                run.task.round,
                _founder_note(run),
                [one.id for one in questions if one.answered_at],
            ),
            PlanningContext,
            lambda: self._gather(run, questions, used),
            alongside=run.note_memories(used),
        )
        checked, origin = await self._plan(run, context)
        if checked.plan is None or checked.issues:
            return GivenUp(f"no plan kept the rules: {' '.join(checked.issues)}")
        if context.inputs.may_ask and (question := question_of_plan(checked.plan)):
            return await self._clarify(run, question)
        if (escalation := escalation_of(checked.plan)) and not _founder_note(run):
            return NeedsFounder(
                f"Before work begins: {escalation}",
                "answer",
                asks=True,
            )
        await self._propose(run, checked.plan, context.inputs.documents, origin)
        return Done()

    async def _gather(
        self, run: Run, questions: Sequence[FounderQuestion], used: dict[UUID, Sequence[Memory]]
    ) -> PlanningContext:
        chief = run.assignee_id
        async with run.database.transaction() as tx:
            mission = await get_mission(tx, run.task.group_id)
        lessons = await lessons_for(
            await run.memory(), chief, mission.directive, rehearsal=run.gateway.is_rehearsal
        )
        approaches = await approaches_to(
            await run.memory(), chief, shorten(mission.directive, 2_000), rehearsal=run.gateway.is_rehearsal
        )
        earlier = await earlier_results(
            await run.memory(), shorten(mission.directive, 2_000), rehearsal=run.gateway.is_rehearsal
        )
        async with run.database.transaction() as tx:
            directive = mission.directive
            if note := _founder_note(run):
                directive = f"{directive}\n\nThe founder added: {note}"
            prompt = await system_prompt(run, tx, chief, work=directive, lessons=lessons)
            used[chief] = [*prompt.memories, *approaches, *earlier]
            sources = await sources_of(tx, mission.id)
            # What began as a simple task is planned again as one.
            asked = mission.depth or self._settings.depth
            bounds = planning_bounds(self._settings, asked or MissionDepth.STANDARD)
            is_simple = any(plan.origin is PlanOrigin.DIRECT for plan in await plans_of(tx, mission.id))
            return PlanningContext(
                rules_left_out=prompt.rules_left_out,
                system=prompt.text,
                inputs=PlanInputs(
                    directive=directive,
                    roles=await staffed_roles(tx),
                    documents=document_entries(sources),
                    outline=_outline(sources),
                    earlier_results=tuple(_earlier_line(passage) for passage in earlier),
                    can_read_earlier=mission.uses_earlier_results,
                    web_search=mission.web_search,
                    kind=mission.kind,
                    depth=asked,
                    max_steps=1 if is_simple else bounds.steps_max,
                    max_parallel=bounds.parallel_max,
                    max_queries_per_step=bounds.queries_per_step,
                    max_sources_per_step=bounds.sources_per_step,
                    hints=tuple(shorten(approach.content, _HINT_CHARS) for approach in approaches),
                    issues=tuple(_rejections(questions)),
                    may_ask=mission.may_ask and not any(one.kind == CLARIFICATION for one in questions),
                    answers=tuple(_clarifications(questions)),
                    proposals=await proposals_for(tx, mission.id),
                ),
            )

    async def _plan(self, run: Run, context: PlanningContext) -> tuple[CheckedPlan, PlanOrigin]:
        """Have the chief of staff plan, at most twice; return the plan, or the default one if that fails."""
        checked = await self._ask(run, context, "plan-1")
        if checked.issues and checked.plan is not None:
            reasons = (*context.inputs.issues, *checked.issues)
            again = replace(context, inputs=replace(context.inputs, issues=reasons))
            checked = await self._ask(run, again, "plan-2")
        if not checked.issues:
            return checked, PlanOrigin.PLANNER
        plan = default_plan(context.inputs, title=title_of(context.inputs.directive))
        plan = plan.model_copy(update={"complexity": context.inputs.depth or plan.complexity})
        # The default plan makes no table, which data need.
        if issues := self._issues(plan, context.inputs):
            return CheckedPlan(plan=None, issues=(*checked.issues, *issues)), PlanOrigin.DEFAULT
        return CheckedPlan(plan=plan, issues=()), PlanOrigin.DEFAULT

    async def _ask(self, run: Run, context: PlanningContext, phase: str) -> CheckedPlan:
        inputs = context.inputs

        async def compute() -> CheckedPlan:
            try:
                plan = await run.ask_for(PlanReply, plan_request(inputs, system=context.system), phase)
                # The founder's word counts, whatever the model says.
                plan = plan.model_copy(update={"complexity": inputs.depth or plan.complexity})
            except AllProvidersFailed as error:
                # The same model was asked twice, and others after it: small ones write no plan at all.
                if not all(isinstance(cause, BadReply) for cause in error.causes):
                    raise
                return CheckedPlan(plan=None, issues=(f"No reply could be used: {error.message}",))
            except PromptTooLong as error:
                # A small model's context may hold the requests of a step, which are shorter, all the same.
                return CheckedPlan(plan=None, issues=(f"No plan could be asked for: {error.message}",))
            return CheckedPlan(plan=plan, issues=tuple(self._issues(plan, inputs)))

        async def keep_refused(tx: Tx, checked: CheckedPlan) -> None:
            if checked.issues and checked.plan is not None:
                await record_refused_plan(tx, run.task.group_id, checked.plan, issues=checked.issues)
            elif checked.issues:
                await append_event(
                    tx,
                    stream=run.task.group_id,
                    kind="plan.unusable",
                    actor=str(run.worker),
                    payload={"reason": checked.issues[0]},
                )

        return await run.checkpoint(phase, (context,), CheckedPlan, compute, alongside=keep_refused)

    def _issues(self, plan: PlanReply, inputs: PlanInputs) -> list[str]:
        bounds = planning_bounds(self._settings, MissionDepth(plan.complexity))
        return find_plan_issues(
            plan,
            bounds.model_copy(update={"steps_max": min(bounds.steps_max, inputs.max_steps)}),
            roles={role.role for role in inputs.roles},
            colleagues=names_of(inputs.roles),
            documents=inputs.documents,
            other_sources=inputs.has_other_sources,
        )

    async def _clarify(self, run: Run, question: str) -> RunOutcome:
        async with run.fenced(Capability.PLAN_MISSIONS) as tx:
            mission = await get_mission(tx, run.task.group_id)
            await ask_to_clarify(tx, run.task, mission, question, actor=run.worker, attempt=run.attempt)
        return Done()

    async def _propose(
        self, run: Run, plan: PlanReply, documents: Sequence[DocumentEntry], origin: PlanOrigin
    ) -> None:
        """Store the plan with its staffing and estimate, and begin it or ask the founder: one transaction."""
        async with run.database.transaction() as tx:
            mission = await get_mission(tx, run.task.group_id)
            proposed = await propose_plan(
                tx, mission, plan, roster=await roster(tx), estimate=self._estimate, origin=origin
            )
        async with run.fenced(Capability.PLAN_MISSIONS) as tx:
            if waits_for_founder(mission, proposed, self._settings) or await _was_asked(tx, run):
                stored = await record_plan(tx, mission.id, proposed, state=PlanState.PROPOSED)
                await ask_about_plan(tx, run.task, mission, stored, actor=run.worker, attempt=run.attempt)
            else:
                await accept_plan(
                    tx, mission, proposed, roster=await roster(tx), actor=run.worker, documents=documents
                )
                await self._finish(tx, run, plan)
            fault_point("plan.before_commit")
        fault_point("plan.committed")

    async def _go_on(self, run: Run, plan: StoredPlan) -> RunOutcome:
        """Begin the plan that the founder approved; ask again about one that is not decided."""
        async with run.fenced(Capability.PLAN_MISSIONS) as tx:
            mission = await get_mission(tx, run.task.group_id)
            if plan.state is PlanState.PROPOSED:
                await ask_about_plan(tx, run.task, mission, plan, actor=run.worker, attempt=run.attempt)
                return Done()
            documents = document_entries(await sources_of(tx, mission.id))
            await begin_plan(
                tx, mission, plan, roster=await roster(tx), actor=run.worker, documents=documents
            )
            await self._finish(tx, run, plan.reply)
            fault_point("plan.before_commit")
        fault_point("plan.committed")
        return Done()

    async def _finish(self, tx: Tx, run: Run, plan: PlanReply) -> None:
        outline = "\n".join(f"{step.key}: {step.title}" for step in plan.steps)
        note = f"planned {plural(len(plan.steps), 'step')}: {', '.join(step.key for step in plan.steps)}"
        await finish_run(tx, run, outline, note=note)


async def _was_asked(tx: Tx, run: Run) -> bool:
    """Whether an earlier plan of this mission was shown to the founder, who then decides about this one, too."""
    return any(one.kind == PLAN_QUESTION for one in await questions_about(tx, run.task.id))


def _rejections(questions: Sequence[FounderQuestion]) -> Iterator[str]:
    """Yield the founder's reasons against earlier plans."""
    for question in questions:
        if question.kind == PLAN_QUESTION and question.answer == NO and question.note:
            yield f"The founder rejected it: {question.note}"


def _clarifications(questions: Sequence[FounderQuestion]) -> Iterator[str]:
    """Yield the planner's question with the founder's answer."""
    for question in questions:
        if question.kind == CLARIFICATION and question.answered_at:
            yield f"{question.question} The founder answered: {question.note or AS_YOU_THINK_BEST}"


def _founder_note(run: Run) -> str:
    """Return the founder's answer to an escalation of an earlier attempt, if any."""
    return str(run.task.fields.get("founder_note", ""))


async def staffed_roles(tx: Tx) -> tuple[StaffedRole, ...]:
    """Return whom a plan, the first or a changed one, may give steps to: not the chief of staff, who plans."""
    return tuple(
        [
            StaffedRole(
                role=agent.role,
                key=agent.key,
                agent=agent.name,
                title=agent.title,
                skills=tuple(skill.name for skill in await skills_of(tx, agent.id)),
            )
            for agent in await roster(tx)
            if agent.kind is not AgentKind.CHIEF_OF_STAFF
        ]
    )


def names_of(staffed: Sequence[StaffedRole]) -> set[str]:
    """Return the keys and names by which a plan may name colleagues."""
    return {name for one in staffed for name in (one.key, one.agent) if name}


def _earlier_line(passage: Memory) -> str:
    return (
        f"{passage.created_at:%Y-%m-%d} {one_line(passage.title)}: {shorten(one_line(passage.content), 200)}"
    )


def _outline(sources: Sequence[Source]) -> tuple[Passage, ...]:
    """Return the beginning of the first sources, for the planner."""
    return tuple(
        Passage(number=source.number, title=source.title, text=shorten(source.opening, _OUTLINE_CHARS))
        for source in sources[:_OUTLINE_SOURCES]
    )
