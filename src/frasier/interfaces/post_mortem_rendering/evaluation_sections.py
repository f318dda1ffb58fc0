"""The tables of evaluations by those who used what was made. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from frasier.interfaces.post_mortem_rendering.figures import FigureTable, compared, p_value
from frasier.overview import EvaluationRecord


def evaluation_sections(evaluations: EvaluationRecord) -> Iterator[FigureTable]:
    """Yield the tables, none where nobody evaluated anything."""
    if not evaluations.evaluations and not evaluations.without_signal:
        return
    yield FigureTable(
        title="Evaluations",
        columns=("figure", "value"),
        rows=(
            ("evaluations of the mission's artefacts", str(evaluations.of_mission)),
            ("evaluations in all missions by the same evaluators", str(evaluations.evaluations)),
            *(
                (f"left out of {one.evaluator}, who always gives the same", str(one.n))
                for one in evaluations.without_signal
            ),
        ),
    )
    yield FigureTable(
        title="Missing information, by the evaluations that name it",
        columns=("information", "evaluations", "share", "p"),
        rows=tuple(
            (one.text, str(one.named), str(one.share), p_value(one.above_p)) for one in evaluations.missed
        ),
        bars=tuple(float(one.named) for one in evaluations.missed),
    )
    yield FigureTable(
        title="Producers, by the mean usefulness of each version",
        columns=("producer", "mean usefulness", "against others (Cliff's delta)"),
        rows=tuple(
            (one.producer, str(one.score), compared(one.against_others)) for one in evaluations.producers
        ),
        bars=tuple(one.score.value or 0.0 for one in evaluations.producers),
    )
    yield FigureTable(
        title="Evaluators",
        columns=("evaluator", "above other evaluators, in points", "most frequent score"),
        rows=tuple(
            (one.rater, compared(one.above_others), str(one.same_score)) for one in evaluations.evaluators
        ),
    )
