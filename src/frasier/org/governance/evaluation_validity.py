"""The evaluations that count: those of versions in force, by evaluators whose scores vary. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from uuid import UUID

from frasier.org.governance.evaluations import Evaluation

SIGNAL_MIN = 8
"""The number of evaluations from which an evaluator whose scores do not vary gives no signal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedEvaluations:
    """The evaluations that count, how many are of superseded versions, and those left out of evaluators without signal.

    `without_signal` are these evaluators, by agent or member, with the number of their evaluations.
    """

    valid: tuple[Evaluation, ...]
    superseded: int
    flat: int
    without_signal: Mapping[UUID | str, int]


def evaluator_of(evaluation: Evaluation) -> UUID | str:
    """Return the agent who evaluated, or the name of the member."""
    return evaluation.evaluator or evaluation.member


def count_evaluations(
    evaluations: Iterable[Evaluation], everywhere: Iterable[Evaluation], superseded: Collection[UUID]
) -> CountedEvaluations:
    """Count the evaluations of a mission. `everywhere` are those of the same evaluators in all missions, by which they
    are judged; `superseded` are the versions, of either, that are in force no more.
    """
    given = list(evaluations)
    current = [one for one in given if one.deliverable_id not in superseded]
    flat = evaluators_without_signal(one for one in everywhere if one.deliverable_id not in superseded)
    valid = tuple(one for one in current if evaluator_of(one) not in flat)
    return CountedEvaluations(
        valid=valid,
        superseded=len(given) - len(current),
        flat=len(current) - len(valid),
        without_signal=flat,
    )


def evaluators_without_signal(evaluations: Iterable[Evaluation]) -> dict[UUID | str, int]:
    """Return the evaluators whose scores are always the same, with the number of their evaluations."""
    scores: dict[UUID | str, list[tuple[int, int]]] = {}
    for one in evaluations:
        scores.setdefault(evaluator_of(one), []).append((one.usefulness.points, one.clarity.points))
    return {who: len(own) for who, own in scores.items() if len(own) >= SIGNAL_MIN and len(set(own)) == 1}
