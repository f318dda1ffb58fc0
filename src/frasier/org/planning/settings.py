"""The bounds of a plan, stated to the planner and checked in the plan."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from frasier.kernel.limits import STEPS_PER_MISSION_MAX
from frasier.kernel.mission_depth import MissionDepth


class PlanningSettings(BaseModel):
    """The bounds of a plan, and when it waits for the founder.

    A step's research can read `sources_per_step` documents or pages and ask `queries_per_step` queries. With
    `ask_approval` every plan waits for the founder's approval; otherwise one whose estimate expects to cost more than
    `approve_above_usd` dollars, if that is set. Without a `depth` the planner chooses that of each mission for which
    the founder names none; the bounds are those of a standard one.
    """

    model_config = ConfigDict(frozen=True)

    steps_max: int = Field(default=12, ge=1, le=STEPS_PER_MISSION_MAX)
    parallel_max: int = Field(default=4, ge=1, le=12)
    queries_per_step: int = Field(default=6, ge=0, le=20)
    sources_per_step: int = Field(default=16, ge=0, le=60)
    ask_approval: bool = False
    depth: MissionDepth | None = None
    approve_above_usd: Annotated[Decimal, Field(ge=0, le=1_000_000, decimal_places=6)] | None = None
