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


class TrialRules(PolicyRules):
    """The conditions of upskilling: what gives rise to it, and how a new version has to prove itself."""

    subject: ClassVar[str] = "trials"

    automatic: bool = Field(True, description="Begin a trial without asking the founder, within its cap")
    cap_usd: float = Field(
        2.0, ge=0, le=1_000, description="The most that an upskilling with its trial may cost in US dollars"
    )
    max_pairs: int = Field(40, ge=5, le=40, description="The most pairs that are compared")
    alpha: float = Field(
        0.05, ge=0.001, le=0.2, description="The most chance that a version without effect is kept"
    )
    minimum_effect: float = Field(
        0.1, ge=0, le=2, description="The least mean gain, in points of a score, for which a version is kept"
    )
    days: int = Field(30, ge=1, le=365, description="The days after which an undecided trial ends")
    at_second_strike: bool = Field(True, description="Upskill who has had a version rejected twice")
    at_falling_scores: bool = Field(True, description="Upskill whose scores fall")


POLICY_RULES: Mapping[str, type[PolicyRules]] = {kind.subject: kind for kind in (HiringRules, TrialRules)}
"""The rules by their subjects."""
