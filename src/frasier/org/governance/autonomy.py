"""The autonomy policy (D-026): the reviews that a deliverable needs. Pure; an approval always has a computed reason."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from frasier.llm import Citations, Tier, Verification
from frasier.org.governance.settings import AutonomySettings


class ReviewKind(StrEnum):
    """A kind of review. `policy` is the rule below, no person; `lead` and `expert` judge the domain, `qa` the craft,
    `coherence` how the parts of several authors fit together.

    `founder` is the founder's own verdict, which replaces the others.
    """

    POLICY = "policy"
    QA = "qa"
    EXPERT = "expert"
    LEAD = "lead"
    COHERENCE = "coherence"
    FOUNDER = "founder"


@dataclass(frozen=True, slots=True)
class ReviewRoute:
    """The reviews that a deliverable must pass, in order; none if the policy approves. `reason` says why."""

    stages: tuple[ReviewKind, ...]
    reason: str

    @property
    def by_policy(self) -> bool:
        return not self.stages


def route_review(
    settings: AutonomySettings,
    *,
    critique_mean: float | None,
    citations: Citations,
    verification: Verification,
    tier: Tier,
    is_final: bool,
) -> ReviewRoute:
    """Choose the reviews of a deliverable. Final, expensive or uncritiqued work is reviewed in full."""
    full = (ReviewKind.QA, ReviewKind.EXPERT)
    if not settings.enabled:
        return ReviewRoute(full, "autonomous approval is switched off")
    if is_final:
        return ReviewRoute(full, "a final deliverable is always reviewed in full")
    if tier is Tier.T3:
        return ReviewRoute(full, "work on tier T3 is always reviewed in full")
    if critique_mean is None:
        return ReviewRoute(full, "there is no critique to go by")
    if citations.unknown or (citations.quotable and not citations.cited):
        return ReviewRoute(full, "its citations do not hold")
    if verification.doubtful:
        return ReviewRoute(
            full, f"{verification.doubtful} of {verification.total} statements are marked as doubtful"
        )
    well_cited = not citations.quotable or citations.score >= settings.citation_score_from
    if critique_mean >= settings.auto_approve_from and well_cited:
        return ReviewRoute(
            (),
            f"critique {critique_mean:.2f} ≥ {settings.auto_approve_from:.1f}. {verification.headline}",
        )
    if critique_mean >= settings.qa_only_from:
        return ReviewRoute((ReviewKind.QA,), f"critique {critique_mean:.2f} ≥ {settings.qa_only_from:.1f}")
    return ReviewRoute(full, f"critique {critique_mean:.2f} < {settings.qa_only_from:.1f}")
