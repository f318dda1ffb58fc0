"""Scores of versions: producers compared with each other, and raters of the same versions. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from frasier.kernel.statistics.comparisons import mann_whitney, paired_sign_flip
from frasier.kernel.statistics.estimate import MIN_OBSERVATIONS, Estimate, SampleComparison, seed_of
from frasier.kernel.statistics.intervals import bootstrap_mean


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenScore:
    """A score that a rater gave to a version of what a producer made."""

    version: UUID
    rater: str
    producer: str
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ProducerRecord:
    """The scores of a producer's versions, each the mean of its raters, compared with those of all others."""

    producer: str
    score: Estimate
    against_others: SampleComparison


@dataclass(frozen=True, slots=True, kw_only=True)
class RaterRecord:
    """A rater beside others on the same versions.

    `above_others` is how far its scores are above theirs. `same_score` is the share of its most frequent score;
    `unvaried_p` how probable it is that all are equal if they were drawn like those of the others. It is None where
    they vary, and with less than eight.
    """

    rater: str
    above_others: SampleComparison
    same_score: Estimate
    unvaried_p: float | None


def compare_producers(scores: Iterable[GivenScore], subject: UUID, *names: str) -> tuple[ProducerRecord, ...]:
    """Compare each producer with all others; `subject` and `names` give the seeds."""
    by_version: dict[tuple[str, UUID], list[float]] = {}
    for one in scores:
        by_version.setdefault((one.producer, one.version), []).append(one.score)
    means: dict[str, list[float]] = {}
    for (producer, _), given in sorted(by_version.items()):
        means.setdefault(producer, []).append(sum(given) / len(given))
    return tuple(
        ProducerRecord(
            producer=name,
            score=bootstrap_mean(own, seed=seed_of(subject, *names, "score", name)),
            against_others=mann_whitney(
                own,
                [score for other, theirs in means.items() if other != name for score in theirs],
                seed=seed_of(subject, *names, "producer", name),
            ),
        )
        for name, own in means.items()
    )


def compare_raters(scores: Iterable[GivenScore], subject: UUID, *names: str) -> tuple[RaterRecord, ...]:
    """Compare each rater with the others on the same versions; `subject` and `names` give the seeds."""
    by_version: dict[UUID, dict[str, list[float]]] = {}
    for one in scores:
        by_version.setdefault(one.version, {}).setdefault(one.rater, []).append(one.score)
    raters = sorted({rater for given in by_version.values() for rater in given})
    return tuple(
        _rater_record(rater, by_version, seed_of(subject, *names, "rater", rater)) for rater in raters
    )


def _rater_record(
    rater: str, by_version: Mapping[UUID, Mapping[str, Sequence[float]]], seed: int
) -> RaterRecord:
    own: list[float] = []
    others: list[float] = []
    above: list[float] = []
    for given in by_version.values():
        rest = [score for other, theirs in given.items() if other != rater for score in theirs]
        if rater not in given or not rest:
            continue
        own += given[rater]
        others += rest
        above.append(_mean(given[rater]) - _mean(rest))
    counts = Counter(own)
    top = max(counts.values(), default=0)
    return RaterRecord(
        rater=rater,
        above_others=paired_sign_flip(above, seed=seed),
        same_score=Estimate(n=len(own), value=top / len(own) if len(own) >= MIN_OBSERVATIONS else None),
        unvaried_p=_unvaried_p(len(own), others) if len(counts) == 1 else None,
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _unvaried_p(n: int, others: Sequence[float]) -> float | None:
    """Return how probable it is that `n` scores are equal if each is drawn from those of the others."""
    if n < MIN_OBSERVATIONS:
        return None
    return float(sum((count / len(others)) ** n for count in Counter(others).values()))
