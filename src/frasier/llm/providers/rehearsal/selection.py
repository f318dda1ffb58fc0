"""The selection of relevant statements to quote: the best ones, from as many sources as possible."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from frasier.llm.providers.rehearsal.corpus import Scored
from frasier.llm.providers.rehearsal.evidence import SourceStatement

_ALIKE = 0.6
_CONTAINED = 0.85
# A second quote of one source must hold its own against the first.
_SHARE_OF_FIRST = 0.45


def alike(a: Collection[str], b: Collection[str]) -> bool:
    """Whether two sets of stems say nearly the same."""
    if {stem for stem in a if stem[0].isdigit()} != {stem for stem in b if stem[0].isdigit()}:
        return False  # another number, another statement
    common = sum(1 for stem in a if stem in b)
    smaller, union = min(len(a), len(b)), len(a) + len(b) - common
    return smaller > 0 and (common / union >= _ALIKE or common / smaller >= _CONTAINED)


def pick(
    ranked: Iterable[Scored], *, limit: int, per_source: int, taken: list[SourceStatement]
) -> tuple[SourceStatement, ...]:
    """Up to `limit` statements: every source's best before any source's second best.

    Skips what says nearly the same as a statement already picked or `taken` from the same source, and adds
    what it picks to `taken`. The result is in the order of sources, the best of each first.
    """
    queues: dict[int, list[Scored]] = {}
    for scored in ranked:
        queues.setdefault(scored.evidence.number, []).append(scored)
    firsts = {number: queue[0].score for number, queue in queues.items()}
    picked: list[SourceStatement] = []
    for turn in range(per_source):
        for number, queue in queues.items():
            if len(picked) >= limit:
                break
            threshold = firsts[number] * (_SHARE_OF_FIRST if turn else 0)
            chosen = _next(queue, threshold, taken)
            if chosen is not None:
                picked.append(chosen)
                taken.append(chosen)
    return tuple(picked)


def pick_best(
    ranked: Iterable[Scored], *, limit: int, taken: list[SourceStatement]
) -> tuple[SourceStatement, ...]:
    """The best `limit` statements of any source, without repeats; adds what it picks to `taken`."""
    picked: list[SourceStatement] = []
    for scored in ranked:
        if len(picked) >= limit:
            break
        if not any(_repeats(scored.evidence, other) for other in taken):
            picked.append(scored.evidence)
            taken.append(scored.evidence)
    return tuple(picked)


def _next(queue: list[Scored], threshold: float, taken: list[SourceStatement]) -> SourceStatement | None:
    """Take the first statement off the queue that is good enough and new."""
    while queue and queue[0].score >= threshold:
        candidate = queue.pop(0).evidence
        if not any(_repeats(candidate, other) for other in taken):
            return candidate
    return None


def _repeats(candidate: SourceStatement, other: SourceStatement) -> bool:
    # Two sources that say the same are evidence; one source that says it twice is padding.
    if candidate.number == other.number and not candidate.kind.is_data:
        return alike(candidate.stems, other.stems)
    return (candidate.number, candidate.text) == (other.number, other.text)
