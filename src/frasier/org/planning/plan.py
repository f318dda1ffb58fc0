"""The acceptance of a valid plan: its steps, staffed and started."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from frasier.kernel.deliverable_kind import DeliverableKind
from frasier.kernel.ids import new_id
from frasier.kernel.text import shorten
from frasier.llm import DocumentEntry, choose_tier, one_line
from frasier.llm.reply_schemas import PlannedStep, PlanReply
from frasier.org.people import Agent, Role, route_role
from frasier.org.planning.assigned_documents import assigned_documents
from frasier.org.planning.decisions import remember_accepted_plan
from frasier.org.planning.mission_lifecycle import NewMission, insert_mission, set_status
from frasier.org.planning.missions import Mission, MissionStatus
from frasier.org.planning.plan_rules import final_step
from frasier.org.planning.steps import STEP_LENGTH, MissionStep, insert_step, open_steps_by_agent
from frasier.org.staffing import choose_agent
from frasier.store import Statements, Tx, append_event
from frasier.workflow import Actor, Dependency, NewTask, create_tasks

_sql = Statements("frasier.org.planning")


async def record_plan(
    tx: Tx, mission_id: UUID, plan: PlanReply, *, issues: Sequence[str], accepted: bool
) -> None:
    """Store a version of the plan, with the reasons if it was refused."""
    await _sql.run(
        tx,
        "insert_plan",
        mission_id=mission_id,
        plan=Jsonb(plan.model_dump()),
        issues=list(issues),
        accepted=accepted,
    )


async def plans_of(tx: Tx, mission_id: UUID) -> list[dict[str, Any]]:
    """Return every version of a mission's plan: version, plan, issues, accepted, created_at."""
    return [dict(row) for row in await _sql.all(tx, "plans_of", mission_id=mission_id)]


async def accept_plan(
    tx: Tx,
    mission: Mission,
    plan: PlanReply,
    *,
    roster: Sequence[Agent],
    actor: Actor,
    documents: Sequence[DocumentEntry] = (),
) -> list[MissionStep]:
    """Create the steps of a valid plan, staff them, and start the mission, all in one transaction.

    `documents` are those that the plan may assign by their folders.
    """
    await record_plan(tx, mission.id, plan, issues=(), accepted=True)
    last = final_step(plan)
    load = await open_steps_by_agent(tx)
    ids = {planned.key: new_id() for planned in plan.steps}
    kind = mission.kind or DeliverableKind(plan.kind)
    steps = []
    for planned in plan.steps:
        agent = choose_agent(roster, Role(planned.role), load=load)
        load[agent.id] = load.get(agent.id, 0) + 1
        step = step_of_plan(
            planned,
            ids[planned.key],
            mission.id,
            agent,
            is_final=planned.key == last,
            documents=assigned_documents(planned, documents),
        )
        steps.append(_with_form(step, plan, kind) if step.is_final else step)
    tasks = [
        NewTask(
            id=step.task_id,
            process="mission_step",
            slug=step.key,
            title=step.title,
            group_id=mission.id,
            assignee=step.agent_id,
            length=STEP_LENGTH,
            fields={"mission": mission.title[:40]},
            depends_on=tuple(Dependency(depends_on=ids[key]) for key in dict.fromkeys(planned.depends_on)),
        )
        for step, planned in zip(steps, plan.steps, strict=True)
    ]
    await create_tasks(tx, tasks, actor=actor)
    for step in steps:
        await insert_step(tx, step)
    await remember_accepted_plan(tx, mission, steps, roster)
    await set_status(tx, mission, MissionStatus.IN_PROGRESS, actor=actor)
    await append_event(
        tx,
        stream=mission.id,
        kind="mission.planned",
        actor=str(actor),
        payload={"title": plan.title, "steps": len(steps), "final": last, "kind": kind},
    )
    return steps


async def start_simple_mission(
    tx: Tx, new: NewMission, *, roster: Sequence[Agent], actor: Actor, research: tuple[int, int]
) -> Mission:
    """Start a mission of one step without planning: the best-fitting agent does it, and it is reviewed as usual.

    `research` is how many sources it may read and how many queries it may ask.
    """
    mission = await insert_mission(tx, new, actor=actor)
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
    plan = PlanReply(title=mission.title, steps=[only], escalation="")
    await accept_plan(tx, mission, plan, roster=roster, actor=actor)
    return mission


def _with_form(step: MissionStep, plan: PlanReply, kind: DeliverableKind) -> MissionStep:
    return replace(
        step,
        kind=kind,
        reader=one_line(plan.reader),
        words=plan.words,
        format=one_line(plan.format),
        language=one_line(plan.language),
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
    """Build the step of a planned one, with its tier."""
    return MissionStep(
        task_id=task_id,
        mission_id=mission_id,
        key=planned.key,
        title=planned.title,
        instruction=planned.task,
        acceptance=list(planned.acceptance),
        role=Role(planned.role),
        agent_id=agent.id,
        # Planned steps are complex work by definition (the spec's rule); keywords may raise them to T3.
        tier=choose_tier(f"{planned.title}\n{planned.task}", final=is_final, complex_work=True),
        is_final=is_final,
        sources_needed=planned.sources_needed,
        queries_needed=planned.queries_needed,
        documents=documents,
        table_plan=planned.table.model_dump(),
    )
