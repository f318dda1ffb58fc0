"""The founder's approval or rejection of what waits for it: the plan of a mission, or the version of a step."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from frasier.board import anybody_works
from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvalidInput, NotFound
from frasier.org.conversation import NO, PLAN_QUESTION, YES
from frasier.org.execution.escalations import decide
from frasier.org.execution.founder_verdict import StepJudged, approve_step, reject_step
from frasier.org.governance import FounderQuestion, find_question, open_questions
from frasier.org.missions import Mission, MissionStatus, find_mission, find_mission_or_task, get_mission
from frasier.org.planning import plan_changed
from frasier.store import Tx
from frasier.workflow import Task


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """An approval or a rejection: `done` tells its effect. `unattended` where work could begin and nobody works."""

    mission: Mission
    approved: bool
    done: str
    unattended: bool


async def approve_named(tx: Tx, name: str, *, digest: str = "", note: str = "") -> Decided | StepJudged:
    """Approve the plan that waits under the id of its mission or of its question, or the version of a step.

    With `digest`, a beginning of it, only the plan or version that has it. Raises Stale if it is another one by now,
    NotFound for an unknown id, and InvalidInput if nothing of it waits for approval.
    """
    if await _is_step(tx, name):
        return await approve_step(tx, name, digest=digest, reason=note)
    return await _decide(tx, name, YES, digest=digest, note=note)


async def reject_named(tx: Tx, name: str, *, digest: str = "", reason: str = "") -> Decided | StepJudged:
    """Reject likewise. A plan is made again with a `reason`, without one its mission is cancelled; a step needs one."""
    if await _is_step(tx, name):
        return await reject_step(tx, name, digest=digest, reason=reason)
    return await _decide(tx, name, NO, digest=digest, note=reason)


async def _is_step(tx: Tx, name: str) -> bool:
    try:
        named = await find_mission_or_task(tx, name)
    except NotFound:
        if "/" in name or name == "last":
            raise
        return False  # it may be a question
    return isinstance(named, Task)


async def _decide(tx: Tx, name: str, answer: str, *, digest: str, note: str) -> Decided:
    question, mission = await _find_plan_question(tx, name)
    if not question.digest.startswith(digest):
        raise plan_changed(mission)
    done = await decide(tx, question, answer, note=note)
    mission = await get_mission(tx, mission.id)
    return Decided(
        mission=mission,
        approved=answer == YES,
        done=done,
        unattended=not mission.status.ended and not await anybody_works(tx, mission.id),
    )


async def _find_plan_question(tx: Tx, name: str) -> tuple[FounderQuestion, Mission]:
    mission = await _find_mission(tx, name)
    if mission is None:
        question = await find_question(tx, name)
        if question.kind != PLAN_QUESTION or question.mission_id is None:
            raise InvalidInput(
                "That question is about no plan.", advice=Advice("inbox.show", to="see how to answer it")
            )
        return question, await get_mission(tx, question.mission_id)
    waiting = [
        question
        for question in await open_questions(tx)
        if question.kind == PLAN_QUESTION and question.mission_id == mission.id
    ]
    if not waiting:
        raise InvalidInput(
            f"No plan of the mission {mission.title!r} waits for you; the mission is {mission.status}.",
            kept="Nothing was changed.",
            advice=Advice("inbox.show", to="see what waits")
            if mission.status not in {MissionStatus.DELIVERED, MissionStatus.COMPLETED}
            else Advice(
                "mission.revise", to="have a new version of its result made", mission=str(mission.id)[-8:]
            ),
        )
    return waiting[0], mission


async def _find_mission(tx: Tx, name: str) -> Mission | None:
    with suppress(NotFound):
        return await find_mission(tx, name)
    return None
