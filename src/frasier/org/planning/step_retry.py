"""The retry of a task that failed, was cancelled or is blocked; its mission reopens with it."""

from __future__ import annotations

from uuid import UUID

from frasier.org.governance import open_questions, withdraw_questions
from frasier.org.missions import MissionStatus, get_mission, set_status
from frasier.org.planning.budget_questions import budget_too_small, lacks_budget
from frasier.org.planning.plan_staffing import hand_over_of_absent
from frasier.store import Tx
from frasier.workflow import BLOCKED, FOUNDER, Actor, GroupKind, Task, get_task, restore, retry


async def retry_step(tx: Tx, task_id: UUID, *, actor: Actor = FOUNDER, note: str = "") -> str:
    """Retry a failed or cancelled task, or continue a blocked one; its mission reopens with it.

    Raises InvalidInput where its mission needs a larger budget first.
    """
    task = await get_task(tx, task_id)
    if task.status == BLOCKED:
        for question in await open_questions(tx):
            if question.task_id == task_id and await lacks_budget(tx, question):
                raise budget_too_small(question, None)
        await withdraw_questions(tx, task_id)
        await restore(tx, task_id, actor=actor, note=note)
        return f"{task.title} goes on where it was."
    await retry(tx, task_id, actor=actor, note=note)
    await withdraw_questions(tx, task_id)
    if (mission_id := mission_of(task)) is None:
        return f"{task.title} is tried again."
    await hand_over_of_absent(tx, mission_id, actor=actor)
    mission = await get_mission(tx, mission_id)
    # Of a delivered mission a new version of the result is tried again.
    is_revised = mission.status is MissionStatus.DELIVERED and task.process == "mission_step"
    if mission.status in {MissionStatus.FAILED, MissionStatus.CANCELLED} or is_revised:
        back = MissionStatus.PLANNING if task.process == "planning" else MissionStatus.IN_PROGRESS
        await set_status(tx, mission, back, actor=actor, reason=note)
    return f"{task.title} is tried again."


def mission_of(task: Task) -> UUID | None:
    """Return the mission of a task; None if its group is a conversation, a board or the organisation."""
    return task.group_id if task.definition.group is GroupKind.MISSION else None
