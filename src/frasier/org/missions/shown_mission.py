"""The state of a mission that a founder was shown, to which a command on it is bound."""

from __future__ import annotations

from uuid import UUID

from frasier.kernel.advice import Advice
from frasier.kernel.errors import Stale
from frasier.kernel.text import digest
from frasier.org.missions.missions import find_mission, get_mission
from frasier.org.missions.stored_plans import current_plan
from frasier.store import Tx

_ID_CHARS = 8


async def mission_state(tx: Tx, mission_id: UUID) -> str:
    """Return the digest of what a command on a mission depends on: its status, its plan, its result."""
    mission = await get_mission(tx, mission_id)
    plan = await current_plan(tx, mission_id)
    return digest(f"{mission.status} {plan.digest if plan else ''} {mission.final_deliverable or ''}")


async def check_mission_shown(tx: Tx, name: str, state: str) -> None:
    """Raise Stale if the mission is not as it was shown. `state` is the one then, or a beginning of it."""
    mission = await find_mission(tx, name)
    if not (await mission_state(tx, mission.id)).startswith(state):
        status = mission.status.replace("_", " ")
        raise Stale(
            f"The mission {mission.title!r} is not as you were shown it any more; it is {status}.",
            kept="Nothing was changed.",
            advice=Advice("mission.show", to="see it as it is now", mission=str(mission.id)[-_ID_CHARS:]),
        )
