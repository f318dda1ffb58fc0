"""The selection of passages for a step: the best of every query, first spread over the sources, then by rank. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain, zip_longest

from frasier.kernel.text import estimate_tokens
from frasier.llm import Passage


def select_passages(
    rankings: Sequence[Sequence[Passage]], *, limit: int, tokens_max: int, per_source: int
) -> tuple[Passage, ...]:
    """Select at most `limit` distinct passages, together at most `tokens_max` tokens, taken from the rankings in turn.

    In a first round at most `per_source` of one source are taken, so that the best of one does not crowd out the
    others; what room is left then goes to the next best of any. The result is ordered by source and keeps, within a
    source, the order of the rankings.
    """
    in_turn = list(
        dict.fromkeys(
            passage for passage in chain.from_iterable(zip_longest(*rankings)) if passage is not None
        )
    )
    of_source: Counter[int] = Counter()
    spread: list[Passage] = []
    rest: list[Passage] = []
    for passage in in_turn:
        of_source[passage.number] += 1
        (spread if of_source[passage.number] <= per_source else rest).append(passage)
    chosen: set[Passage] = set()
    room = tokens_max
    for passage in [*spread, *rest]:
        tokens = estimate_tokens(passage.text)
        if len(chosen) == limit or (chosen and tokens > room):
            break
        chosen.add(passage)
        room -= tokens
    return tuple(sorted((p for p in in_turn if p in chosen), key=lambda passage: passage.number))
