"""The rules of findings, tested at once: each p-value is adjusted for the number of all of them (Holm). Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from frasier.kernel.statistics.comparisons import holm
from frasier.overview.post_mortem.evaluation_figures import EvaluationRecord
from frasier.overview.post_mortem.judgements import JudgementRecord
from frasier.overview.post_mortem.records import PostMortemFinding, RuleTest, TimeOutlier
from frasier.overview.post_mortem.scores import ProducerRecord, RaterRecord
from frasier.overview.telemetry.records import MissionTelemetry

ALPHA = 0.05
LARGE_EFFECT = 0.474
"""A large Cliff's delta, by the usual thresholds (Romano 2006)."""
FLATTERY = 0.5
"""The points of five above other raters of the same versions from which a rater flatters."""
BOTTLENECK_SHARE = 0.5
"""The share of the critical path from which a task that is an outlier by its time is a bottleneck."""


def apply_rules(judgements: JudgementRecord, others: Iterable[RuleTest] = ()) -> tuple[RuleTest, ...]:
    """Test every rule about people, together with `others`.

    Those with too few observations have no p-value, and are not counted.
    """
    tests = [
        *_of_producers(judgements.authors, "scores"),
        *_of_raters(judgements.reviewers, "reviewers"),
        *_of_calibrations(judgements),
        *others,
    ]
    adjusted = iter(holm([test.p_value for test in tests if test.p_value is not None]))
    return tuple(_concluded(test, next(adjusted)) if test.p_value is not None else test for test in tests)


def rules_of_evaluations(evaluations: EvaluationRecord) -> Iterator[RuleTest]:
    """Yield the rules about producers, evaluators and missing information, to be tested with all others."""
    yield from _of_producers(evaluations.producers, "usefulness")
    yield from _of_raters(evaluations.evaluators, "evaluators")
    for one in evaluations.missed:
        yield RuleTest(
            rule="missing information",
            subject=one.text,
            figure="share of the evaluations of the mission that name it",
            effect=one.share,
            p_value=one.above_p,
            is_large=True,
        )


def _concluded(test: RuleTest, adjusted_p: float) -> RuleTest:
    return replace(test, adjusted_p=adjusted_p, stands_out=test.is_large and adjusted_p < ALPHA)


def _of_producers(producers: Sequence[ProducerRecord], scored: str) -> Iterator[RuleTest]:
    for one in producers:
        compared = one.against_others
        yield RuleTest(
            rule="producer",
            subject=one.producer,
            figure=f"Cliff's delta of the {scored} against that of others",
            effect=compared.effect,
            p_value=compared.p_value,
            is_large=(compared.effect.value or 0.0) <= -LARGE_EFFECT,
        )


def _of_raters(raters: Sequence[RaterRecord], who: str) -> Iterator[RuleTest]:
    for one in raters:
        compared = one.above_others
        yield RuleTest(
            rule="flattery",
            subject=one.rater,
            figure=f"points above other {who} of the same versions",
            effect=compared.effect,
            p_value=compared.p_value,
            is_large=(compared.effect.value or 0.0) >= FLATTERY,
        )
        if one.unvaried_p is not None:
            yield RuleTest(
                rule="no variance",
                subject=one.rater,
                figure=f"share of one score, where those of other {who} vary",
                effect=one.same_score,
                p_value=one.unvaried_p,
                is_large=True,
            )


def _of_calibrations(judgements: JudgementRecord) -> Iterator[RuleTest]:
    for one in judgements.calibrations:
        yield RuleTest(
            rule="calibration",
            subject=one.reviewer,
            figure="share of the founder's verdicts that are the reviewer's too",
            effect=one.agrees,
            p_value=one.below_p,
            is_large=True,
        )


def findings_of(
    tests: Sequence[RuleTest],
    telemetry: MissionTelemetry,
    outliers: Sequence[TimeOutlier],
    evaluations: EvaluationRecord,
) -> Iterator[PostMortemFinding]:
    """Yield what stands out: each by a rule with its figures, none by an opinion."""
    on_path: dict[str, float] = {}
    for piece in telemetry.critical_path:
        on_path[piece.key] = on_path.get(piece.key, 0.0) + piece.seconds
    for outlier in outliers:
        share = on_path.get(outlier.key, 0.0) / max(telemetry.wall_seconds, 0.001)
        if outlier.z > 0 and share >= BOTTLENECK_SHARE:
            yield PostMortemFinding(
                kind="bottleneck",
                subject=outlier.key,
                n=outlier.n,
                text=f"{share:.0%} of the critical path; {outlier.seconds:.1f} s in one run, robust z {outlier.z:.1f}"
                f" among {outlier.n} tasks of its process",
            )
    for test in tests:
        if test.stands_out:
            yield PostMortemFinding(
                kind=test.rule,
                subject=test.subject,
                n=test.effect.n,
                text=f"{test.figure}: {test.effect}, adjusted p {test.adjusted_p:.2g}",
            )
    for silent in evaluations.without_signal:
        yield PostMortemFinding(
            kind="no signal",
            subject=silent.evaluator,
            n=silent.n,
            text=f"all {silent.n} evaluations have the same scores, and are left out",
        )
