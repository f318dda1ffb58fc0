"""The selection of passages for a step: the best of every query, spread over the sources. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import zip_longest

from frasier.llm import Passage


def select_passages(
    rankings: Sequence[Sequence[Passage]], *, limit: int, per_source: int
) -> tuple[Passage, ...]:
    """Select at most `limit` distinct passages, taken from the rankings in turn, at most `per_source` of one source.

    The result is ordered by source and keeps, within a source, the order of the rankings.
    """
    chosen: list[Passage] = []
    seen: set[tuple[int, str]] = set()
    of_source: Counter[int] = Counter()
    for rank in zip_longest(*rankings):
        for passage in rank:
            if passage is None or (passage.number, passage.text) in seen:
                continue
            if len(chosen) >= limit or of_source[passage.number] >= per_source:
                continue
            seen.add((passage.number, passage.text))
            of_source[passage.number] += 1
            chosen.append(passage)
    return tuple(sorted(chosen, key=lambda passage: passage.number))
