"""What the founder says about a mission: a question about its evidence."""

from __future__ import annotations

from frasier.kernel.errors import InvalidInput
from frasier.org.planning.messages import FounderMessage, Intent, ask_for_answer
from frasier.org.planning.missions import Mission, find_mission
from frasier.store import Tx


async def ask_mission(tx: Tx, name: str, question: str, *, rehearsal: bool) -> FounderMessage:
    """Store a question about a mission, and give the chief of staff the task of answering it from its evidence.

    `rehearsal` is whether no model is configured now.
    """
    mission = await find_mission(tx, name)
    check_means(mission, rehearsal=rehearsal)
    return await ask_for_answer(tx, question, intent=Intent.ASK, mission_id=mission.id)


def check_means(mission: Mission, *, rehearsal: bool) -> None:
    """Raise InvalidInput where a model would be shown what a rehearsal made."""
    if mission.rehearsal and not rehearsal:
        raise InvalidInput(
            f"The mission {mission.title!r} was a rehearsal, and no model is shown what a rehearsal made.",
            kept="Nothing was stored.",
            hint="Give the directive again to have it done by the model, or ask without the model's key.",
        )
