"""The rules of each policy, with their defaults and bounds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from pydantic import BaseModel, ConfigDict, Field

from frasier.kernel.mission_depth import MissionDepth


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


class RoutineRules(PolicyRules):
    """The budget of team routines, and which are held. They are off until the founder sets a budget."""

    subject: ClassVar[str] = "routines"

    budget_usd: float = Field(
        0.0, ge=0, le=10_000, description="US dollars for all routines within 30 days; 0 switches them off"
    )
    stand_up: bool = Field(True, description="Hold stand-ups, when the founder asks for one")
    brainstorm: bool = Field(True, description="Hold a brainstorm before a deep mission is planned")
    debate: bool = Field(
        True, description="Hold a debate where two reviews of a version differ by more than a point"
    )
    mentoring: bool = Field(True, description="Have a colleague mentor an author whose work was sent back")
    each_up_to_usd: float = Field(0.25, ge=0, le=1_000, description="The most US dollars for one routine")
    share_of_mission: float = Field(
        0.1, ge=0, le=0.5, description="The share of a mission's budget that its routines may take"
    )
    minutes: float = Field(
        5.0, gt=0, le=60, description="The minutes after which a routine ends without an outcome"
    )
    speakers: int = Field(4, ge=1, le=8, description="How many colleagues speak in a stand-up or brainstorm")


class CoherenceRules(PolicyRules):
    """The review of a final result of several authors as a whole, and what becomes of faults that stay."""

    subject: ClassVar[str] = "coherence"

    review: bool = Field(True, description="Have a final result of several authors read as a whole")
    tries: int = Field(2, ge=0, le=4, description="The most revisions for how the parts fit together")
    escalate: bool = Field(
        False, description="Ask the founder about faults that stay, instead of delivering with them stated"
    )


class DepthRules(PolicyRules):
    """The budget of a mission by its depth, as a share of what a mission may cost without a budget of its own."""

    subject: ClassVar[str] = "depth"

    simple_share: float = Field(0.2, ge=0.001, le=1, description="The share that a simple mission may take")
    standard_share: float = Field(
        0.6, ge=0.001, le=1, description="The share that a standard mission may take"
    )
    deep_share: float = Field(1.0, ge=0.001, le=1, description="The share that a deep mission may take")

    def share_of(self, depth: MissionDepth) -> float:
        """Return the share of a mission of that depth."""
        share: float = getattr(self, f"{depth}_share")
        return share


class ProposalRules(PolicyRules):
    """Whether improvements are proposed from post-mortems, and what that may cost. They are off until switched on."""

    subject: ClassVar[str] = "proposals"

    on: bool = Field(False, description="Have a colleague read post-mortems and propose improvements")
    after_missions: int = Field(
        0, ge=0, le=1_000, description="Do so after each number of missions; 0 only when the founder asks"
    )
    missions_read: int = Field(20, ge=1, le=50, description="How many of the newest post-mortems are read")
    at_most: int = Field(3, ge=1, le=8, description="The most improvements that are proposed at once")
    each_up_to_usd: float = Field(
        0.5, gt=0, le=100, description="The most that one reading may cost in US dollars"
    )


class EvaluationRules(PolicyRules):
    """The bounds of evaluations of artefacts by those who used them. They are off until the founder allows them."""

    subject: ClassVar[str] = "evaluation"

    enabled: bool = Field(False, description="Have artefacts evaluated by the colleagues who used them")
    share_of_mission: float = Field(
        0.05,
        ge=0,
        le=0.5,
        description="What evaluations may cost, beside a mission, as a share of its budget",
    )
    minutes: float = Field(3.0, gt=0, le=60, description="The minutes after which an evaluator is given up")


POLICY_RULES: Mapping[str, type[PolicyRules]] = {
    kind.subject: kind
    for kind in (
        HiringRules,
        TrialRules,
        RoutineRules,
        CoherenceRules,
        DepthRules,
        ProposalRules,
        EvaluationRules,
    )
}
"""The rules by their subjects."""
