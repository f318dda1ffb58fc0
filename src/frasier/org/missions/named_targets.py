"""Missions and their tasks by what the founder calls them: an id, a part of one, or MISSION/KEY."""

from __future__ import annotations

from frasier.board import find_task, task_of_group
from frasier.kernel.errors import NotFound
from frasier.org.missions.missions import Mission, find_mission
from frasier.store import Tx
from frasier.workflow import Task, tasks_of


async def find_mission_task(tx: Tx, name: str) -> Task:
    """Find the task that `name` names. Raises NotFound and InvalidInput."""
    mission_part, slash, key = name.rpartition("/")
    if not slash:
        return await find_task(tx, name)
    mission = await find_mission(tx, mission_part)
    task = await task_of_group(tx, mission.id, key)
    if task is None:
        keys = ", ".join(task.slug for task in await tasks_of(tx, mission.id))
        raise NotFound(f"The mission {mission.title!r} has no step {key!r}.", hint=f"It has: {keys}.")
    return task


async def find_mission_or_task(tx: Tx, name: str) -> Mission | Task:
    """Find the mission that `name` names, else the task. Raises NotFound and InvalidInput."""
    if "/" not in name:
        try:
            return await find_mission(tx, name)
        except NotFound as missing:
            try:
                return await find_mission_task(tx, name)
            except NotFound:
                raise NotFound(f"There is no mission and no step {name!r}.", advice=missing.advice) from None
    return await find_mission_task(tx, name)
