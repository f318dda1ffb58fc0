"""Statistics of verdicts, for authors, reviewers and the critic. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from uuid import UUID

from frasier.kernel.statistics.agreement import weighted_kappa
from frasier.kernel.statistics.comparisons import holm, mann_whitney, paired_sign_flip
from frasier.kernel.statistics.estimate import Estimate, SampleComparison, seed_of
from frasier.kernel.statistics.intervals import bootstrap_mean, wilson

_SCALE = (1, 2, 3, 4, 5)
ALPHA = 0.05
LARGE_EFFECT = 0.474
"""A large Cliff's delta, by the usual thresholds (Romano 2006)."""
FLATTERY = 0.5
"""The points of five above other reviewers of the same versions from which a reviewer flatters."""
AGREEMENT_MIN = 0.7
"""The share of the founder's verdicts; a reviewer who surely agrees with fewer is miscalibrated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenVerdict:
    """A verdict on a version. `reviewer` is empty for the founder's, which has no score; `critique` is the critic's."""

    version: UUID
    reviewer: str
    author: str
    approved: bool
    overall: float | None
    critique: float | None

    @property
    def is_founders(self) -> bool:
        return not self.reviewer

    @property
    def is_scored(self) -> bool:
        return self.overall is not None and not self.is_founders


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthorRecord:
    """The scores that an author got, compared with those of all others."""

    author: str
    score: Estimate
    against_others: SampleComparison
    adjusted_p: float | None
    is_worse: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewerRecord:
    """A reviewer beside others on the same versions, and beside the founder."""

    reviewer: str
    above_others: SampleComparison
    adjusted_p: float | None
    agrees_with_founder: Estimate
    flatters: bool
    is_miscalibrated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgementRecord:
    """The verdicts of an organisation until a mission ended.

    `agreement` is the share of pairs of reviewers of one version with the same verdict, `kappa` the weighted agreement
    of their scores beyond chance; `critic_above` is how far the critic was above the reviewers, in points.
    """

    verdicts: int
    agreement: Estimate
    kappa: Estimate
    critic_above: Estimate
    authors: tuple[AuthorRecord, ...]
    reviewers: tuple[ReviewerRecord, ...]


def judge_verdicts(verdicts: Sequence[GivenVerdict], mission: UUID) -> JudgementRecord:
    """Compute the statistics of some verdicts; the seeds are those of the mission."""
    by_version: dict[UUID, list[GivenVerdict]] = {}
    for verdict in verdicts:
        by_version.setdefault(verdict.version, []).append(verdict)
    scored = [verdict for verdict in verdicts if verdict.is_scored]
    pairs = [
        pair
        for given in by_version.values()
        for pair in combinations([one for one in given if one.is_scored], 2)
        if pair[0].reviewer != pair[1].reviewer
    ]
    first, second = ([_rating(pair[index]) for pair in pairs] for index in (0, 1))
    gaps = [
        verdict.critique - verdict.overall
        for verdict in scored
        if verdict.critique is not None and verdict.overall is not None
    ]
    return JudgementRecord(
        verdicts=len(verdicts),
        agreement=wilson(sum(one.approved == other.approved for one, other in pairs), len(pairs)),
        kappa=weighted_kappa(
            first, second, scale=_SCALE, weights="quadratic", seed=seed_of(mission, "kappa")
        ),
        critic_above=bootstrap_mean(gaps, seed=seed_of(mission, "critic")),
        authors=_authors(scored, mission),
        reviewers=_reviewers(by_version, scored, mission),
    )


def _rating(verdict: GivenVerdict) -> int:
    return min(max(round(verdict.overall or 1), 1), 5)


def _adjusted(comparisons: Sequence[SampleComparison]) -> list[float | None]:
    """Return the p-values adjusted for how many there are; None where there is not enough data."""
    known = [comparison.p_value for comparison in comparisons if comparison.p_value is not None]
    adjusted = iter(holm(known))
    return [None if comparison.p_value is None else next(adjusted) for comparison in comparisons]


def _authors(scored: Sequence[GivenVerdict], mission: UUID) -> tuple[AuthorRecord, ...]:
    names = sorted({verdict.author for verdict in scored})
    own = {name: [v.overall or 0.0 for v in scored if v.author == name] for name in names}
    others = {name: [v.overall or 0.0 for v in scored if v.author != name] for name in names}
    compared = [
        mann_whitney(own[name], others[name], seed=seed_of(mission, "author", name)) for name in names
    ]
    return tuple(
        AuthorRecord(
            author=name,
            score=bootstrap_mean(own[name], seed=seed_of(mission, "score", name)),
            against_others=comparison,
            adjusted_p=p_value,
            is_worse=p_value is not None
            and p_value < ALPHA
            and (comparison.effect.value or 0.0) <= -LARGE_EFFECT,
        )
        for name, comparison, p_value in zip(names, compared, _adjusted(compared), strict=True)
    )


def _reviewers(
    by_version: dict[UUID, list[GivenVerdict]], scored: Sequence[GivenVerdict], mission: UUID
) -> tuple[ReviewerRecord, ...]:
    names = sorted({verdict.reviewer for verdict in scored})
    compared = [
        paired_sign_flip(_above_others(name, by_version), seed=seed_of(mission, "reviewer", name))
        for name in names
    ]
    records = []
    for name, comparison, p_value in zip(names, compared, _adjusted(compared), strict=True):
        agrees = _agreement_with_founder(name, by_version)
        significant = p_value is not None and p_value < ALPHA
        records.append(
            ReviewerRecord(
                reviewer=name,
                above_others=comparison,
                adjusted_p=p_value,
                agrees_with_founder=agrees,
                flatters=significant and (comparison.effect.value or 0.0) >= FLATTERY,
                is_miscalibrated=agrees.high is not None and agrees.high < AGREEMENT_MIN,
            )
        )
    return tuple(records)


def _above_others(name: str, by_version: dict[UUID, list[GivenVerdict]]) -> list[float]:
    """Return, for each version that others reviewed as well, how far a reviewer's score was above theirs."""
    differences = []
    for given in by_version.values():
        own = [one.overall for one in given if one.reviewer == name and one.overall is not None]
        rest = [
            one.overall
            for one in given
            if one.reviewer != name and not one.is_founders and one.overall is not None
        ]
        if own and rest:
            differences.append(sum(own) / len(own) - sum(rest) / len(rest))
    return differences


def _agreement_with_founder(name: str, by_version: dict[UUID, list[GivenVerdict]]) -> Estimate:
    pairs = [
        (one.approved, founder.approved)
        for given in by_version.values()
        for founder in given
        if founder.is_founders
        for one in given
        if one.reviewer == name
    ]
    return wilson(sum(said == wanted for said, wanted in pairs), len(pairs))
