"""The bounds of a plan, stated to the planner and checked in the plan."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from frasier.kernel.limits import STEPS_PER_MISSION_MAX


class PlanningSettings(BaseModel):
    """The bounds of a plan.

    A step's research can read `sources_per_step` documents or pages and ask `queries_per_step` queries.
    """

    model_config = ConfigDict(frozen=True)

    steps_max: int = Field(default=12, ge=1, le=STEPS_PER_MISSION_MAX)
    parallel_max: int = Field(default=4, ge=1, le=12)
    queries_per_step: int = Field(default=6, ge=0, le=20)
    sources_per_step: int = Field(default=16, ge=0, le=60)
