"""The staffing and the acceptance of a plan: its steps, given to agents and started."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Protocol
from uuid import UUID

from frasier.kernel.deliverable_kind import DeliverableKind
from frasier.kernel.ids import new_id
from frasier.kernel.text import shorten
from frasier.llm import DocumentEntry, Tier, choose_tier, one_line, set_depth_budget
from frasier.llm.reply_schemas import PlannedStep, PlanReply
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
    insert_step,
    record_plan,
    remember_accepted_plan,
    set_plan_state,
    set_status,
)
from frasier.org.people import Agent, Role, route_role
from frasier.org.planning.assigned_documents import assigned_documents
from frasier.org.planning.hiring import create_hires
from frasier.org.planning.mission_lifecycle import create_planning
from frasier.org.planning.plan_rules import final_step
from frasier.org.planning.plan_staffing import count_authors, hires_needed, propose_staffing, staff_steps
from frasier.org.planning.settings import PlanningSettings
from frasier.store import Tx, append_event
from frasier.workflow import Actor, Dependency, NewTask, create_tasks


class EstimatePlan(Protocol):
    """An estimator of what the mission will take when the plan is carried out; the steps with `done_keys` take no more
    than was spent, `authors` colleagues do the steps, and `hires` of them have to be hired first.
    """

    async def __call__(
        self,
        tx: Tx,
        mission: Mission,
        plan: PlanReply,
        *,
        authors: int,
        done_keys: Collection[str] = (),
        hires: int = 0,
    ) -> MissionEstimate: ...


async def propose_plan(
    tx: Tx,
    mission: Mission,
    plan: PlanReply,
    *,
    roster: Sequence[Agent],
    estimate: EstimatePlan,
    origin: PlanOrigin = PlanOrigin.PLANNER,
) -> ProposedPlan:
    """Give each step of a valid plan to an agent, and estimate what the mission will take. Nothing is stored."""
    staffing = await propose_staffing(tx, plan, roster)
    takes = await estimate(
        tx, mission, plan, authors=count_authors(plan, staffing), hires=hires_needed(plan, staffing)
    )
    return ProposedPlan(plan=plan, staffing=staffing, estimate=takes, origin=origin)


def waits_for_founder(mission: Mission, plan: ProposedPlan, settings: PlanningSettings) -> bool:
    """Whether a plan waits for the founder's approval, whoever made it."""
    limit = settings.approve_above_usd
    too_dear = limit is not None and plan.estimate.expected.usd > float(limit)
    return mission.asks_plan or settings.ask_approval or too_dear


async def accept_plan(
    tx: Tx,
    mission: Mission,
    proposed: ProposedPlan,
    *,
    roster: Sequence[Agent],
    actor: Actor,
    documents: Sequence[DocumentEntry] = (),
) -> list[MissionStep]:
    """Store a valid plan and begin it, in one transaction; see begin_plan."""
    stored = await record_plan(tx, mission.id, proposed, state=PlanState.ACCEPTED)
    return await _begin(tx, mission, stored, roster=roster, actor=actor, documents=documents)


async def begin_plan(
    tx: Tx,
    mission: Mission,
    plan: StoredPlan,
    *,
    roster: Sequence[Agent],
    actor: Actor,
    documents: Sequence[DocumentEntry] = (),
) -> list[MissionStep]:
    """Create the steps of a plan that the founder approved, and start the mission, in one transaction.

    `documents` are those that the plan may assign by their folders.
    """
    await set_plan_state(tx, plan, PlanState.ACCEPTED)
    return await _begin(tx, mission, plan, roster=roster, actor=actor, documents=documents)


async def _begin(
    tx: Tx,
    mission: Mission,
    stored: StoredPlan,
    *,
    roster: Sequence[Agent],
    actor: Actor,
    documents: Sequence[DocumentEntry],
) -> list[MissionStep]:
    plan = stored.reply
    last = final_step(plan)
    agents = await staff_steps(
        tx,
        mission,
        plan.steps,
        stored.staffing,
        roster,
        hire_usd_micros=stored.estimate.hire_usd_micros if stored.estimate else 0,
    )
    ids = {planned.key: new_id() for planned in plan.steps}
    kind = mission.kind or DeliverableKind(plan.kind)
    steps = [
        _with_form(step, plan, kind) if step.is_final else step
        for step in (
            step_of_plan(
                one,
                ids[one.key],
                mission.id,
                agents[one.key],
                is_final=one.key == last,
                documents=assigned_documents(one, documents),
            )
            for one in plan.steps
        )
    ]
    hires = await create_hires(tx, mission, agents.values())
    tasks = [
        task_of_step(
            mission, step, needs=[*(ids[key] for key in planned.depends_on), *hires.get(step.agent_id, ())]
        )
        for step, planned in zip(steps, plan.steps, strict=True)
    ]
    await create_tasks(tx, tasks, actor=actor)
    for step in steps:
        await insert_step(tx, step)
    await remember_accepted_plan(tx, mission, steps, [*roster, *agents.values()])
    await set_status(tx, mission, MissionStatus.IN_PROGRESS, actor=actor)
    if stored.estimate and stored.estimate.budget_usd_micros is not None:
        await set_depth_budget(tx, mission.id, stored.estimate.budget_usd_micros)
    facts = {"title": plan.title, "steps": len(steps), "final": last, "kind": kind}
    await append_event(
        tx,
        stream=mission.id,
        kind="mission.planned",
        actor=str(actor),
        payload={**facts, "origin": stored.origin, "digest": stored.digest},
    )
    return steps


async def begin_simple_mission(
    tx: Tx,
    mission: Mission,
    *,
    roster: Sequence[Agent],
    actor: Actor,
    research: tuple[int, int],
    estimate: EstimatePlan,
    settings: PlanningSettings,
) -> bool:
    """Begin a mission of one step without planning: the best-fitting agent does it, and it is reviewed as usual.

    `research` is how many sources it may read and how many queries it may ask. The sources that the mission has are in
    its estimate. Returns whether its plan waits for the founder: then the chief of staff asks about it.
    """
    role = route_role(mission.directive)
    sources, queries = research
    only = PlannedStep(
        key="task",
        title=mission.title,
        task=shorten(mission.directive, 1_200),
        role=Role.RESEARCH if role is Role.STRATEGY else role,
        depends_on=[],
        acceptance=[
            "It does what the founder asked.",
            "Every claim cites a numbered source, where there are any.",
        ],
        sources_needed=sources,
        queries_needed=queries,
    )
    plan = PlanReply(complexity="simple", title=mission.title, steps=[only], escalation="")
    proposed = await propose_plan(
        tx, mission, plan, roster=roster, estimate=estimate, origin=PlanOrigin.DIRECT
    )
    if waits_for_founder(mission, proposed, settings):
        await record_plan(tx, mission.id, proposed, state=PlanState.PROPOSED)
        await create_planning(tx, mission, actor=actor)
        return True
    await accept_plan(tx, mission, proposed, roster=roster, actor=actor)
    return False


def _with_form(step: MissionStep, plan: PlanReply, kind: DeliverableKind) -> MissionStep:
    return replace(
        step,
        kind=kind,
        reader=one_line(plan.reader),
        words=plan.words,
        format=one_line(plan.format),
        language=one_line(plan.language),
    )


def task_of_step(mission: Mission, step: MissionStep, *, needs: Sequence[UUID]) -> NewTask:
    """Return the task of a step, which waits for the tasks `needs`."""
    return NewTask(
        id=step.task_id,
        process="mission_step",
        slug=step.key,
        title=step.title,
        group_id=mission.id,
        assignee=step.agent_id,
        length=STEP_LENGTH,
        fields={"mission": mission.title[:40]},
        depends_on=tuple(Dependency(depends_on=needed) for needed in dict.fromkeys(needs)),
    )


def step_of_plan(
    planned: PlannedStep,
    task_id: UUID,
    mission_id: UUID,
    agent: Agent,
    *,
    is_final: bool,
    documents: tuple[int, ...],
) -> MissionStep:
    """Build the step of a planned one, with its tier; the trade that it asks for is its subject if it names none."""
    expert = one_line(planned.expert)
    return MissionStep(
        task_id=task_id,
        mission_id=mission_id,
        key=planned.key,
        title=planned.title,
        instruction=planned.task,
        acceptance=list(planned.acceptance),
        role=Role(planned.role),
        agent_id=agent.id,
        tier=tier_of(planned, is_final=is_final),
        is_final=is_final,
        sources_needed=planned.sources_needed,
        queries_needed=planned.queries_needed,
        documents=documents,
        table_plan=planned.table.model_dump(),
        subject=one_line(planned.subject) or (f"the trade of {expert}" if expert else ""),
    )


def tier_of(planned: PlannedStep, *, is_final: bool) -> Tier:
    """Return the tier of a step: planned steps are complex work by definition; keywords may raise them to T3."""
    return choose_tier(f"{planned.title}\n{planned.task}", final=is_final, complex_work=True)
