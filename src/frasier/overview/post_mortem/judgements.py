"""Statistics of verdicts: agreement of reviewers, and calibration of critic and reviewers. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from uuid import UUID

from frasier.kernel.statistics.agreement import weighted_kappa
from frasier.kernel.statistics.comparisons import binomial_below
from frasier.kernel.statistics.estimate import Estimate, seed_of
from frasier.kernel.statistics.intervals import bootstrap_mean, wilson
from frasier.overview.post_mortem.scores import (
    GivenScore,
    ProducerRecord,
    RaterRecord,
    compare_producers,
    compare_raters,
)

_SCALE = (1, 2, 3, 4, 5)
AGREEMENT_MIN = 0.7
"""The share of the founder's verdicts; a reviewer who surely agrees with fewer is miscalibrated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenVerdict:
    """A reviewer's verdict on a version; `critique` is the mean of the critic's scores of it.

    `founder_agrees` is None unless the founder gave a verdict on the same content. `delivered` says that it is the
    result of a mission, `corrected` that the founder asked for a corrected one.
    """

    version: UUID
    reviewer: str
    author: str
    approved: bool
    overall: float | None
    critique: float | None
    founder_agrees: bool | None = None
    delivered: bool = False
    corrected: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewerCalibration:
    """A reviewer beside the founder.

    `agrees` is the share of the founder's verdicts that are the reviewer's too, `below_p` how probable so few are for
    one who agrees with `AGREEMENT_MIN`; None with less than eight. `corrected` is the share of approved results of
    missions that the founder had corrected: without a correction the founder may just have said nothing, so that no
    finding rests on it.
    """

    reviewer: str
    agrees: Estimate
    below_p: float | None
    corrected: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgementRecord:
    """The verdicts of an organisation until a mission ended.

    `agreement` is the share of pairs of reviewers of one version with the same verdict, `kappa` the weighted agreement
    of their scores beyond chance; `critic_above` is how far the critic was above the reviewers, in points, and
    `agrees_with_founder` the share of verdicts that are those of the founder.
    """

    verdicts: int
    agreement: Estimate
    kappa: Estimate
    critic_above: Estimate
    agrees_with_founder: Estimate
    authors: tuple[ProducerRecord, ...]
    reviewers: tuple[RaterRecord, ...]
    calibrations: tuple[ReviewerCalibration, ...]


def judge_verdicts(verdicts: Sequence[GivenVerdict], subject: UUID) -> JudgementRecord:
    """Compute the statistics of some verdicts; the seeds are those of the subject."""
    by_version: dict[UUID, list[GivenVerdict]] = {}
    for verdict in verdicts:
        by_version.setdefault(verdict.version, []).append(verdict)
    pairs = [
        pair
        for given in by_version.values()
        for pair in combinations([one for one in given if one.overall is not None], 2)
        if pair[0].reviewer != pair[1].reviewer
    ]
    first, second = ([_rating(pair[index]) for pair in pairs] for index in (0, 1))
    gaps = [
        verdict.critique - verdict.overall
        for verdict in verdicts
        if verdict.critique is not None and verdict.overall is not None
    ]
    scores = [
        GivenScore(version=one.version, rater=one.reviewer, producer=one.author, score=one.overall)
        for one in verdicts
        if one.overall is not None
    ]
    return JudgementRecord(
        verdicts=len(verdicts),
        agreement=wilson(sum(one.approved == other.approved for one, other in pairs), len(pairs)),
        kappa=weighted_kappa(
            first, second, scale=_SCALE, weights="quadratic", seed=seed_of(subject, "kappa")
        ),
        critic_above=bootstrap_mean(gaps, seed=seed_of(subject, "critic")),
        agrees_with_founder=_agreement(verdicts),
        authors=compare_producers(scores, subject, "reviews"),
        reviewers=compare_raters(scores, subject, "reviews"),
        calibrations=tuple(
            _calibration(name, [one for one in verdicts if one.reviewer == name])
            for name in sorted({one.reviewer for one in verdicts})
        ),
    )


def _rating(verdict: GivenVerdict) -> int:
    return min(max(round(verdict.overall or 1), 1), 5)


def _agreement(verdicts: Sequence[GivenVerdict]) -> Estimate:
    labels = [one.founder_agrees for one in verdicts if one.founder_agrees is not None]
    return wilson(sum(labels), len(labels))


def _calibration(name: str, verdicts: Sequence[GivenVerdict]) -> ReviewerCalibration:
    labels = [one.founder_agrees for one in verdicts if one.founder_agrees is not None]
    delivered = [one.corrected for one in verdicts if one.approved and one.delivered]
    return ReviewerCalibration(
        reviewer=name,
        agrees=_agreement(verdicts),
        below_p=binomial_below(sum(labels), len(labels), share=AGREEMENT_MIN),
        corrected=wilson(sum(delivered), len(delivered)),
    )
