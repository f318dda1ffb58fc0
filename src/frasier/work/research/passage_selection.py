"""The selection of passages for a step: the best of every query, first spread over the sources, then by rank. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import chain, zip_longest

from frasier.kernel.text import estimate_tokens
from frasier.llm import Passage
from frasier.work.research.supersession import Companions

_TOGETHER_MAX = 6


def select_passages(
    rankings: Sequence[Sequence[Passage]],
    *,
    limit: int,
    tokens_max: int,
    per_source: int,
    companions: Companions | None = None,
) -> tuple[Passage, ...]:
    """Select at most `limit` distinct passages, together at most `tokens_max` tokens, taken from the rankings in turn.

    In a first round at most `per_source` of one source are taken, so that the best of one does not crowd out the
    others; what room is left then goes to the next best of any. Companions of a passage are taken with it, or where
    they have no room, neither. The result is ordered by source, with what supersedes a source behind it, and keeps,
    within a source, the order in which passages were found.
    """
    companions = companions or Companions(supersessions=())
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
    chosen: dict[Passage, None] = {}
    room = tokens_max
    for passage in [*spread, *rest]:
        together = _with_companions(passage, companions, chosen)
        tokens = sum(estimate_tokens(one.text) for one in together)
        if chosen and (len(chosen) + len(together) > limit or tokens > room):
            if len(together) > 1 and len(chosen) < limit:
                continue  # another passage may still have room alone
            break
        chosen |= dict.fromkeys(together)
        room -= tokens
    order = {number: at for at, number in enumerate(companions.order([one.number for one in chosen]))}
    found = {passage: at for at, passage in reversed(list(enumerate([*in_turn, *chosen])))}
    return tuple(sorted(chosen, key=lambda one: (order[one.number], found[one])))


def _with_companions(passage: Passage, companions: Companions, chosen: Collection[Passage]) -> list[Passage]:
    """Return what is not chosen yet of a passage, its companions, and theirs."""
    together = [passage]
    for one in together:
        if sum(other not in chosen for other in together) >= _TOGETHER_MAX:
            break
        read = {other.number for other in (*chosen, *together)}
        together += [other for other in companions.of(one, read=read) if other not in together]
    return [one for one in together if one not in chosen][:_TOGETHER_MAX]
