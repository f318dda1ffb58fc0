"""The tables of verdicts and of the rules that were tested on them. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from frasier.interfaces.post_mortem_rendering.figures import FigureTable, compared, p_value
from frasier.kernel.statistics.estimate import Estimate
from frasier.overview import JudgementRecord, RuleTest


def judgement_sections(judgements: JudgementRecord, verdicts: str) -> Iterator[FigureTable]:
    """Yield the tables of some verdicts, which `verdicts` names."""
    yield FigureTable(
        title="Agreement",
        columns=("figure", "value"),
        rows=(
            (verdicts, str(judgements.verdicts)),
            ("pairs of reviewers with the same verdict", str(judgements.agreement)),
            ("weighted kappa of their scores", str(judgements.kappa)),
            ("critic above the reviewers, in points", str(judgements.critic_above)),
            ("verdicts that are the founder's too", str(judgements.agrees_with_founder)),
        ),
    )
    yield FigureTable(
        title="Authors, by the mean score of each version",
        columns=("author", "mean score", "against others (Cliff's delta)"),
        rows=tuple(
            (one.producer, str(one.score), compared(one.against_others)) for one in judgements.authors
        ),
        bars=tuple(one.score.value or 0.0 for one in judgements.authors),
    )
    calibrations = {one.reviewer: one for one in judgements.calibrations}
    reviewers = [(one, calibrations[one.rater]) for one in judgements.reviewers]
    yield FigureTable(
        title="Reviewers",
        columns=(
            "reviewer",
            "above other reviewers, in points",
            "most frequent score",
            "agrees with the founder",
            "approved results that the founder had corrected",
        ),
        rows=tuple(
            (
                one.rater,
                compared(one.above_others),
                str(one.same_score),
                str(calibration.agrees),
                str(calibration.corrected),
            )
            for one, calibration in reviewers
        ),
        bars=tuple(_positive(calibration.agrees) for _, calibration in reviewers),
    )


def tests_section(tests: Sequence[RuleTest]) -> FigureTable:
    """Return the table of the rules that were tested at once."""
    return FigureTable(
        title="Rules that were tested at once (Holm)",
        columns=("subject", "rule", "figure", "value", "p", "adjusted p", "stands out"),
        rows=tuple(
            (
                test.subject,
                test.rule,
                test.figure,
                str(test.effect),
                p_value(test.p_value),
                p_value(test.adjusted_p),
                "yes" if test.stands_out else "no",
            )
            for test in tests
        ),
    )


def _positive(estimate: Estimate) -> float:
    return max(estimate.value or 0.0, 0.0)
