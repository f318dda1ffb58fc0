"""What a person means by an id, a part of one, or MISSION/KEY."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from frasier.org.planning import Mission
    from frasier.store import Tx
    from frasier.workflow import Task


async def named_task(tx: Tx, text: str) -> Task:
    """The task that `text` names; raises NotFound or InvalidInput with what to type instead."""
    from frasier.board import find_task, task_of_group
    from frasier.kernel.errors import NotFound
    from frasier.org.planning import find_mission
    from frasier.workflow import tasks_of

    mission_part, slash, key = text.rpartition("/")
    if not slash:
        return await find_task(tx, text)
    mission = await find_mission(tx, mission_part)
    task = await task_of_group(tx, mission.id, key)
    if task is None:
        keys = ", ".join(task.slug for task in await tasks_of(tx, mission.id))
        raise NotFound(f"The mission {mission.title!r} has no step {key!r}.", hint=f"It has: {keys}.")
    return task


async def named_mission_or_task(tx: Tx, text: str) -> Mission | Task:
    """A mission where `text` names one, else the task that it names."""
    from frasier.kernel.errors import NotFound
    from frasier.org.planning import find_mission

    if "/" not in text:
        try:
            return await find_mission(tx, text)
        except NotFound as missing:
            try:
                return await named_task(tx, text)
            except NotFound:
                raise NotFound(f"There is no mission and no step {text!r}.", advice=missing.advice) from None
    return await named_task(tx, text)
