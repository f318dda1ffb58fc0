"""A change of a mission that runs: proposed as a typed reply, checked by the rules of plans, carried out at once."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from frasier.kernel.deliverable_kind import DeliverableKind
from frasier.kernel.errors import NotFound
from frasier.kernel.ids import new_id
from frasier.kernel.mission_depth import MissionDepth
from frasier.llm import DocumentEntry, book_unknown
from frasier.llm.reply_schemas import PlannedStep, PlanReply, SteerReply
from frasier.org.governance import withdraw_questions
from frasier.org.missions import (
    STEP_LENGTH,
    Mission,
    MissionEstimate,
    MissionStatus,
    MissionStep,
    PlanOrigin,
    PlanState,
    ProposedPlan,
    StoredPlan,
    change_step,
    current_plan,
    insert_step,
    record_plan,
    remove_step,
    set_plan_state,
    steps_of,
)
from frasier.org.people import Agent
from frasier.org.planning.assigned_documents import assigned_documents
from frasier.org.planning.depth_bounds import SIMPLE_STEPS_MAX
from frasier.org.planning.hiring import create_hires, hire_edges
from frasier.org.planning.plan import step_of_plan, task_of_step
from frasier.org.planning.plan_rules import final_step, find_plan_issues
from frasier.org.planning.plan_staffing import staff_steps
from frasier.org.planning.settings import PlanningSettings
from frasier.store import Tx, append_event
from frasier.workflow import (
    BLOCKED,
    SYSTEM,
    Actor,
    Outcome,
    Task,
    create_tasks,
    dependencies_of,
    hold,
    levels,
    move,
    rewire,
    tasks_of,
)

_CAN_CHANGE = {"pending", "active", BLOCKED}
_RELEASED = "the founder changed its assignment"


@dataclass(frozen=True, slots=True, kw_only=True)
class MissionGraph:
    """The steps of a mission that are wanted, with their tasks, the keys that each needs, and the `stored` plan that
    they come from; None before there are steps.
    """

    steps: Mapping[str, MissionStep]
    tasks: Mapping[str, Task]
    needs: Mapping[str, tuple[str, ...]]
    taken: frozenset[str]
    stored: StoredPlan | None

    @property
    def open_keys(self) -> tuple[str, ...]:
        """The keys of the steps that can be changed: neither done nor under review."""
        return tuple(sorted(key for key, task in self.tasks.items() if task.status in _CAN_CHANGE))

    @property
    def done_keys(self) -> frozenset[str]:
        """The keys of the steps on which nothing is left to do."""
        return frozenset(key for key, task in self.tasks.items() if task.terminal)

    @property
    def final(self) -> str:
        return next(key for key, step in self.steps.items() if step.is_final)

    @property
    def accepted(self) -> StoredPlan:
        """The plan that the steps come from; raises NotFound if there is none."""
        if self.stored is None:
            raise NotFound("The mission has no plan.", kept="Nothing was changed.")
        return self.stored

    def as_plan(self) -> PlanReply:
        """Return the graph as it is now as a plan, with the form of the result and the folders that were planned."""
        plan = self.accepted.reply
        stored = {one.key: one for one in plan.steps}
        in_order = [
            *(key for key in stored if key in self.steps),
            *(key for key in self.steps if key not in stored),
        ]
        planned = [_as_planned(self.steps[key], self.needs[key], stored.get(key)) for key in in_order]
        kind = self.steps[self.final].kind or DeliverableKind.REPORT
        return plan.model_copy(update={"kind": kind.value, "steps": planned})


def _as_planned(step: MissionStep, needs: Sequence[str], stored: PlannedStep | None) -> PlannedStep:
    return PlannedStep.model_construct(
        key=step.key,
        title=step.title,
        task=step.instruction,
        role=str(step.role),
        depends_on=list(needs),
        acceptance=list(step.acceptance),
        sources_needed=step.sources_needed,
        queries_needed=step.queries_needed,
        # The documents of a step include those of its folders.
        documents=stored.documents if stored else list(step.documents),
        folders=stored.folders if stored else [],
        table=step.table,
        colleague=stored.colleague if stored else "",
        expert=stored.expert if stored else "",
        expert_reason=stored.expert_reason if stored else "",
        subject=step.subject,
    )


async def read_graph(tx: Tx, mission_id: UUID) -> MissionGraph:
    """Read the graph of a mission as it is now."""
    every = await steps_of(tx, mission_id)
    steps = {step.key: step for step in every if not step.removed}
    keys = {step.task_id: step.key for step in steps.values()}
    edges = await dependencies_of(tx, mission_id)
    return MissionGraph(
        steps=steps,
        tasks={keys[task.id]: task for task in await tasks_of(tx, mission_id) if task.id in keys},
        needs={
            key: tuple(keys[edge.depends_on] for edge in edges.get(task_id, ()) if edge.depends_on in keys)
            for task_id, key in keys.items()
        },
        taken=frozenset(step.key for step in every),
        stored=await current_plan(tx, mission_id),
    )


def steered_plan(graph: MissionGraph, change: SteerReply, *, replaces: str = "") -> PlanReply:
    """Return the plan after a change: what needs a removed step needs what that one needed instead, and the final step
    builds on every new step that no other needs.

    Where the new steps replace the step `replaces`, whatever needs that needs them, and they need what it needed.
    """
    plan = graph.as_plan()
    removed, changed = set(change.removed), {one.key: one for one in change.changed}
    if replaces in removed and change.added:
        return _with_depth(_replaced(plan, graph, change, replaces))
    steps = [
        step.model_copy(update=changed[step.key].model_dump()) if step.key in changed else step
        for step in plan.steps
        if step.key not in removed
    ] + list(change.added)
    needed = {key for step in steps for key in step.depends_on}
    loose = [one.key for one in change.added if one.key not in needed]
    rewired = []
    for step in steps:
        needs = _without_removed(step.depends_on, graph.needs, removed)
        if step.key == graph.final:
            needs += [key for key in loose if key not in needs]
        rewired.append(step.model_copy(update={"depends_on": needs}))
    return _with_depth(plan.model_copy(update={"steps": rewired}))


def _with_depth(plan: PlanReply) -> PlanReply:
    """Return the plan, as a standard one where it has more steps than a simple one."""
    is_more = MissionDepth(plan.complexity) is MissionDepth.SIMPLE and len(plan.steps) > SIMPLE_STEPS_MAX
    return plan.model_copy(update={"complexity": MissionDepth.STANDARD.value}) if is_more else plan


def _replaced(plan: PlanReply, graph: MissionGraph, change: SteerReply, key: str) -> PlanReply:
    """Return the plan with new steps in the place of the step `key`."""
    changed = {one.key: one for one in change.changed}
    needed = {one for step in change.added for one in step.depends_on}
    ends = [step.key for step in change.added if step.key not in needed]
    parts = [
        step if step.depends_on else step.model_copy(update={"depends_on": list(graph.needs[key])})
        for step in change.added
    ]
    others = []
    for step in plan.steps:
        if step.key == key:
            continue
        now = step.model_copy(update=changed[step.key].model_dump()) if step.key in changed else step
        needs = [one for one in now.depends_on if one != key]
        if key in graph.needs[step.key]:
            needs += [one for one in ends if one not in needs]
        others.append(now.model_copy(update={"depends_on": needs}))
    at = next(number for number, step in enumerate(plan.steps) if step.key == key)
    return plan.model_copy(update={"steps": [*others[:at], *parts, *others[at:]]})


def _without_removed(
    needs: Sequence[str], before: Mapping[str, Sequence[str]], removed: Collection[str]
) -> list[str]:
    kept: dict[str, None] = {}
    waiting = list(reversed(needs))
    seen: set[str] = set()
    while waiting:
        key = waiting.pop()
        if key not in removed:
            kept[key] = None
        elif key not in seen:
            seen.add(key)
            waiting += reversed(before.get(key, ()))
    return list(kept)


def find_steering_issues(
    graph: MissionGraph,
    mission: Mission,
    change: SteerReply,
    settings: PlanningSettings,
    *,
    roles: Collection[str],
    documents: Sequence[DocumentEntry],
    colleagues: Collection[str] = (),
    replaces: str = "",
) -> list[str]:
    """List the issues of a change, one sentence each; empty if it can be carried out now. See steered_plan."""
    named = [*change.removed, *(one.key for one in change.changed)]
    issues = [
        f"The step {key} is named twice." for key in sorted({key for key in named if named.count(key) > 1})
    ]
    for key in dict.fromkeys(named):
        if key not in graph.steps:
            issues.append(f"There is no step {key}.")
        elif key not in graph.open_keys:
            issues.append(f"Step {key} is {graph.tasks[key].status.replace('_', ' ')}; it stays as it is.")
    if graph.final in change.removed:
        issues.append(f"The final step {graph.final} cannot be taken out.")
    issues += [f"The key {one.key} is taken." for one in change.added if one.key in graph.taken]
    if issues:
        return issues
    plan = steered_plan(graph, change, replaces=replaces)
    before, after = (
        find_plan_issues(
            one,
            settings,
            roles=roles,
            colleagues=colleagues,
            documents=documents,
            other_sources=mission.has_other_sources,
        )
        for one in (graph.as_plan(), plan)
    )
    # The settings may have changed since the plan was accepted: what was so before is no fault of the change.
    issues = [one for one in after if one not in before]
    if not issues and final_step(plan) != graph.final:
        issues.append(f"The final step must stay {graph.final}.")
    return issues or _find_dead_needs(graph, plan)


def _find_dead_needs(graph: MissionGraph, plan: PlanReply) -> list[str]:
    dead = {
        key: task.status
        for key, task in graph.tasks.items()
        if task.outcome in {Outcome.FAILED, Outcome.CANCELLED}
    }
    return [
        f"Step {step.key} would wait for {needed}, which is {dead[needed]}."
        for step in plan.steps
        for needed in step.depends_on
        if needed in dead and needed not in graph.needs.get(step.key, ())
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Steered:
    """The effect of a change on a mission: the titles of its steps by key."""

    removed: Mapping[str, str]
    changed: Mapping[str, str]
    added: Mapping[str, str]
    untouched: Mapping[str, str]


async def steer(
    tx: Tx,
    mission: Mission,
    graph: MissionGraph,
    change: SteerReply,
    *,
    roster: Sequence[Agent],
    documents: Sequence[DocumentEntry],
    estimate: MissionEstimate,
    actor: Actor,
    replaces: str = "",
) -> Steered:
    """Carry out a change that has no issues, in one transaction. Steps that are done or under review are untouched.
    The plan that they make from then on is stored in place of the one before, with the `estimate` of it.

    A step that is at work on a changed assignment begins anew; the caller has locked the group. See steered_plan.
    """
    plan = steered_plan(graph, change, replaces=replaces)
    planned = {step.key: step for step in plan.steps}
    ids = {key: step.task_id for key, step in graph.steps.items()}
    ids |= {one.key: new_id() for one in change.added}
    added = await _add(
        tx,
        mission,
        [planned[one.key] for one in change.added],
        ids,
        roster,
        documents,
        hire_usd_micros=estimate.hire_usd_micros,
    )
    moved = [
        key
        for key in graph.open_keys
        if key in planned and set(planned[key].depends_on) != set(graph.needs[key])
    ]
    hires = await hire_edges(tx, mission.id)
    await rewire(
        tx,
        mission.id,
        {
            ids[key]: [*(ids[needed] for needed in planned[key].depends_on), *hires.get(ids[key], ())]
            for key in moved
        },
        lengths={ids[key]: STEP_LENGTH for key in planned},
    )
    await _remove(tx, graph, change.removed, actor)
    changed = list(dict.fromkeys([*(one.key for one in change.changed), *moved]))
    await _change(tx, graph, [planned[key] for key in changed])
    if change.removed or changed or added:
        await _replace_plan(tx, mission, graph, plan, added, estimate)
    if mission.status is MissionStatus.PAUSED:
        await hold(tx, mission.id, held=True, actor=actor)
    await append_event(
        tx,
        stream=mission.id,
        kind="mission.steered",
        actor=str(actor),
        payload={"removed": change.removed, "changed": changed, "added": [one.key for one in change.added]},
    )
    return _steered(graph, change, planned, changed)


def _steered(
    graph: MissionGraph, change: SteerReply, planned: Mapping[str, PlannedStep], changed: Sequence[str]
) -> Steered:
    return Steered(
        removed={key: graph.steps[key].title for key in change.removed},
        changed={key: planned[key].title for key in changed},
        added={one.key: one.title for one in change.added},
        untouched={
            key: step.title
            for key, step in graph.steps.items()
            if key not in changed and key not in change.removed
        },
    )


async def _add(
    tx: Tx,
    mission: Mission,
    added: Sequence[PlannedStep],
    ids: Mapping[str, UUID],
    roster: Sequence[Agent],
    documents: Sequence[DocumentEntry],
    *,
    hire_usd_micros: int,
) -> list[MissionStep]:
    agents = await staff_steps(tx, mission, added, {}, roster, hire_usd_micros=hire_usd_micros)
    hires = await create_hires(tx, mission, agents.values())
    steps: list[MissionStep] = []
    tasks = []
    for one in added:
        step = step_of_plan(
            one,
            ids[one.key],
            mission.id,
            agents[one.key],
            is_final=False,
            documents=assigned_documents(one, documents),
        )
        steps.append(step)
        needs = [*(ids[key] for key in one.depends_on), *hires.get(step.agent_id, ())]
        tasks.append(task_of_step(mission, step, needs=needs))
    if tasks:
        await create_tasks(tx, tasks, actor=SYSTEM)
    for step in steps:
        await insert_step(tx, step)
    return steps


async def _replace_plan(
    tx: Tx,
    mission: Mission,
    graph: MissionGraph,
    plan: PlanReply,
    added: Sequence[MissionStep],
    estimate: MissionEstimate,
) -> None:
    """Store the plan as it is from now on, with who does what and what the rest of it will take."""
    agents = {step.key: step.agent_id for step in [*graph.steps.values(), *added]}
    proposed = ProposedPlan(
        plan=plan,
        staffing={step.key: agents[step.key] for step in plan.steps},
        estimate=estimate,
        origin=PlanOrigin.PLANNER,
    )
    await set_plan_state(tx, graph.accepted, PlanState.REPLACED)
    await record_plan(tx, mission.id, proposed, state=PlanState.ACCEPTED)


async def _remove(tx: Tx, graph: MissionGraph, keys: Collection[str], actor: Actor) -> None:
    # Dependants first: a step whose need is cancelled before it would fail.
    level = levels(graph.needs)
    for key in sorted(keys, key=lambda one: level[one], reverse=True):
        task = graph.tasks[key]
        await remove_step(tx, task.id)
        await move(tx, task.id, "cancel", actor=actor, fields={"reason": "the founder left it out"})
        await withdraw_questions(tx, task.id)
        # No run returns to a call that is in flight now, and it may be billed.
        await book_unknown(tx, task_id=task.id, before_attempt=task.attempt + 1)


async def _change(tx: Tx, graph: MissionGraph, changed: Sequence[PlannedStep]) -> None:
    for now in changed:
        step = graph.steps[now.key]
        await change_step(
            tx, replace(step, title=now.title, instruction=now.task, acceptance=list(now.acceptance))
        )
        if graph.tasks[now.key].status == "active":
            await move(tx, step.task_id, "release", actor=SYSTEM, fields={"reason": _RELEASED})
