"""The bounds of a plan by the depth of its mission; they hold whatever a model says. Pure."""

from __future__ import annotations

from frasier.kernel.limits import STEPS_PER_MISSION_MAX
from frasier.kernel.mission_depth import MissionDepth
from frasier.org.planning.settings import PlanningSettings

SIMPLE_STEPS_MAX = 1

_DEEPER = 1.5
_SOURCES_MAX = 60
_QUERIES_MAX = 20


def planning_bounds(settings: PlanningSettings, depth: MissionDepth) -> PlanningSettings:
    """Return the bounds of a plan of this depth, from those of a standard one."""
    if depth is MissionDepth.SIMPLE:
        return settings.model_copy(update={"steps_max": SIMPLE_STEPS_MAX})
    if depth is MissionDepth.STANDARD:
        return settings
    return settings.model_copy(
        update={
            "steps_max": min(STEPS_PER_MISSION_MAX, round(settings.steps_max * _DEEPER)),
            "sources_per_step": min(_SOURCES_MAX, round(settings.sources_per_step * _DEEPER)),
            "queries_per_step": min(_QUERIES_MAX, round(settings.queries_per_step * _DEEPER)),
        }
    )
