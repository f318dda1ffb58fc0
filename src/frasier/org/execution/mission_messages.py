"""Messages about a mission: a question, a wish for a new version of its result, or a change of what is not done."""

from __future__ import annotations

from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvalidInput
from frasier.org.conversation import (
    FounderMessage,
    MessageAnswer,
    MessageIntent,
    answer_message,
    ask_for_answer,
    store_message,
)
from frasier.org.improvement import mark_corrected
from frasier.org.missions import (
    Mission,
    MissionStatus,
    check_mission_shown,
    find_mission,
    set_status,
    steps_of,
)
from frasier.org.planning import hand_over_of_absent, read_graph
from frasier.store import Tx
from frasier.workflow import FOUNDER, reopen

_REVISED = "A new version is made from the work that is done. The version before it is kept."


async def ask_mission(tx: Tx, name: str, question: str, *, rehearsal: bool) -> FounderMessage:
    """Store a question about a mission, and give the chief of staff the task of answering it from its evidence.

    `rehearsal` is whether no model is configured now.
    """
    mission = await find_mission(tx, name)
    check_means(mission, rehearsal=rehearsal)
    return await ask_for_answer(tx, question, intent=MessageIntent.ASK, mission_id=mission.id)


async def revise_mission(tx: Tx, name: str, wish: str, *, rehearsal: bool, state: str = "") -> FounderMessage:
    """Have a new version of a delivered result made from the work that was paid for: its final step begins anew.

    The version before it is kept, and stands if no better one is made. With a `state` only while the mission is as it
    was shown; raises Stale otherwise.
    """
    await check_mission_shown(tx, name, state)
    mission = await find_mission(tx, name)
    check_means(mission, rehearsal=rehearsal)
    if rehearsal:
        raise InvalidInput(
            "Without a model nothing understands what shall be different, so no new version is made.",
            kept="Nothing was changed.",
            hint="Set a model with OPENROUTER_API_KEY, or FRASIER_LLM__BASE_URL for a local one.",
        )
    if mission.status not in {MissionStatus.DELIVERED, MissionStatus.COMPLETED}:
        raise InvalidInput(
            f"The mission {mission.title!r} is {mission.status}, so there is no result to revise.",
            kept="Nothing was changed.",
            advice=Advice("mission.steer", to="change what is not done yet", mission=str(mission.id)[-8:]),
        )
    message = await store_message(tx, wish, intent=MessageIntent.REVISE, mission_id=mission.id)
    final = next(step for step in await steps_of(tx, mission.id) if step.is_final)
    await reopen(tx, final.task_id, "revise", actor=FOUNDER, note=message.text)
    await hand_over_of_absent(tx, mission.id, actor=FOUNDER)
    await mark_corrected(tx, mission, message.text)
    await set_status(tx, mission, MissionStatus.IN_PROGRESS, actor=FOUNDER, reason=message.text)
    answer = MessageAnswer(text=_REVISED, rehearsal=mission.rehearsal)
    await answer_message(tx, message, answer)
    return message


async def steer_mission(tx: Tx, name: str, wish: str, *, rehearsal: bool, state: str = "") -> FounderMessage:
    """Store how a mission shall go on, and give the chief of staff the task of changing what is not done yet.

    With a `state` only while the mission is as it was shown; raises Stale otherwise.
    """
    await check_mission_shown(tx, name, state)
    mission = await find_mission(tx, name)
    check_means(mission, rehearsal=rehearsal)
    number = str(mission.id)[-8:]
    if mission.status is MissionStatus.PLANNING:
        raise InvalidInput(
            f"The mission {mission.title!r} is not planned yet, so there is nothing to change.",
            kept="Nothing was stored.",
            hint="Say it again once its steps stand; or cancel it, and give the directive as it shall be.",
        )
    if mission.status not in {MissionStatus.IN_PROGRESS, MissionStatus.PAUSED}:
        raise InvalidInput(
            f"The mission {mission.title!r} is {mission.status}; nothing of it is left to change.",
            kept="Nothing was stored.",
            advice=Advice("mission.revise", to="have a new version made", mission=number)
            if mission.status in {MissionStatus.DELIVERED, MissionStatus.COMPLETED}
            else Advice("mission.retry", to="take it up again", mission=number),
        )
    if not (await read_graph(tx, mission.id)).open_keys:
        raise InvalidInput(
            f"Every step of the mission {mission.title!r} is done or under review; nothing is left to change.",
            kept="Nothing was stored.",
            hint="Have a new version of the result made when it is delivered.",
        )
    return await ask_for_answer(tx, wish, intent=MessageIntent.STEER, mission_id=mission.id)


def check_means(mission: Mission, *, rehearsal: bool) -> None:
    """Raise InvalidInput where a model would be shown what a rehearsal made."""
    if mission.rehearsal and not rehearsal:
        raise InvalidInput(
            f"The mission {mission.title!r} was a rehearsal, and no model is shown what a rehearsal made.",
            kept="Nothing was stored.",
            hint="Give the directive again to have it done by the model, or ask without the model's key.",
        )
