"""Statistics of evaluations by those who used what was made: producers, evaluators, and what they missed. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from frasier.kernel.statistics.comparisons import binomial_above
from frasier.kernel.statistics.estimate import Estimate
from frasier.kernel.statistics.intervals import wilson
from frasier.overview.evaluations import SilentEvaluator
from frasier.overview.post_mortem.scores import (
    GivenScore,
    ProducerRecord,
    RaterRecord,
    compare_producers,
    compare_raters,
)

MISSED_SHARE = 0.1
"""The share of a mission's evaluations that may miss the same by chance."""
_ALIKE = 0.6
_SHOWN_MAX = 10
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenEvaluation:
    """An evaluation of a version: its usefulness from 1 to 5, and what information was missing."""

    mission: UUID
    version: UUID
    evaluator: str
    producer: str
    usefulness: int
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MissedInformation:
    """Information that evaluations of a mission's artefacts found missing, in the words of the first.

    `share` is that of the evaluations that name it; `above_p` how probable so many are where each names it with
    `MISSED_SHARE`. None with less than eight.
    """

    text: str
    named: int
    share: Estimate
    above_p: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationRecord:
    """The evaluations of a mission's artefacts, and what their evaluators gave in all missions.

    `evaluations` are all of those, `of_mission` its own, and `missed` what these miss, the most first. Evaluators
    `without_signal` always give the same, and are left out of all figures.
    """

    evaluations: int
    of_mission: int
    producers: tuple[ProducerRecord, ...]
    evaluators: tuple[RaterRecord, ...]
    missed: tuple[MissedInformation, ...]
    without_signal: tuple[SilentEvaluator, ...]


def judge_evaluations(
    evaluations: Sequence[GivenEvaluation], mission: UUID, without_signal: Sequence[SilentEvaluator]
) -> EvaluationRecord:
    """Compute the statistics of the evaluations that count; the seeds are those of the mission."""
    scores = [
        GivenScore(
            version=one.version, rater=one.evaluator, producer=one.producer, score=float(one.usefulness)
        )
        for one in evaluations
    ]
    own = [one for one in evaluations if one.mission == mission]
    return EvaluationRecord(
        evaluations=len(evaluations),
        of_mission=len(own),
        producers=compare_producers(scores, mission, "evaluations"),
        evaluators=compare_raters(scores, mission, "evaluations"),
        missed=tuple(_missed(own)[:_SHOWN_MAX]),
        without_signal=tuple(without_signal),
    )


def _missed(evaluations: Sequence[GivenEvaluation]) -> list[MissedInformation]:
    """Count what evaluations miss, each once; texts with most words and all numbers in common are one."""
    items: list[tuple[str, frozenset[str], set[int]]] = []
    for index, one in enumerate(evaluations):
        for text in one.missing:
            words = frozenset(_WORD.findall(text.casefold()))
            known = next((by for _, others, by in items if _is_alike(words, others)), None)
            if known is None:
                known = set()
                items.append((text, words, known))
            known.add(index)
    counted = sorted(items, key=lambda item: (-len(item[2]), item[0]))
    return [
        MissedInformation(
            text=text,
            named=len(by),
            share=wilson(len(by), len(evaluations)),
            above_p=binomial_above(len(by), len(evaluations), share=MISSED_SHARE),
        )
        for text, _, by in counted
    ]


def _is_alike(words: frozenset[str], others: frozenset[str]) -> bool:
    both, either = words & others, words | others
    same_numbers = not any(word.isdigit() for word in either - both)
    return bool(either) and same_numbers and len(both) / len(either) >= _ALIKE
