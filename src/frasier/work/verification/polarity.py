"""Negations: where a statement and the units that say the same differ in them. Pure.

1. A clause of the statement negates, and none of the units nearest to it negates or denies anything: it is added.
2. A clause of a unit nearest to the statement negates what a clause of the statement affirms: it is dropped.

Where no unit has enough of the words and facts of a clause, nothing is decided: it may be said in other words.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property

from frasier.kernel.language import stem_of
from frasier.kernel.source_units import SourceUnit
from frasier.work.verification.clauses import Clause, ClauseAligner, clause_stems, split_clauses
from frasier.work.verification.comparison import Comparison
from frasier.work.verification.polarity_words import (
    BOUNDS,
    COMPARISONS,
    DENIALS,
    FORBIDDING,
    LIMITS,
    NEGATIONS,
    WITH,
    WITHOUT,
)

ALIGNED = 0.35  # of the weight of a clause: the unit that has as much of it speaks of the same
_NEAR_UNITS = 3
_SAME_CLAUSE = 0.5  # of the weight of a clause
_WORDS_TO_COMPARISON = 2
_CALCULATION = re.compile(r"\W*(?:\w+\W+){0,3}?\d[\d.,'’ ]* ?[-+−×÷x/] \d[^=]*=")
_NEGATING_PREFIX = re.compile(r"^(?:un|in|im|ir|il|dis|non|des|dés)(?=\w{3})")
_NEGATIVE_VALUE = re.compile(
    r"(?:no|none|false|nein|non|nee|não|0(?:[.,]0+)?)(?: ?[€$£%]| EUR)?", re.IGNORECASE
)
_NEGATIVE_ANSWERS = {"no", "none", "false"}


class Polarity:
    """Compares a statement with its sources in what they negate."""

    def __init__(self, comparison: Comparison, aligner: ClauseAligner) -> None:
        self._comparison = comparison
        self._language = comparison.language
        self._aligner = aligner
        self._negation = NEGATIONS.pattern(self._language)
        self._without = WITHOUT.pattern(self._language)

    def added_negation(self) -> SourceUnit | None:
        """Return the unit nearest to a clause that negates what no unit as near negates or denies."""
        has_own_result = any(one.result is None for one in self._comparison.calculations)
        for clause in self._aligner.clauses:
            if not self._negation.search(clause.text):
                continue
            alignment = self._aligner.align(clause, self._negation)
            near = alignment.units
            if near and self._negates_calculation(clause.text):
                return near[0]
            # What a remark "(698 − 612)" computes is no number of a source, nor is what is said of it.
            if has_own_result or alignment.share < ALIGNED:
                continue
            if not self._negation.search(self._without.sub(" ", clause.text)):
                # "Without X" says nothing but that there is no X.
                missing = _stems_behind(self._without, clause.text, self._language)
                near = [unit for unit in self._comparison.units if not unit.stems.isdisjoint(missing)]
            if near and not any(self._denies(unit, clause) for unit in near):
                return near[0]
        return None

    def _negates_calculation(self, text: str) -> bool:
        return any(
            _CALCULATION.match(text, match.end()) and not self._without.match(match[0])
            for match in self._negation.finditer(text)
        )

    def _denies(self, unit: SourceUnit, clause: Clause) -> bool:
        """Whether a unit, or what it stands under, negates or denies; what negates a denial is no denial."""
        lead_in = unit.before if unit.before.rstrip().endswith(":") else ""
        above = " ".join([*unit.path, lead_in])
        negation = NEGATIONS.pattern(unit.language)
        if negation.search(unit.text) or negation.search(above) or FORBIDDING.is_in(above, unit.language):
            return True
        if FORBIDDING.is_in(self._negation.sub(" ", clause.text), self._language):
            return False
        return (
            DENIALS.is_in(unit.text, unit.language)
            or (self._negates_comparison(clause.text) and BOUNDS.is_in(unit.text, unit.language))
            or any(_NEGATIVE_VALUE.fullmatch(cell.text) for cell in unit.cells)
            or _has_opposite(unit, clause_stems(clause.text, self._language))
        )

    def _negates_comparison(self, text: str) -> bool:
        return any(
            COMPARISONS.is_in(" ".join(text[match.end() :].split()[:_WORDS_TO_COMPARISON]), self._language)
            for match in self._negation.finditer(text)
        )

    def dropped_negation(self) -> SourceUnit | None:
        """Return the unit near the statement that negates what a clause of the statement affirms.

        A result is the author's own: what the sources of its numbers negate is another matter.
        """
        alignment = self._aligner.align(self._aligner.whole, self._negation)
        if self._comparison.calculations or not alignment.units:
            return None
        if alignment.share >= ALIGNED:
            for unit in alignment.units[:_NEAR_UNITS]:
                if any(self._affirms(clause, unit.language) for clause in _negated_clauses(unit)):
                    return unit
        return self._negative_cell(alignment.units[0]) or self._added_with(alignment.units)

    def _affirms(self, clause: str, language: str | None) -> bool:
        """Whether the statement says, without a denial, most of what a clause of a source negates."""
        negated = set(clause_stems(NEGATIONS.pattern(language).sub(" ", clause), language))
        shared = negated & self._affirmed
        if not shared or not negated.isdisjoint(self._denied):
            return False
        return self._aligner.weight(shared) >= _SAME_CLAUSE * self._aligner.weight(negated) and (
            len(shared) > 1 or not self._affirmed.isdisjoint(_negated_stems(clause, language))
        )

    @cached_property
    def _affirmed(self) -> frozenset[str]:
        """The stems of the clauses that deny and limit nothing."""
        return frozenset(
            stem
            for clause in self._aligner.clauses
            if not any(words.is_in(clause.text, self._language) for words in (NEGATIONS, DENIALS, LIMITS))
            for stem in clause_stems(clause.text, self._language)
        )

    @cached_property
    def _denied(self) -> frozenset[str]:
        return frozenset(clause_stems(self._comparison.text, self._language)) - self._affirmed

    def _negative_cell(self, unit: SourceUnit) -> SourceUnit | None:
        """The unit, if it is a record that has "no" under a name that the statement affirms."""
        for cell in unit.cells:
            name = clause_stems(cell.head.replace("_", " "), unit.language)
            if name and cell.text.casefold() in _NEGATIVE_ANSWERS and self._affirmed.issuperset(name):
                return unit
        return None

    def _added_with(self, near: Sequence[SourceUnit]) -> SourceUnit | None:
        """A near unit that says "without X" where the statement says "with X"."""
        text = self._comparison.text
        if self._without.search(text):
            return None
        added = _stems_behind(WITH.pattern(self._language), text, self._language)
        return next(
            (
                unit
                for unit in near
                if added.intersection(_stems_behind(WITHOUT.pattern(unit.language), unit.text, unit.language))
            ),
            None,
        )


def _has_opposite(unit: SourceUnit, stems: Collection[str]) -> bool:
    """Whether a unit has one of the stems behind a prefix, such as "uncut" for "cut"."""
    return any(
        _NEGATING_PREFIX.match(word) and stem_of(_NEGATING_PREFIX.sub("", word), unit.language) in stems
        for word in unit.words
    )


def _stems_behind(pattern: re.Pattern[str], text: str, language: str | None) -> set[str]:
    """The first content word behind each match."""
    return {
        stem for match in pattern.finditer(text) for stem in clause_stems(text[match.end() :], language)[:1]
    }


def _negated_clauses(unit: SourceUnit) -> Iterator[str]:
    """The clauses of a unit that negate more than "without X"; of a record those in cells of more than two words."""
    parts = [cell.text for cell in unit.cells if len(cell.text.split()) > 2] if unit.cells else [unit.text]
    without = WITHOUT.pattern(unit.language)
    return (
        clause.text
        for part in parts
        for clause in split_clauses(part)
        if NEGATIONS.is_in(without.sub(" ", clause.text), unit.language)
    )


def _negated_stems(text: str, language: str | None) -> Iterator[str]:
    """The stem of the content word behind each negation of a clause, or before one that ends it."""
    for match in NEGATIONS.pattern(language).finditer(text):
        behind = clause_stems(text[match.end() :], language)
        before = clause_stems(text[: match.start()], language)
        yield from behind[:1] or before[-1:]
