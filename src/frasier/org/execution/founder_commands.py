"""The founder's hand on a mission: pause, cancel, retry and resume it by name."""

from __future__ import annotations

from dataclasses import dataclass

from frasier.board import anybody_works
from frasier.kernel.errors import InvalidInput
from frasier.org.execution.escalations import continue_mission, retry_mission
from frasier.org.governance import budgets_asked, open_questions
from frasier.org.missions import Mission, check_mission_shown, find_mission, find_mission_or_task, get_mission
from frasier.org.planning import (
    budget_too_small,
    cancel_mission,
    give_budget,
    mission_of,
    pause_mission,
    retry_step,
)
from frasier.store import Tx


@dataclass(frozen=True, slots=True, kw_only=True)
class Retried:
    """A retried mission, step or message: `done` as sentences. `mission` is None where it was the answer to a message.

    `unattended` tells that nobody works: the founder has to go on with it.
    """

    mission: Mission | None
    done: tuple[str, ...]
    unattended: bool


async def pause_named(tx: Tx, name: str, *, reason: str = "") -> Mission:
    """Pause the mission; see pause_mission."""
    return await pause_mission(tx, await find_mission(tx, name), reason=reason)


async def cancel_named(tx: Tx, name: str, *, reason: str = "", state: str = "") -> Mission:
    """Cancel the mission; see cancel_mission. With a `state` only while it is as it was shown, else raise Stale."""
    await check_mission_shown(tx, name, state)
    mission = await find_mission(tx, name)
    return await cancel_mission(tx, mission, reason=reason or "cancelled by the founder")


async def resume_named(tx: Tx, name: str, *, budget_usd_micros: int | None = None) -> Mission:
    """Go on with the mission, and give it that budget; one that has ended is left as it is."""
    mission = await find_mission(tx, name)
    if mission.status.ended:
        return mission
    if budget_usd_micros is not None:
        for question in await open_questions(tx):
            least = budgets_asked(question.advice)[:1] if question.mission_id == mission.id else ()
            if least and budget_usd_micros < least[0]:
                raise budget_too_small(question, budget_usd_micros)
        await give_budget(tx, mission, budget_usd_micros)
    return await continue_mission(tx, mission)


async def retry_named(tx: Tx, name: str, *, note: str = "") -> Retried:
    """Try a mission or one of its tasks again. Raises InvalidInput where nothing of it needs that."""
    target = await find_mission_or_task(tx, name)
    if isinstance(target, Mission):
        mission_id = target.id
        done = await retry_mission(tx, mission_id, note=note)
        if not done:
            raise InvalidInput(
                f"Nothing of the mission {target.title!r} has failed, was cancelled or is blocked;"
                f" it is {target.status}.",
                kept="Nothing was changed.",
            )
    else:
        done = [await retry_step(tx, target.id, note=note)]
        of_task = mission_of(target)
        if of_task is None:
            return Retried(mission=None, done=tuple(done), unattended=False)
        mission_id = of_task
    return Retried(
        mission=await get_mission(tx, mission_id),
        done=tuple(done),
        unattended=not await anybody_works(tx, mission_id),
    )
