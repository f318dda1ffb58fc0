"""The sentences of the available passages, and their relevance to a need."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from frasier.llm.prompt_inputs import Passage
from frasier.llm.providers.rehearsal.cues import OPEN_QUESTIONS
from frasier.llm.providers.rehearsal.needs import Need
from frasier.llm.providers.rehearsal.sentences import QuotableSpan, sentences
from frasier.llm.providers.rehearsal.stems import content_stems

# Below these shares of a need (by how many terms it has) a sentence only shares a word with the question.
_FLOOR = {0: 0.3, 1: 0.3, 2: 0.3, 3: 0.24}
_FLOOR_OF_LONG_NEEDS = 0.18
_SHARE_OF_BEST = 0.45
_SHARE_OF_BEST_WITH_CUE = 0.6
_QUESTION = 0.4
_LEAD = 1.3
_IN_ITS_SECTION = 1.3
_SALIENCE = 0.3
_KINDRED_MAX = 10
_KINDRED_USES = 0.4
_KINDRED_SHARED_MIN = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    sentence: QuotableSpan
    score: float


class Corpus:
    """All quotable sentences of some passages, with the statistics that relevance needs."""

    def __init__(self, passages: tuple[Passage, ...]) -> None:
        self.sentences = sentences(passages)
        self.titles = {p.number: p.title for p in reversed(passages)}
        texts = {s.heading for s in self.sentences} | set(self.titles.values())
        self._context = {text: frozenset(content_stems(text)) for text in sorted(texts)}
        self.idf = _inverse_frequencies(s.stems | self._around(s) for s in self.sentences)
        self._salience = _salience(self.sentences, self.idf)

    def numbers(self) -> tuple[int, ...]:
        """The numbers of the sources that have something to quote, ascending."""
        return tuple(sorted({s.number for s in self.sentences}))

    def relevance(self, need: Need, sentence: QuotableSpan) -> float:
        """The share of the need that the sentence meets, from 0 to 1."""
        return need.met_by(
            sentence.text,
            sentence.stems,
            heading=self._context[sentence.heading],
            title=self._context[self.titles[sentence.number]],
            idf=self.idf,
        )

    def ranked(self, need: Need, *, only: frozenset[int] = frozenset()) -> tuple[Scored, ...]:
        """The sentences that meet the need well enough, best first; `only` narrows the sources."""
        met = [(self.relevance(need, s), s) for s in self.sentences if not only or s.number in only]
        floors = _floors(need, met)
        matches = [
            Scored(sentence=s, score=share * self._standing(s) * self._fit(s, need))
            for share, s in met
            if share >= floors[s.number]
        ]
        return tuple(sorted(matches, key=lambda scored: (-scored.score, scored.sentence.order)))

    def _fit(self, sentence: QuotableSpan, need: Need) -> float:
        """A section that bears the subject's name knows more than a passing mention; a question answers nothing."""
        fit = 1.0
        if self._context[sentence.heading].issuperset(need.terms):
            fit = (_IN_ITS_SECTION if need.terms else 1.0) * (_LEAD if sentence.lead else 1.0)
        return fit * _QUESTION if sentence.asks and need.cue is not OPEN_QUESTIONS else fit

    def closest(
        self, need: Need, ranked: Sequence[Scored], *, only: frozenset[int] = frozenset()
    ) -> tuple[Scored, ...]:
        """Return the closest sentence of each source that has none among `ranked`, by the words shared with those.

        Sources name the same thing differently; statements shared by several lead to the words of the others.
        """
        speaking = {scored.sentence.number for scored in ranked}
        if len(speaking) < 2 or not need.terms:
            return ()
        kin = self._kindred_terms(need, ranked)
        nearest: dict[int, Scored] = {}
        for s in self.sentences:
            shared = [term for term in kin if term in s.stems]
            if s.number in speaking or len(shared) < _KINDRED_SHARED_MIN or (only and s.number not in only):
                continue
            score = sum(kin[term] for term in shared) * self._standing(s)
            if s.number not in nearest or score > nearest[s.number].score:
                nearest[s.number] = Scored(sentence=s, score=score)
        return tuple(nearest.values())

    def _kindred_terms(self, need: Need, ranked: Sequence[Scored]) -> dict[str, float]:
        """The words that at least two sources use when they speak of the need, and seldom otherwise."""
        carriers: dict[str, set[int]] = {}
        uses: Counter[str] = Counter()
        for scored in ranked:
            for term in scored.sentence.stems - set(need.terms):
                carriers.setdefault(term, set()).add(scored.sentence.number)
                uses[term] += 1
        everywhere = Counter(term for s in self.sentences for term in s.stems)
        kin = {
            term: self.idf[term]
            for term in sorted(carriers)
            if len(carriers[term]) >= 2 and uses[term] >= _KINDRED_USES * everywhere[term]
        }
        return dict(
            sorted(kin.items(), key=lambda item: (-len(carriers[item[0]]) * item[1], item[0]))[:_KINDRED_MAX]
        )

    def meets(self, need: Need) -> bool:
        """Whether any sentence meets the need."""
        return any(self.relevance(need, s) >= _floor(need) for s in self.sentences)

    def _around(self, sentence: QuotableSpan) -> frozenset[str]:
        return self._context[sentence.heading] | self._context[self.titles[sentence.number]]

    def _standing(self, sentence: QuotableSpan) -> float:
        return sentence.quality * (1 + _SALIENCE * self._salience[sentence.order])


def _floors(need: Need, met: Sequence[tuple[float, QuotableSpan]]) -> dict[int, float]:
    """Return the share of the need that a sentence of each source must meet.

    A sentence that only looks like an answer counts if its source has none by name; one that only shares a word with
    the question counts nowhere once a source answers it in full.
    """
    best: dict[int, float] = {}
    for share, sentence in met:
        best[sentence.number] = max(share, best.get(sentence.number, 0.0))
    if need.cue:
        return {number: max(_floor(need), share * _SHARE_OF_BEST_WITH_CUE) for number, share in best.items()}
    overall = max(best.values(), default=0.0)
    return dict.fromkeys(best, max(_floor(need), overall * _SHARE_OF_BEST))


def _floor(need: Need) -> float:
    return _FLOOR.get(len(need.terms), _FLOOR_OF_LONG_NEEDS)


def _inverse_frequencies(documents: Iterable[frozenset[str]]) -> dict[str, float]:
    counts: Counter[str] = Counter()
    size = 0
    for stems in documents:
        counts.update(stems)
        size += 1
    return {term: math.log(1 + (size - n + 0.5) / (n + 0.5)) for term, n in counts.items()}


def _salience(sentences: tuple[QuotableSpan, ...], idf: dict[str, float]) -> list[float]:
    """Score how much each sentence concerns the main subject of its source, from 0 to 1."""
    frequent: dict[int, Counter[str]] = {}
    for sentence in sentences:
        frequent.setdefault(sentence.number, Counter()).update(sentence.stems)
    raw = [
        sum(sorted((frequent[s.number][t] - 1) * idf[t] for t in s.stems)) / (len(s.stems) + 4)
        for s in sentences
    ]
    highest = max(raw, default=0.0)
    return [value / highest if highest else 0.0 for value in raw]
