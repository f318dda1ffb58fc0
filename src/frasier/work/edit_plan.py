"""The founder's edit of a waiting plan: checked by the same rules, staffed and estimated anew, asked about again."""

from __future__ import annotations

from frasier.kernel.errors import InvalidInput
from frasier.kernel.mission_depth import MissionDepth
from frasier.org.missions import (
    Mission,
    PlanOrigin,
    PlanState,
    StoredPlan,
    current_plan,
    find_mission,
    record_plan,
    set_plan_state,
)
from frasier.org.people import roster
from frasier.org.planning import (
    EstimatePlan,
    PlanningSettings,
    find_plan_issues,
    plan_as_file,
    plan_changed,
    planning_bounds,
    propose_plan,
    read_plan_file,
    refused_edit,
    show_plan,
)
from frasier.store import Tx, append_event
from frasier.work.research.mission_sources import document_entries, sources_of
from frasier.work.runs.planning_run import names_of, staffed_roles
from frasier.workflow import FOUNDER, tasks_of


async def read_waiting_plan(tx: Tx, name: str, *, digest: str = "") -> tuple[StoredPlan, str]:
    """Return the plan that waits for the founder, and the same as a file to edit.

    With `digest`, a beginning of it, only the plan that has it. Raises InvalidInput if none waits, and Stale if the
    plan is another one by now.
    """
    mission = await find_mission(tx, name)
    plan = await _waiting_plan(tx, mission)
    if not plan.digest.startswith(digest):
        raise plan_changed(mission)
    names = {agent.id: agent.name for agent in await roster(tx, active_only=False)}
    agents = {key: names[agent] for key, agent in plan.staffing.items() if agent in names}
    return plan, plan_as_file(plan.reply, agents)


async def edit_plan(
    tx: Tx, name: str, text: str, *, digest: str, settings: PlanningSettings, estimate: EstimatePlan
) -> StoredPlan:
    """Replace the waiting plan that has this digest by an edited one; return it. The founder is asked about it anew.

    Raises InvalidInput with every problem of the edited plan, and Stale if the plan is another one by now.
    """
    mission = await find_mission(tx, name)
    plan = await _waiting_plan(tx, mission)
    if plan.digest != digest:
        raise plan_changed(mission)
    edited = read_plan_file(text)
    staffed = await staffed_roles(tx)
    issues = find_plan_issues(
        edited,
        planning_bounds(settings, MissionDepth(edited.complexity)),
        roles={role.role for role in staffed},
        colleagues=names_of(staffed),
        documents=document_entries(await sources_of(tx, mission.id)),
        other_sources=mission.has_other_sources,
    )
    if mission.kind and edited.kind != mission.kind:
        issues.append(f"The founder asked for the kind {mission.kind}, not {edited.kind}.")
    if issues:
        raise refused_edit(*issues)
    proposed = await propose_plan(
        tx, mission, edited, roster=await roster(tx), estimate=estimate, origin=PlanOrigin.FOUNDER
    )
    await set_plan_state(tx, plan, PlanState.REPLACED)
    stored = await record_plan(tx, mission.id, proposed, state=PlanState.PROPOSED)
    await append_event(
        tx,
        stream=mission.id,
        kind="plan.edited",
        actor=str(FOUNDER),
        payload={"version": stored.version, "digest": stored.digest},
    )
    planning = next(task for task in await tasks_of(tx, mission.id) if task.process == "planning")
    await show_plan(tx, planning, mission, stored)
    return stored


async def _waiting_plan(tx: Tx, mission: Mission) -> StoredPlan:
    plan = await current_plan(tx, mission.id)
    if plan is None or plan.state is not PlanState.PROPOSED:
        raise InvalidInput(
            f"No plan of the mission {mission.title!r} waits for you; the mission is {mission.status}.",
            kept="Nothing was changed.",
        )
    return plan
