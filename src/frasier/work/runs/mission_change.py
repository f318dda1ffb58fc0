"""A change of a mission that runs, whoever wants it: the chief of staff proposes it, and rules check it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

from frasier.kernel.fault_points import fault_point
from frasier.kernel.mission_depth import MissionDepth
from frasier.llm import ConversationTurn, DocumentEntry, SteerInputs, StepOfMission
from frasier.llm.reply_schemas import PlanReply, SteerReply
from frasier.memory import Memory
from frasier.org.conversation import amendments_of, answers_of
from frasier.org.missions import Mission, MissionStatus, get_mission
from frasier.org.people import Capability, roster
from frasier.org.planning import (
    EstimatePlan,
    MissionGraph,
    PlanningSettings,
    Steered,
    count_authors,
    find_steering_issues,
    hires_needed,
    planning_bounds,
    propose_staffing,
    read_graph,
    steer,
    steered_plan,
)
from frasier.prompts import steer_request
from frasier.store import Tx
from frasier.work.deep_work.context import LeftOutRule, system_prompt
from frasier.work.research.mission_sources import sources_of
from frasier.work.run_lease import Run
from frasier.work.run_memory import lessons_for
from frasier.work.run_outcomes import Done, GivenUp, RetryLater, RunOutcome
from frasier.work.runs.planning_run import names_of, staffed_roles
from frasier.workflow import Actor, lock_group


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeContext:
    """The inputs of a change, gathered once for each state of the mission."""

    inputs: SteerInputs
    system: str
    rules_left_out: tuple[LeftOutRule, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedChange:
    """A proposed change, with the issues against it; none if it can be carried out."""

    change: SteerReply
    issues: tuple[str, ...]


def _no_issues(_graph: MissionGraph, _change: SteerReply) -> Sequence[str]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedChange:
    """A wish about a mission, in words, by the authority of `actor`.

    `more_issues` are rules beside those of plans. New steps `replaces` a step where it names one (see steered_plan).
    """

    mission_id: UUID
    wish: str
    actor: Actor
    turns: tuple[ConversationTurn, ...] = ()
    replaces: str = ""
    more_issues: Callable[[MissionGraph, SteerReply], Sequence[str]] = field(default=_no_issues)


class MissionChange:
    """One change of a mission by a run of the chief of staff's."""

    def __init__(
        self, run: Run, wish: WantedChange, settings: PlanningSettings, *, estimate: EstimatePlan
    ) -> None:
        self._run = run
        self._wanted = wish
        self._settings = settings
        self._estimate = estimate

    async def propose(self) -> CheckedChange:
        """Return a proposal, or with issues against it the next one, which was told them."""
        run, wanted = self._run, self._wanted
        async with run.database.transaction() as tx:
            mission = await get_mission(tx, wanted.mission_id)
            open_keys = (await read_graph(tx, mission.id)).open_keys
        used: dict[UUID, Sequence[Memory]] = {}
        context = await run.checkpoint(
            "context",
            (run.task.id, run.task.round, open_keys),
            ChangeContext,
            lambda: self._gather(mission, used),
            alongside=run.note_memories(used, mission_id=mission.id),
        )
        checked = await self._ask(context, mission, "steer-1")
        if checked.issues:
            again = replace(context, inputs=replace(context.inputs, issues=checked.issues))
            checked = await self._ask(again, mission, "steer-2")
        return checked

    async def carry_out(
        self, change: SteerReply, conclude: Callable[[Tx, Steered], Awaitable[None]]
    ) -> RunOutcome:
        """Carry out the change if the mission still permits it, and what `conclude` does with it: one transaction."""
        run, wanted = self._run, self._wanted
        async with run.database.transaction() as tx:
            # Not while the mission is locked: thousands of documents take seconds.
            mission = await get_mission(tx, wanted.mission_id)
            graph = await read_graph(tx, mission.id)
            plan = steered_plan(graph, change, replaces=wanted.replaces)
            staffing = await _propose_staffing(tx, graph, plan)
            takes = await self._estimate(
                tx,
                mission,
                plan,
                authors=count_authors(plan, staffing),
                done_keys=graph.done_keys,
                hires=hires_needed(plan, staffing),
            )
        async with run.fenced(Capability.PLAN_MISSIONS) as tx:
            await lock_group(tx, wanted.mission_id)
            mission = await get_mission(tx, wanted.mission_id)
            if mission.status not in {MissionStatus.IN_PROGRESS, MissionStatus.PAUSED}:
                return GivenUp(f"the mission is {mission.status} meanwhile, so nothing was changed")
            graph = await read_graph(tx, mission.id)
            if await self._issues(tx, graph, mission, change):
                return RetryLater("the mission went on meanwhile", after_s=0.0)
            steered = await steer(
                tx,
                mission,
                graph,
                change,
                roster=await roster(tx),
                documents=await _documents(tx, mission),
                estimate=takes,
                actor=wanted.actor,
                replaces=wanted.replaces,
            )
            await conclude(tx, steered)
            fault_point("change.before_commit")
        fault_point("change.committed")
        return Done()

    async def _gather(self, mission: Mission, used: dict[UUID, Sequence[Memory]]) -> ChangeContext:
        run, wanted, settings = self._run, self._wanted, self._settings
        lessons = await lessons_for(
            await run.memory(), run.assignee_id, wanted.wish, rehearsal=run.gateway.is_rehearsal
        )
        async with run.database.transaction() as tx:
            prompt = await system_prompt(run, tx, run.assignee_id, work=wanted.wish, lessons=lessons)
            used[run.assignee_id] = prompt.memories
            graph = await read_graph(tx, mission.id)
            bounds = planning_bounds(settings, _depth_of(graph))
            names = {agent.id: agent.name for agent in await roster(tx, active_only=False)}
            return ChangeContext(
                inputs=SteerInputs(
                    wish=wanted.wish,
                    directive=mission.directive,
                    answers=await answers_of(tx, mission.id),
                    amendments=await amendments_of(tx, mission.id),
                    steps=_steps(graph, {key: names[step.agent_id] for key, step in graph.steps.items()}),
                    roles=await staffed_roles(tx),
                    documents=await _documents(tx, mission),
                    web_search=mission.web_search,
                    max_steps=bounds.steps_max,
                    max_parallel=bounds.parallel_max,
                    max_queries_per_step=bounds.queries_per_step,
                    max_sources_per_step=bounds.sources_per_step,
                    turns=wanted.turns,
                ),
                system=prompt.text,
                rules_left_out=prompt.rules_left_out,
            )

    async def _ask(self, context: ChangeContext, mission: Mission, phase: str) -> CheckedChange:
        run = self._run

        async def compute() -> CheckedChange:
            change = await run.ask_for(
                SteerReply, steer_request(context.inputs, system=context.system), phase
            )
            async with run.database.transaction() as tx:
                graph = await read_graph(tx, mission.id)
                issues = await self._issues(tx, graph, mission, change)
            return CheckedChange(change=change, issues=issues)

        return await run.checkpoint(phase, (context,), CheckedChange, compute)

    async def _issues(
        self, tx: Tx, graph: MissionGraph, mission: Mission, change: SteerReply
    ) -> tuple[str, ...]:
        roles = await staffed_roles(tx)
        return (
            *self._wanted.more_issues(graph, change),
            *find_steering_issues(
                graph,
                mission,
                change,
                planning_bounds(self._settings, _depth_of(graph)),
                roles={role.role for role in roles},
                colleagues=names_of(roles),
                documents=await _documents(tx, mission),
                replaces=self._wanted.replaces,
            ),
        )


def _depth_of(graph: MissionGraph) -> MissionDepth:
    """Return the depth whose bounds a changed plan must keep: that of its mission, and of a simple one the usual."""
    return max(graph.accepted.depth, MissionDepth.STANDARD, key=list(MissionDepth).index)


async def _propose_staffing(tx: Tx, graph: MissionGraph, plan: PlanReply) -> dict[str, UUID]:
    """Return who does the steps of a changed plan: those who have them, and whoever would get the new ones."""
    kept = {step.key: graph.steps[step.key].agent_id for step in plan.steps if step.key in graph.steps}
    added = plan.model_copy(update={"steps": [step for step in plan.steps if step.key not in kept]})
    return kept | await propose_staffing(tx, added, await roster(tx))


def _steps(graph: MissionGraph, agents: Mapping[str, str]) -> tuple[StepOfMission, ...]:
    return tuple(
        StepOfMission(
            key=key,
            title=step.title,
            task=step.instruction,
            agent=agents[key],
            role=str(step.role),
            status=graph.tasks[key].status,
            needs=graph.needs[key],
            acceptance=tuple(step.acceptance),
            can_change=key in graph.open_keys,
            is_final=step.is_final,
        )
        for key, step in graph.steps.items()
    )


async def _documents(tx: Tx, mission: Mission) -> tuple[DocumentEntry, ...]:
    return tuple(
        DocumentEntry(number=source.number, title=source.title, path=source.uri, chars=source.chars)
        for source in await sources_of(tx, mission.id)
    )
