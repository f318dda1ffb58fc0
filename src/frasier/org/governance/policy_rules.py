"""The rules of each policy, with their defaults and bounds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from pydantic import BaseModel, ConfigDict, Field


class PolicyRules(BaseModel):
    """The rules of one subject. A new rule has a default, which holds for versions that were stored before it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    subject: ClassVar[str]


class HiringRules(PolicyRules):
    """The conditions of a hire: what is made without asking the founder, and how many at most."""

    subject: ClassVar[str] = "hiring"

    automatic: bool = Field(True, description="Hire without asking the founder, within the other rules")
    automatic_up_to_usd: float = Field(
        1.0, ge=0, le=1_000, description="A hire that is expected to cost more in US dollars asks the founder"
    )
    per_mission: int = Field(3, ge=0, le=20, description="More hires for one mission ask the founder")
    per_month: int = Field(20, ge=0, le=1_000, description="More hires within 30 days ask the founder")
    for_reviews: bool = Field(
        False, description="Hire an expert where nobody in the house can judge the subject of a work"
    )


POLICY_RULES: Mapping[str, type[PolicyRules]] = {kind.subject: kind for kind in (HiringRules,)}
"""The rules by their subjects."""
