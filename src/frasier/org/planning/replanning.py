"""Steps that are planned anew while their mission runs: one that failed or is in trouble, or one that is too large."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from frasier.kernel.humanize import ended
from frasier.kernel.ids import new_id
from frasier.kernel.text import shorten
from frasier.llm.reply_schemas import SteerReply
from frasier.org.governance import withdraw_questions
from frasier.org.missions import MissionStep, current_plan, get_mission, steps_of
from frasier.org.people import chief_of_staff
from frasier.org.planning.depth_bounds import planning_bounds
from frasier.org.planning.settings import PlanningSettings
from frasier.org.planning.steering import MissionGraph
from frasier.org.planning.step_retry import retry_step
from frasier.store import Tx, append_event
from frasier.workflow import BLOCKED, SYSTEM, Actor, NewTask, Task, block, create_tasks, restore, tasks_of

_CAUSE_CHARS = 600
PARTS_MIN, PARTS_MAX = 2, 4
"""The bounds of the steps that replace one that is too large."""


async def plan_step_anew(
    tx: Tx, step: MissionStep, task: Task, *, cause: str, note: str, actor: Actor
) -> str:
    """Have the chief of staff plan a step anew that the founder was asked about; return a sentence about it."""
    await withdraw_questions(tx, task.id)
    if task.status == BLOCKED:
        await restore(tx, task.id, actor=actor, note="planned anew")
    elif task.terminal:
        await retry_step(tx, task.id, actor=actor, note="planned anew")
    wish = f"{cause} The founder says: {note}" if note else cause
    await _wait_for_plan(tx, step, cause=wish, splits=False, actor=SYSTEM)
    return f"The chief of staff plans {step.title} anew."


async def split_step(tx: Tx, step: MissionStep, *, cause: str, actor: Actor, attempt: int) -> None:
    """Have the chief of staff replace a step that its worker found too large by several; its work so far is kept."""
    await _wait_for_plan(tx, step, cause=cause, splits=True, actor=actor, attempt=attempt)
    await append_event(
        tx,
        stream=step.mission_id,
        kind="step.too_large",
        actor=str(actor),
        payload={"step": step.key, "title": step.title, "reason": cause},
    )


async def _wait_for_plan(
    tx: Tx, step: MissionStep, *, cause: str, splits: bool, actor: Actor, attempt: int | None = None
) -> None:
    """Pause a step until the chief of staff has planned it anew, and give them the task of it."""
    chief = await chief_of_staff(tx)
    await block(
        tx,
        step.task_id,
        reason=f"it is planned anew: {cause}",
        owner=chief.key,
        action="plan it anew",
        actor=actor,
        attempt=attempt,
    )
    before = [one for one in await _replans(tx, step.mission_id) if one.fields["step"] == step.key]
    replan = NewTask(
        id=new_id(),
        process="replan",
        slug=f"replan-{step.key}-{len(before) + 1}",
        title=f"Plan anew: {step.title}",
        group_id=step.mission_id,
        assignee=chief.id,
        priority=10,
        fields={
            "step": step.key,
            "cause": shorten(ended(cause), _CAUSE_CHARS),
            "splits": "yes" if splits else "no",
        },
    )
    await create_tasks(tx, [replan], actor=SYSTEM)


async def may_split(tx: Tx, step: MissionStep, *, settings: PlanningSettings) -> bool:
    """Whether a step may be replaced by several: once, no part of another, and where the plan has room for them, which
    that of a simple mission has not. One of a mission whose result is made anew is not.
    """
    mission = await get_mission(tx, step.mission_id)
    plan = await current_plan(tx, step.mission_id)
    if plan is None or mission.final_deliverable is not None:
        return False
    steps = sum(not one.removed for one in await steps_of(tx, step.mission_id))
    steps_max = planning_bounds(settings, plan.depth).steps_max
    if steps + PARTS_MIN - (0 if step.is_final else 1) > steps_max:
        return False
    return all(
        step.key != one.fields["step"] and step.key not in _parts(one)
        for one in await _replans(tx, step.mission_id)
    )


def find_replan_issues(graph: MissionGraph, change: SteerReply, key: str, *, splits: bool) -> list[str]:
    """List what is wrong with a change as a new plan of the step `key`, beside the rules of all plans."""
    step = graph.steps[key]
    is_replaced = key in change.removed
    is_changed = any(one.key == key for one in change.changed)
    issues = []
    if not (is_replaced or is_changed):
        issues.append(f"Step {key} stays as it is; it must be changed, or replaced by others.")
    others = set(change.removed) | {one.key for one in change.changed}
    if strangers := sorted(others - {key} - _direct_dependants(graph, key)):
        issues.append(f"Steps {', '.join(strangers)} have nothing to do with {key}; they stay as they are.")
    if not splits:
        return issues
    if not step.is_final and not is_replaced:
        issues.append(f"Step {key} is too large; it must be removed and replaced by several.")
    if not PARTS_MIN <= len(change.added) <= PARTS_MAX:
        issues.append(
            f"Step {key} must be replaced by {PARTS_MIN} to {PARTS_MAX} steps, not {len(change.added)}."
        )
    # A part that names no documents reads all.
    if all(one.documents or one.folders for one in change.added):
        covered = {number for one in change.added for number in one.documents}
        is_by_folder = any(one.folders for one in change.added)
        if not is_by_folder and (lost := sorted(set(step.documents) - covered)):
            issues.append(f"No part reads the documents {', '.join(map(str, lost))} of step {key}.")
    return issues


def _direct_dependants(graph: MissionGraph, key: str) -> set[str]:
    return {other for other, needed in graph.needs.items() if key in needed}


def _parts(replan: Task) -> Sequence[str]:
    return tuple(filter(None, str(replan.fields.get("parts", "")).split(",")))


async def _replans(tx: Tx, mission_id: UUID) -> list[Task]:
    return [task for task in await tasks_of(tx, mission_id) if task.process == "replan"]
