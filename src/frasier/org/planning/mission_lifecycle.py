"""The life of a mission: begun, given a budget, paused, resumed and cancelled."""

from __future__ import annotations

from frasier.kernel.errors import InvalidInput
from frasier.kernel.ids import new_id
from frasier.llm import book_unknown, set_mission_budget
from frasier.org.conversation import save_outcome
from frasier.org.governance import withdraw_questions, withdraw_reviews
from frasier.org.missions import Mission, MissionStatus, NewMission, insert_mission, set_status
from frasier.org.people import chief_of_staff
from frasier.store import Tx, append_event
from frasier.workflow import FOUNDER, Actor, Dependency, NewTask, cancel_group, create_tasks, hold


async def start_mission(tx: Tx, new: NewMission, *, actor: Actor = FOUNDER) -> Mission:
    """Store the mission and give the chief of staff the task of planning it."""
    mission = await insert_mission(tx, new, actor=actor)
    await create_planning(tx, mission, actor=actor)
    return mission


async def create_planning(tx: Tx, mission: Mission, *, actor: Actor) -> None:
    """Give the chief of staff the task of planning a mission, after a brainstorm where there is one."""
    from frasier.org.planning.routine_starts import start_brainstorm  # noqa: PLC0415 (views hold no routines)

    chief = await chief_of_staff(tx)
    brainstorm = await start_brainstorm(tx, mission)
    planning = NewTask(
        id=new_id(),
        process="planning",
        slug="plan",
        title=f"Plan: {mission.title}",
        group_id=mission.id,
        assignee=chief.id,
        priority=10,
        depends_on=(Dependency(depends_on=brainstorm),) if brainstorm else (),
    )
    await create_tasks(tx, [planning], actor=actor)


async def restore_result(tx: Tx, mission: Mission, *, actor: Actor, reason: str) -> Mission:
    """Return a mission to the version that it had before a new one was asked for."""
    status = MissionStatus.DELIVERED if mission.delivered_path else MissionStatus.COMPLETED
    return await set_status(tx, mission, status, actor=actor, reason=reason)


async def give_budget(tx: Tx, mission: Mission, usd_micros: int) -> None:
    """Give a mission a budget of its own, in place of the previous one, larger or smaller."""
    await set_mission_budget(tx, mission.id, usd_micros)
    await append_event(
        tx, stream=mission.id, kind="mission.budget", actor=str(FOUNDER), payload={"usd_micros": usd_micros}
    )


async def pause_mission(tx: Tx, mission: Mission, *, reason: str = "") -> Mission:
    """Pause a mission: its steps are not claimed; a running step stops at its next checkpoint and loses nothing."""
    if mission.status not in {MissionStatus.PLANNING, MissionStatus.IN_PROGRESS}:
        raise InvalidInput(f"The mission is {mission.status}; there is nothing to pause.")
    await hold(tx, mission.id, held=True, actor=FOUNDER)
    return await set_status(tx, mission, MissionStatus.PAUSED, actor=FOUNDER, reason=reason)


async def resume_mission(tx: Tx, mission: Mission) -> Mission:
    """Resume a mission exactly where it was paused; return one that is not paused as it is."""
    if mission.status is not MissionStatus.PAUSED:
        return mission
    await hold(tx, mission.id, held=False, actor=FOUNDER)
    return await set_status(tx, mission, MissionStatus(mission.status_before_pause or ""), actor=FOUNDER)


async def cancel_mission(tx: Tx, mission: Mission, *, actor: Actor = FOUNDER, reason: str) -> Mission:
    """Cancel a mission. What it delivered before stands."""
    if mission.status.ended or mission.status is MissionStatus.COMPLETED:
        raise InvalidInput(f"The mission is {mission.status} already.", kept="Nothing was changed.")
    await cancel_work(tx, mission, actor=actor, reason=reason)
    if mission.final_deliverable is not None:
        ended = await restore_result(tx, mission, actor=actor, reason=reason)
    else:
        ended = await set_status(tx, mission, MissionStatus.CANCELLED, actor=actor, reason=reason)
    await save_outcome(tx, mission, f"The mission {mission.title!r} was cancelled: {reason}")
    return ended


async def cancel_work(tx: Tx, mission: Mission, *, actor: Actor, reason: str) -> None:
    """Cancel all tasks of a mission that have not ended; their reviews and questions are withdrawn."""
    for task in await cancel_group(tx, mission.id, actor=actor, reason=reason):
        # No run returns to a call that is in flight now, and it may be billed.
        await book_unknown(tx, task_id=task.id, before_attempt=task.attempt + 1)
        await withdraw_reviews(tx, task.id)
    await withdraw_questions(tx, mission_id=mission.id)
