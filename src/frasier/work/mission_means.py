"""The means of a mission: it is done to its end by a model, or by the rehearsal, as it began."""

from __future__ import annotations

from uuid import UUID

from frasier.llm import Gateway
from frasier.org.missions import get_mission, open_missions_of_means
from frasier.org.planning import mission_of
from frasier.store import Tx
from frasier.work.run_outcomes import NeedsFounder
from frasier.workflow import Task


async def find_mismatch(tx: Tx, task: Task, *, rehearsal: bool) -> NeedsFounder | None:
    """Detect a change of means since the mission began: a rehearsal never silently replaces models."""
    mission_id = mission_of(task)
    if mission_id is None:
        return None
    mission = await get_mission(tx, mission_id)
    if mission.rehearsal == rehearsal:
        return None
    if mission.rehearsal:
        return NeedsFounder(
            "this mission began as a rehearsal, and now a model is configured",
            "give the directive again to have it done by the model, or continue without the model's key",
        )
    return NeedsFounder(
        "this mission was begun with a model, and none is configured now",
        "set the models again: OPENROUTER_API_KEY, or the address of your own server in FRASIER_LLM__BASE_URL"
        " with FRASIER_LLM__API_KEY where it needs one; then continue",
        cause_key="setting:FRASIER_LLM",
    )


async def missions_of_others(tx: Tx, mission_id: UUID | None, gateway: Gateway) -> list[UUID]:
    """Return the missions that a worker leaves to others, because they began with other means.

    One that works on a single mission leaves none: the founder is told of the mismatch.
    """
    return [] if mission_id else await open_missions_of_means(tx, rehearsal=not gateway.is_rehearsal)
