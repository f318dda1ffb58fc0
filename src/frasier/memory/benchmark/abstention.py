"""Measure what a minimum similarity leaves out: answers that should be found, and hits where there is no answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from uuid import UUID

from frasier.memory.benchmark.collection import JudgedQuery
from frasier.memory.recall.types import RecallHit

MINIMA = tuple(step / 20 for step in range(6, 15))

Ask = Callable[[JudgedQuery, str], Awaitable[Sequence[RecallHit]]]
"""Recalls a question in the memories of a group."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Abstention:
    """The effect of one minimum, in shares of the questions.

    `answered`: of those with a relevant hit, one of the relevant hits is similar enough. `silent_without_answer`: of
    all, no hit would be found if the relevant ones were missing. `silent_elsewhere`: no hit is found among the memories
    of another group; None if there is only one.
    """

    min_similarity: float
    answered: float
    silent_without_answer: float
    silent_elsewhere: float | None


async def measure_abstention(
    questions: Sequence[JudgedQuery], groups: Sequence[str], ids: dict[UUID, str], ask: Ask
) -> tuple[Abstention, ...]:
    """Ask each question in its own group and in the next one; return the effect of each of MINIMA."""
    relevant: list[float] = []
    others: list[float] = []
    elsewhere: list[float] = []
    for question in questions:
        hits = await ask(question, question.group)
        is_relevant = [ids[hit.memory.id] in question.relevant for hit in hits]
        if any(is_relevant):
            relevant.append(_best([hit for hit, right in zip(hits, is_relevant, strict=True) if right]))
        others.append(_best([hit for hit, right in zip(hits, is_relevant, strict=True) if not right]))
        if len(groups) > 1:
            away = groups[(groups.index(question.group) + 1) % len(groups)]
            elsewhere.append(_best(await ask(question, away)))
    return tuple(
        Abstention(
            min_similarity=minimum,
            answered=1 - _share_below(relevant, minimum),
            silent_without_answer=_share_below(others, minimum),
            silent_elsewhere=_share_below(elsewhere, minimum) if elsewhere else None,
        )
        for minimum in MINIMA
    )


def _best(hits: Sequence[RecallHit]) -> float:
    return max((-1.0 if hit.similarity is None else hit.similarity for hit in hits), default=-1.0)


def _share_below(similarities: Sequence[float], minimum: float) -> float:
    return sum(similarity < minimum for similarity in similarities) / max(len(similarities), 1)
