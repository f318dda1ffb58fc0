"""The clauses of a text, and the units of the sources that speak of the same as a clause of a statement. Pure."""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from frasier.kernel.dates import masked_dates
from frasier.kernel.language import content_stems, function_words, words_of
from frasier.kernel.quantities import units_in
from frasier.kernel.source_units import SourceUnit
from frasier.work.verification.comparison import Comparison
from frasier.work.verification.polarity_words import CONJUNCTIONS, NEGATIONS

_BRACKET = r"(?<!\w)\(|(?<!\w\(\w)(?<!\w\(\w\w)\)"  # not those of "dB(A)", which belong to the word
_AROUND = 0.5  # the weight of a word that stands above or beside a unit
_FACT_WEIGHT = 2.0
_COMPOUND_PART_MIN = 5
_LABEL_WORDS_MAX = 5
_SENTENCE_WORDS_MIN = 8
_AS_NEAR = 0.75  # of what the nearest unit has of a clause


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a text between two marks such as commas, or between words such as "but"."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Alignment:
    """The units that have about as much of a clause as the nearest one, nearest first, and the share that this has."""

    share: float
    units: Sequence[SourceUnit]


@cache
def _clause_mark(language: str | None) -> re.Pattern[str]:
    words = CONJUNCTIONS.alternatives_of(language)
    return re.compile(
        rf"[,;:!?|–—]\s|(?<!\bNo)(?<!\bNr)\.\s|{_BRACKET}|(?<!\d )(?<!\bnicht )(?<!\bnothing )\b(?:{words})\b",
        re.IGNORECASE,
    )


def split_clauses(text: str, language: str | None) -> Iterator[Clause]:
    """Split a text into its clauses, in order."""
    start = 0
    for mark in [*_clause_mark(language).finditer(text), None]:
        end = mark.start() if mark else len(text)
        if text[start:end].strip():
            yield Clause(start, end, text[start:end])
        start = mark.end() if mark else end


def clause_stems(text: str, language: str | None) -> list[str]:
    """Return the stems of the words of a clause that are neither units nor function words of its language."""
    ignored = function_words(language)
    words = [word for word in words_of(text) if word.casefold() not in ignored and not units_in(word)]
    return content_stems(words, language)


def forms_of(stem: str, vocabulary: Collection[str]) -> Collection[str]:
    """Return a stem, or where the vocabulary lacks it the compounds that it is a part of, and the parts that it has."""
    if stem in vocabulary or len(stem) < _COMPOUND_PART_MIN:
        return {stem}
    return {
        other for other in vocabulary if stem in other or (len(other) >= _COMPOUND_PART_MIN and other in stem)
    }


def _is_label(clause: Clause, text: str) -> bool:
    """Whether the first clause only heads a sentence: "Do not settle alone: …"; the value of a field is shorter."""
    behind = text[clause.end :]
    return (
        behind.startswith(": ")
        and len(clause.text.split()) <= _LABEL_WORDS_MAX
        and len(behind.split()) >= _SENTENCE_WORDS_MIN
    )


def _with_lone_negations(clauses: Sequence[Clause], comparison: Comparison) -> Iterator[Clause]:
    """The clauses, with one that only negates as the end of the one before it: "at night however not"."""
    negation = NEGATIONS.pattern(comparison.language)
    for clause, following in itertools.zip_longest(clauses, clauses[1:]):
        if negation.fullmatch(clause.text.strip(" .")) and clause is not clauses[0]:
            continue
        is_negated = following is not None and negation.fullmatch(following.text.strip(" ."))
        end = following.end if is_negated else clause.end
        yield Clause(clause.start, end, comparison.text[clause.start : end] if is_negated else clause.text)


class ClauseAligner:
    """Finds the units that have the words, numbers and dates of a clause of a statement."""

    def __init__(self, comparison: Comparison) -> None:
        self._comparison = comparison
        clauses = list(split_clauses(masked_dates(comparison.text, comparison.dates), comparison.language))
        has_label = len(clauses) > 1 and _is_label(clauses[0], comparison.text)
        self.clauses = list(_with_lone_negations(clauses[1:] if has_label else clauses, comparison))
        self.whole = Clause(0, len(comparison.text), comparison.text)

    def align(self, clause: Clause, ignored: re.Pattern[str] | None = None) -> Alignment:
        """Return the units nearest to a clause without the words of a pattern."""
        text = ignored.sub(" ", clause.text) if ignored else clause.text
        stems = set(clause_stems(text, self._comparison.language))
        quantities = [one for one in self._comparison.quantities if clause.start <= one.start < clause.end]
        dates = [one for one in self._comparison.dates if clause.start <= one.start < clause.end]
        total = self.weight(stems) + _FACT_WEIGHT * (len(quantities) + len(dates))
        forms = {stem: forms_of(stem, self._comparison.vocabulary) for stem in stems}
        evidence = []
        for unit in self._comparison.units:
            facts = sum(unit in self._comparison.holding[one.start] for one in quantities)
            facts += sum(any(date.agrees_with(other) for other in unit.dates) for date in dates)
            # A record says what the names of its columns do; the head of a table says nothing of its own.
            own = unit.placed_stems.keys() if unit.cells else unit.stems
            inside = {stem for stem in stems if not own.isdisjoint(forms[stem])}
            beside = {stem for stem in stems - inside if not unit.stems_around.isdisjoint(forms[stem])}
            words = self.weight(inside) + _AROUND * self.weight(beside)
            evidence.append((words + _FACT_WEIGHT * facts, unit))
        evidence.sort(key=lambda one: -one[0])
        best = evidence[0][0] if evidence else 0.0
        if not best:
            return Alignment(0.0, ())
        return Alignment(best / total, [unit for weight, unit in evidence if weight >= _AS_NEAR * best])

    def weight(self, stems: Collection[str]) -> float:
        """Return how much the stems say of what the statement is about."""
        return sum(self._comparison.stems.get(stem, 1.0) for stem in stems)
