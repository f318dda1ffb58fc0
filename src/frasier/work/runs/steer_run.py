"""The change of a mission that runs: the chief of staff proposes it, rules check it, and the founder is told of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from frasier.llm import DocumentEntry, SteerInputs, StepOfMission
from frasier.llm.reply_schemas import SteerReply
from frasier.memory import Memory
from frasier.org.people import roster
from frasier.org.planning import (
    EstimatePlan,
    FounderMessage,
    MessageAnswer,
    Mission,
    MissionGraph,
    MissionStatus,
    PlanningSettings,
    Steered,
    amendments_of,
    find_steering_issues,
    get_mission,
    read_graph,
    steer,
    steered_plan,
)
from frasier.prompts import steer_request
from frasier.store import Tx
from frasier.work.conversation.finish import finish_answer
from frasier.work.conversation.turns import earlier_turns
from frasier.work.deep_work.context import LeftOutRule, system_prompt
from frasier.work.research.mission_sources import sources_of
from frasier.work.run_lease import Run
from frasier.work.run_memory import lessons_for
from frasier.work.run_outcomes import Done, GivenUp, RetryLater, RunOutcome
from frasier.work.runs.planning_run import names_of, staffed_roles
from frasier.workflow import FOUNDER, lock_group


@dataclass(frozen=True, slots=True, kw_only=True)
class SteerContext:
    """The inputs of a change, gathered once for each state of the mission."""

    inputs: SteerInputs
    system: str
    rules_left_out: tuple[LeftOutRule, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedChange:
    """A proposed change, with the issues against it; none if it can be carried out."""

    change: SteerReply
    issues: tuple[str, ...]


async def steer_mission_by(
    run: Run, message: FounderMessage, settings: PlanningSettings, *, estimate: EstimatePlan
) -> RunOutcome:
    """Change what is not done yet of a mission, by one proposal and at most one more with the reasons against it."""
    async with run.database.transaction() as tx:
        mission = await get_mission(tx, message.about)
        open_keys = (await read_graph(tx, mission.id)).open_keys
    used: dict[UUID, Sequence[Memory]] = {}
    context = await run.checkpoint(
        "context",
        (run.task.id, run.task.round, open_keys),
        SteerContext,
        lambda: _gather(run, message, mission, settings, used),
        alongside=run.note_memories(used, mission_id=mission.id),
    )
    checked = await _propose(run, context, mission, settings, "steer-1")
    if checked.issues:
        again = replace(context, inputs=replace(context.inputs, issues=checked.issues))
        checked = await _propose(run, again, mission, settings, "steer-2")
    if checked.issues:
        return GivenUp(f"no change kept the rules, twice, so nothing was changed: {' '.join(checked.issues)}")
    return await _carry_out(run, message, context, checked.change, settings, estimate)


async def _gather(
    run: Run,
    message: FounderMessage,
    mission: Mission,
    settings: PlanningSettings,
    used: dict[UUID, Sequence[Memory]],
) -> SteerContext:
    turns = await earlier_turns(run, message, about_mission=mission.id)
    lessons = await lessons_for(run.memory, run.assignee_id, message.text, rehearsal=run.gateway.is_rehearsal)
    async with run.database.transaction() as tx:
        prompt = await system_prompt(run, tx, run.assignee_id, work=message.text, lessons=lessons)
        used[run.assignee_id] = prompt.memories
        graph = await read_graph(tx, mission.id)
        names = {agent.id: agent.name for agent in await roster(tx, active_only=False)}
        return SteerContext(
            inputs=SteerInputs(
                wish=message.text,
                directive=mission.directive,
                amendments=await amendments_of(tx, mission.id),
                steps=_steps(graph, {key: names[step.agent_id] for key, step in graph.steps.items()}),
                roles=await staffed_roles(tx, run.assignee_id),
                documents=await _documents(tx, mission),
                web_search=mission.web_search,
                max_steps=settings.steps_max,
                max_parallel=settings.parallel_max,
                max_queries_per_step=settings.queries_per_step,
                max_sources_per_step=settings.sources_per_step,
                turns=turns.last,
            ),
            system=prompt.text,
            rules_left_out=prompt.rules_left_out,
        )


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


async def _propose(
    run: Run, context: SteerContext, mission: Mission, settings: PlanningSettings, phase: str
) -> CheckedChange:
    async def compute() -> CheckedChange:
        change = await run.ask_for(SteerReply, steer_request(context.inputs, system=context.system), phase)
        async with run.database.transaction() as tx:
            graph = await read_graph(tx, mission.id)
        return CheckedChange(change=change, issues=_issues(graph, mission, change, context.inputs, settings))

    return await run.checkpoint(phase, (context,), CheckedChange, compute)


def _issues(
    graph: MissionGraph,
    mission: Mission,
    change: SteerReply,
    inputs: SteerInputs,
    settings: PlanningSettings,
) -> tuple[str, ...]:
    return tuple(
        find_steering_issues(
            graph,
            mission,
            change,
            settings,
            roles={role.role for role in inputs.roles},
            colleagues=names_of(inputs.roles),
            documents=inputs.documents,
        )
    )


async def _carry_out(
    run: Run,
    message: FounderMessage,
    context: SteerContext,
    change: SteerReply,
    settings: PlanningSettings,
    estimate: EstimatePlan,
) -> RunOutcome:
    """Carry out the change if the mission still permits it, and answer, in one transaction."""
    async with run.database.transaction() as tx:
        # Not while the mission is locked: thousands of documents take seconds.
        mission, graph = await get_mission(tx, message.about), await read_graph(tx, message.about)
        takes = await estimate(
            tx,
            mission,
            steered_plan(graph, change),
            done_keys=graph.done_keys,
            hires=sum(bool(step.expert) for step in change.added),
        )
    async with run.fenced() as tx:
        await lock_group(tx, message.about)
        mission = await get_mission(tx, message.about)
        if mission.status not in {MissionStatus.IN_PROGRESS, MissionStatus.PAUSED}:
            return GivenUp(f"the mission is {mission.status} meanwhile, so nothing was changed")
        graph = await read_graph(tx, mission.id)
        if _issues(graph, mission, change, context.inputs, settings):
            return RetryLater("the mission went on meanwhile", after_s=0.0)
        steered = await steer(
            tx,
            mission,
            graph,
            change,
            roster=await roster(tx),
            documents=context.inputs.documents,
            estimate=takes,
            actor=FOUNDER,
        )
        answer = MessageAnswer(text=_tell(change.explanation, steered), rehearsal=run.gateway.is_rehearsal)
        await finish_answer(run, tx, message, answer, note="the mission was steered")
    return Done()


def _tell(explanation: str, steered: Steered) -> str:
    """Say what was changed, as it was computed, below the explanation of the chief of staff."""
    changes = [
        (what, titles)
        for what, titles in (
            ("Taken out", steered.removed),
            ("Changed", steered.changed),
            ("Added", steered.added),
        )
        if titles
    ]
    lines = [f"{what}: {_list(titles)}." for what, titles in changes]
    if not lines:
        lines = ["No step was changed. What you said is told to all who work on it from now on."]
    elif steered.untouched:
        lines.append(f"Untouched: {_list(steered.untouched)}.")
    return "\n".join([explanation, "", *lines])


def _list(titles: Mapping[str, str]) -> str:
    return ", ".join(f"{key} ({title})" for key, title in titles.items())
