"""What the founder says about a mission: a question about its evidence, or a wish for a new version of its result."""

from __future__ import annotations

from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvalidInput
from frasier.org.planning.messages import (
    FounderMessage,
    Intent,
    MessageAnswer,
    answer_message,
    ask_for_answer,
    store_message,
)
from frasier.org.planning.mission_lifecycle import set_status
from frasier.org.planning.missions import Mission, MissionStatus, find_mission
from frasier.org.planning.steps import steps_of
from frasier.store import Tx
from frasier.workflow import FOUNDER, reopen

_REVISED = "A new version is made from the work that is done. The version before it is kept."


async def ask_mission(tx: Tx, name: str, question: str, *, rehearsal: bool) -> FounderMessage:
    """Store a question about a mission, and give the chief of staff the task of answering it from its evidence.

    `rehearsal` is whether no model is configured now.
    """
    mission = await find_mission(tx, name)
    check_means(mission, rehearsal=rehearsal)
    return await ask_for_answer(tx, question, intent=Intent.ASK, mission_id=mission.id)


async def revise_mission(tx: Tx, name: str, wish: str, *, rehearsal: bool) -> FounderMessage:
    """Have a new version of a delivered result made from the work that was paid for: its final step begins anew.

    The version before it is kept, and stands if no better one is made.
    """
    mission = await find_mission(tx, name)
    check_means(mission, rehearsal=rehearsal)
    if mission.status not in {MissionStatus.DELIVERED, MissionStatus.COMPLETED}:
        raise InvalidInput(
            f"The mission {mission.title!r} is {mission.status}, so there is no result to revise.",
            kept="Nothing was changed.",
            advice=Advice("mission.steer", to="change what is not done yet", mission=str(mission.id)[-8:]),
        )
    message = await store_message(tx, wish, intent=Intent.REVISE, mission_id=mission.id)
    final = next(step for step in await steps_of(tx, mission.id) if step.is_final)
    await reopen(tx, final.task_id, "revise", actor=FOUNDER, note=message.text)
    await set_status(tx, mission, MissionStatus.IN_PROGRESS, actor=FOUNDER, reason=message.text)
    answer = MessageAnswer(text=_REVISED, rehearsal=mission.rehearsal)
    await answer_message(tx, message, answer)
    return message


def check_means(mission: Mission, *, rehearsal: bool) -> None:
    """Raise InvalidInput where a model would be shown what a rehearsal made."""
    if mission.rehearsal and not rehearsal:
        raise InvalidInput(
            f"The mission {mission.title!r} was a rehearsal, and no model is shown what a rehearsal made.",
            kept="Nothing was stored.",
            hint="Give the directive again to have it done by the model, or ask without the model's key.",
        )
