"""The statements nearest to a question, by the words they share in any form and by the kind of their values.

What they say need not answer it. They are quoted apart from the answers, so it is better to show one too many.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from frasier.llm.providers.rehearsal.cues import CUES
from frasier.llm.providers.rehearsal.evidence import SourceStatement
from frasier.llm.providers.rehearsal.needs import Need
from frasier.llm.providers.rehearsal.questions import subject_and_cue
from frasier.llm.providers.rehearsal.stems import is_identifier, is_kin, keywords, stem

_KIN = 0.8
_SYNONYM = 0.5
_BESIDE = 0.7
_IN_ABOUT = 0.3
_OF_QUESTION_BEFORE = 0.5
_IDENTIFIER = 2.0
_KIND = 0.5
_ENDING_CHARS_MIN = 5
_FAILS = 0.5
_WEIGHT_OF_UNKNOWN = 1.0


@dataclass(frozen=True, kw_only=True)
class Vocabulary:
    """The stems of some statements and of what stands around them, with their weights, and their languages."""

    weights: Mapping[str, float]
    languages: frozenset[str | None]

    def matches(self, words: Iterable[str]) -> Mapping[str, Sequence[tuple[str, float]]]:
        """Return for each stem the words that it is a form, a relative or another name of, with their likeness."""
        found: defaultdict[str, list[tuple[str, float]]] = defaultdict(list)
        for word in words:
            forms = {stem(word, language) for language in self.languages} | {stem(word)}
            synonyms = frozenset().union(
                *(cue.triggers for cue in CUES if cue.has_value and not forms.isdisjoint(cue.triggers))
            )
            for one in self.weights:
                likeness = 1.0 if one in forms else _KIN if any(_is_kin(form, one) for form in forms) else 0.0
                likeness = likeness or (_SYNONYM if one in synonyms else 0.0)
                if likeness:
                    found[one].append((word, likeness))
        return found


def _is_kin(first: str, second: str) -> bool:
    """Return whether one word is the beginning or the end of the other: "course" and "Spanish-course"."""
    if first.isdigit() or second.isdigit():
        return False
    ends = first.endswith(second) or second.endswith(first)
    return is_kin(first, second) or (ends and min(len(first), len(second)) >= _ENDING_CHARS_MIN)


@dataclass(frozen=True, kw_only=True)
class Nearness:
    """A measure of how near statements come to a need."""

    need: Need
    weights: Mapping[str, float]
    matches: Mapping[str, Sequence[tuple[str, float]]]

    @classmethod
    def of(cls, need: Need, vocabulary: Vocabulary) -> Nearness:
        subject, _ = subject_and_cue(need.question)
        words = dict.fromkeys((*keywords(subject), *need.words), 1.0)
        words |= {word: _OF_QUESTION_BEFORE for word in need.within if word not in words}
        matches = vocabulary.matches(words)
        weights = {}
        for word, share in words.items():
            known = [
                vocabulary.weights[one]
                for one, found in matches.items()
                for other, likeness in found
                if other == word and likeness == 1.0
            ]
            weight = min(known, default=_WEIGHT_OF_UNKNOWN) * share
            weights[word] = weight * (_IDENTIFIER if is_identifier(word) else 1)
        return cls(need=need, weights=weights, matches=matches)

    def score(self, evidence: SourceStatement) -> float:
        """Return the weight of the words that a statement shares with the question; all are near one without words."""
        if not self.weights:
            return 1.0
        shares: dict[str, float] = {}
        around = evidence.heading_stems | evidence.head_stems
        for stems, share in ((evidence.stems, 1.0), (around, _BESIDE), (evidence.about_stems, _IN_ABOUT)):
            for one in stems & self.matches.keys():
                for word, likeness in self.matches[one]:
                    shares[word] = max(shares.get(word, 0.0), likeness * share)
        total = sum(self.weights[word] * share for word, share in shares.items())
        if self.need.has_value(evidence):
            total += _KIND * max(self.weights.values(), default=1.0)
        if evidence.kind.is_data and any(self.need.fails(evidence, c) for c in self.need.conditions):
            total *= _FAILS
        return total
