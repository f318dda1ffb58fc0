"""Negations: where a statement and the units that say the same differ in them. Pure.

1. A clause of the statement negates, and none of the units nearest to it negates or denies anything: it is added.
2. A clause of a unit nearest to the statement negates what a clause of the statement affirms: it is dropped.

Where no unit has enough of the words and facts of a clause, nothing is decided: it may be said in other words.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterator
from functools import cached_property

from frasier.kernel.dates import masked_dates
from frasier.kernel.language import stem_of
from frasier.kernel.language_words import WordList
from frasier.kernel.source_subjects import is_address
from frasier.kernel.source_units import SourceUnit
from frasier.work.verification.clauses import Alignment, Clause, ClauseAligner, clause_stems, split_clauses
from frasier.work.verification.comparison import Comparison
from frasier.work.verification.polarity_words import (
    BOUNDS,
    COMPARISONS,
    DENIALS,
    EXCEEDING,
    FORBIDDING,
    LIMITS,
    NEGATIONS,
    SINCE,
    UNTIL,
    WITH,
    WITHOUT,
)

ALIGNED = 0.35  # of the weight of a clause: the unit that has as much of it speaks of the same
_NEAR_UNITS = 3
_SAME_CLAUSE = 0.5  # of the weight of a clause
_SAME_WORDS = 0.6  # of the weights of both clauses
_SAME_NEGATED = 0.6
_NEARLY_ALL = 0.7
_CLAUSE_STEMS_MIN = 2
_CONTRAST_WORDS = 4
_WORDS_TO_COMPARISON = 2
_CALCULATION = re.compile(r"\W*(?:\w+\W+){0,3}?\d[\d.,'’ ]* ?[-+−×÷x/] \d[^=]*=")
_NEGATING_PREFIX = re.compile(r"^(?:un|in|im|ir|il|dis|non|des|dés)(?=\w{3})")
_WITHOUT_AMOUNT = re.compile(r"\s+(?:[^\W\d_]{1,5}\s+)?[€$£]?\d")
_NEGATIVE_VALUE = re.compile(
    r"(?:no|none|false|nein|non|nee|não|0(?:[.,]0+)?)(?: ?[€$£%]| EUR)?", re.IGNORECASE
)
_NONE_OF = re.compile(r"(?<![\w.,:/-])0 [^\W\d_]{3}")  # "0 failed"
_OUT_OF = re.compile(r"\s(?:(?:out )?of|von|der|sur|des|de|dei|delle|van|dos|das)\s(?:[^\W\d_]+\s)?\d")
_ZERO_VALUE = re.compile(r"0(?:\s+#|$)")  # of a setting, with or without a remark
_ZERO = re.compile(
    r"(?<![\d.,])0(?!\d|[.,]\d)|\b(?:zero|null|zéro|cero|nul|free|gratis|kostenlos)\b", re.IGNORECASE
)
_CORRECTION = re.compile(r"\b(?:but|sondern|mais|sino|ma|bensì|maar|mas)\b")
_NE_QUE = re.compile(r"\bn(?:e\b|['’])[^,;]*?\bqu(?:e\b|['’])")  # French for "only"
_NO_LATER = re.compile(
    r"\b(?:no later than|not later than|nicht später als|pas plus tard que|no más tarde (?:de|que)|non più tardi di"
    r"|niet later dan)\b",
    re.IGNORECASE,
)  # it says when, as "by" does
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
            if not self._negation.search(_NE_QUE.sub(" ", clause.text)) or self._is_contrast(clause):
                continue
            if self._has_result(clause):
                continue
            alignment = self._aligner.align(clause, self._negation)
            near = alignment.units or self._comparison.by_evidence
            if near and (self._negates_calculation(clause.text) or self._negates_result(clause)):
                return near[0]
            near = [unit for unit in alignment.units if not is_address(unit)]
            # What a remark "(698 − 612)" computes is no number of a source, nor is what is said of it.
            if has_own_result or not self._is_aligned(alignment, clause):
                continue
            if not self._negation.search(self._without.sub(" ", clause.text)):
                # "Without X" says nothing but that there is no X, or that X was subtracted.
                if any("-" in each.operators for each in self._comparison.calculations):
                    continue
                if _WITHOUT_AMOUNT.match(clause.text, self._end_of_without(clause.text)):
                    continue
                missing = _stems_behind(self._without, clause.text, self._language)
                near = [
                    unit
                    for unit in self._comparison.units
                    if not (unit.placed_stems.keys() if unit.cells else unit.stems).isdisjoint(missing)
                ]
            if near and not any(self._denies(unit, clause) for unit in near) and not self._is_negated(clause):
                return near[0]
        return None

    def _has_result(self, clause: Clause) -> bool:
        """Whether a clause has a part of a whole that no source has: "14 of the 588 have not paid" of 574 that have."""
        of = self._comparison
        return any(
            clause.start <= one.start < clause.end
            and not of.holding[one.start]
            and _OUT_OF.match(of.text, one.end)
            for one in of.quantities
        )

    def _is_contrast(self, clause: Clause) -> bool:
        """Whether a clause only names what is not meant: "Ms Barrow, not Mr Barlow, signs"."""
        text = clause.text.strip()
        negation = self._negation.match(text)
        if negation is None:
            return False
        is_other_number = re.match(r"\s\d", text[negation.end() :])  # "16 weeks, not 12 as before"
        return len(text.split()) <= _CONTRAST_WORDS or bool(is_other_number)

    def _is_negated(self, clause: Clause) -> bool:
        """Whether any unit negates much of what the clause does, though others have more of its names and facts."""
        focus = set(_negated_stems(clause.text, self._language))
        named = {stem for name in self._comparison.names for stem in clause_stems(name, self._language)}
        stems = set(clause_stems(self._negation.sub(" ", clause.text), self._language))
        stems = stems - named if len(stems) > 2 else stems
        wanted = _SAME_NEGATED * self._aligner.weight(stems)
        return any(
            self._aligner.weight(stems.intersection(clause_stems(negated, self._language_of(unit)))) >= wanted
            or not focus.isdisjoint(_negated_stems(negated, self._language_of(unit)))
            for unit in self._comparison.units
            if not stems.isdisjoint(unit.stems)
            for negated in _negated_clauses(unit, self._language_of(unit))
        )

    def _end_of_without(self, text: str) -> int:
        return max((match.end() for match in self._without.finditer(text)), default=0)

    def _is_aligned(self, alignment: Alignment, clause: Clause) -> bool:
        """Whether the nearest unit has much of a clause, or all its numbers and dates, in other words."""
        if alignment.share >= ALIGNED:
            return True
        quantities = [one for one in self._comparison.quantities if clause.start <= one.start < clause.end]
        dates = [one for one in self._comparison.dates if clause.start <= one.start < clause.end]
        telling = [one for one in quantities if one.unit or not one.is_word]
        return bool(telling or dates) and any(
            all(unit in self._comparison.holding[one.start] for one in quantities)
            and all(any(date.agrees_with(other) for other in unit.dates) for date in dates)
            for unit in alignment.units[:1]
        )

    def _negates_result(self, clause: Clause) -> bool:
        """Whether a negation stands before the result of a calculation that the statement writes out."""
        negation = self._negation.search(clause.text)
        if negation is None or self._without.match(negation[0]) or self._negates_comparison(clause.text):
            return False
        operands = {one.start for each in self._comparison.calculations for one in each.operands}
        return any(
            calculation.gives(one)
            for calculation in self._comparison.calculations
            for one in self._comparison.quantities
            if clause.start + negation.end() <= one.start < clause.end and one.start not in operands
        )

    def _negates_calculation(self, text: str) -> bool:
        return any(
            _CALCULATION.match(text, match.end()) and not self._without.match(match[0])
            for match in self._negation.finditer(text)
        )

    def _denies(self, unit: SourceUnit, clause: Clause) -> bool:
        """Whether a unit, or what it stands under, negates or denies; what negates a denial is no denial."""
        lead_in = unit.before if unit.before.rstrip().endswith(":") else ""
        above = " ".join([*unit.path, lead_in, *(cell.head.replace("_", " ") for cell in unit.cells)])
        language = self._language_of(unit)
        negation = NEGATIONS.pattern(language)
        if negation.search(unit.text) or negation.search(above) or FORBIDDING.is_in(above, language):
            return True
        if FORBIDDING.is_in(self._negation.sub(" ", clause.text), self._language):
            return False
        return (
            self._has_other_denial(unit, clause)
            or (self._negates_comparison(clause.text, unit) and BOUNDS.is_in(unit.text, language))
            or self._negates_comparison(clause.text, unit, UNTIL)
            or any(_NEGATIVE_VALUE.fullmatch(cell.text) for cell in unit.cells)
            or bool(_NONE_OF.search(unit.text))
            or (len(unit.fields) == 1 and bool(_ZERO_VALUE.match(unit.fields[0].text)))
            or _has_opposite(unit, clause_stems(clause.text, self._language))
        )

    def _language_of(self, unit: SourceUnit) -> str | None:
        """The language of a unit; a log or a record, of which none is known, has words of the statement's."""
        return unit.language or self._language

    def _has_other_denial(self, unit: SourceUnit, clause: Clause) -> bool:
        """Whether a unit denies with a word that the clause has not: "changed" does not deny "was not changed"."""
        language = self._language_of(unit)
        stems = set(clause_stems(clause.text, self._language))
        return any(
            stems.isdisjoint(clause_stems(match[0], language))
            for match in DENIALS.pattern(language).finditer(unit.text)
        )

    def _negates_comparison(
        self, text: str, unit: SourceUnit | None = None, words: WordList = COMPARISONS
    ) -> bool:
        """Whether a negation stands before a comparison, which a unit, if one is given, does not make itself."""
        for match in self._negation.finditer(text):
            behind = " ".join(text[match.end() :].split()[:_WORDS_TO_COMPARISON])
            comparison = words.pattern(self._language).search(behind)
            if comparison and not (unit and comparison[0].casefold() in unit.text.casefold()):
                return True
        return False

    def dropped_negation(self) -> SourceUnit | None:
        """Return the unit near the statement that negates what a clause of the statement affirms.

        A result is the author's own: what the sources of its numbers negate is another matter.
        """
        alignment = self._aligner.align(self._aligner.whole, self._negation)
        is_computed = self._comparison.calculations or not all(self._comparison.holding.values())
        if is_computed or not alignment.units:
            return None
        if alignment.share >= ALIGNED:
            for unit in alignment.units[:_NEAR_UNITS]:
                language = self._language_of(unit)
                if any(
                    self._affirms(clause, language)
                    for clause in _plainly_negated_clauses(unit, language)
                    if not SINCE.is_in(clause, language)
                ):
                    return unit
        return self._affirmed_clause() or self._negative_cell(alignment.units[0]) or self._added_with()

    def _affirmed_clause(self) -> SourceUnit | None:
        """The unit nearest to a clause of the statement, if it negates what this affirms in about the same words."""
        for clause in self._aligner.clauses:
            if self._is_limited(clause):
                continue
            stems = set(clause_stems(clause.text, self._language))
            alignment = self._aligner.align(clause)
            if len(stems) < _CLAUSE_STEMS_MIN or alignment.share < _SAME_CLAUSE:
                continue
            for unit in alignment.units[:1]:
                language = self._language_of(unit)
                for negated in _plainly_negated_clauses(unit, language):
                    said = set(clause_stems(NEGATIONS.pattern(language).sub(" ", negated), language))
                    shared = self._aligner.weight(said & stems)
                    focus = set(_negated_stems(negated, language))
                    if (
                        len(said & stems) > 1
                        and not focus.isdisjoint(stems)
                        and shared
                        >= _SAME_WORDS * max(self._aligner.weight(said), self._aligner.weight(stems))
                    ):
                        return unit
        return None

    def _is_limited(self, clause: Clause) -> bool:
        return any(words.is_in(clause.text, self._language) for words in (NEGATIONS, DENIALS, LIMITS))

    def _affirms(self, clause: str, language: str | None) -> bool:
        """Whether the statement says, without a denial, most of what a clause of a source negates."""
        negated = set(clause_stems(NEGATIONS.pattern(language).sub(" ", clause), language))
        shared = negated & self._affirmed
        focus = set(_negated_stems(clause, language))
        if not shared or not negated.isdisjoint(self._denied):
            return False
        # "The Trust not before 1 October", "above the limit" of "not more than 20"
        is_limit = _negates_limit(clause, language)
        if is_limit and (negated <= self._named or EXCEEDING.is_in(self._comparison.text, self._language)):
            return False
        # What is negated must be affirmed, unless nearly all of the clause is: "not a rat's but a badger's burrow".
        is_all = self._aligner.weight(shared) >= _NEARLY_ALL * self._aligner.weight(negated)
        if focus and focus.isdisjoint(self._affirmed) and not is_all:
            return False
        return self._aligner.weight(shared) >= _SAME_CLAUSE * self._aligner.weight(negated) and (
            len(shared) > 1
            or (len(negated) == 1 and not self._affirmed.isdisjoint(_negated_stems(clause, language)))
        )

    @cached_property
    def _affirmed(self) -> frozenset[str]:
        """The stems of the clauses that deny and limit nothing."""
        return frozenset(
            stem
            for clause in self._aligner.clauses
            if not self._is_limited(clause)
            for stem in clause_stems(clause.text, self._language)
        )

    @cached_property
    def _named(self) -> frozenset[str]:
        """The stems of the names: of them alone nothing is said."""
        names = self._comparison.names
        return frozenset(stem for name in names for stem in clause_stems(name, self._language))

    @cached_property
    def _denied(self) -> frozenset[str]:
        return frozenset(clause_stems(self._comparison.text, self._language)) - self._affirmed

    def _negative_cell(self, unit: SourceUnit) -> SourceUnit | None:
        """The unit, if it is a record that has "no" under a name that the statement affirms."""
        for cell in unit.cells:
            name = clause_stems(cell.head.replace("_", " "), self._language_of(unit))
            is_negative = cell.text.casefold() in _NEGATIVE_ANSWERS or (
                _NEGATIVE_VALUE.fullmatch(cell.text) and not _ZERO.search(self._comparison.text)
            )
            if (
                name
                and is_negative
                and self._affirmed.issuperset(name)
                and not self._has_field(cell.head, cell.text)
            ):
                return unit
        return None

    def _has_field(self, name: str, value: str) -> bool:
        """Whether the statement itself has a name with its value: "Paid: no"."""
        field = rf"(?<!\w){re.escape(name)}\s*[:=–-]\s*{re.escape(value)}(?!\w)"
        return re.search(field, self._comparison.text, re.IGNORECASE) is not None

    def _added_with(self) -> SourceUnit | None:
        """The unit that says "without X" where the statement says "with X", if none says this."""
        text = self._comparison.text
        if self._without.search(text):
            return None
        added = _stems_behind(WITH.pattern(self._language), text, self._language)
        units = self._comparison.units
        said = {
            stem
            for unit in units
            for stem in _stems_behind(
                WITH.pattern(self._language_of(unit)), unit.text, self._language_of(unit)
            )
        }
        for unit in units:
            language = self._language_of(unit)
            if (added - said) & _stems_behind(WITHOUT.pattern(language), unit.text, language):
                return unit
        return None


def _negates_limit(text: str, language: str | None) -> bool:
    """Whether a comparison follows a negation at once."""
    return any(
        COMPARISONS.pattern(language).match(text[match.end() :].lstrip())
        for match in NEGATIONS.pattern(language).finditer(text)
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


def _negated_clauses(unit: SourceUnit, language: str | None) -> Iterator[str]:
    """The clauses of a unit that negate more than "without X"; of a record those in cells of more than two words."""
    parts = [cell.text for cell in unit.cells if len(cell.text.split()) > 2]
    if not unit.cells:
        parts = [masked_dates(unit.text, unit.dates)]
    without = WITHOUT.pattern(language)
    for part in parts:
        clauses = list(split_clauses(part, language))
        for clause, following in itertools.zip_longest(clauses, clauses[1:]):
            text = _NO_LATER.sub(" ", _NE_QUE.sub(" ", without.sub(" ", clause.text)))
            if NEGATIONS.is_in(text, language):
                between = part[clause.end : following.start if following else clause.end]
                is_corrected = bool(_CORRECTION.search(between))
                yield _behind_negation(clause.text, language) if is_corrected else clause.text


def _plainly_negated_clauses(unit: SourceUnit, language: str | None) -> Iterator[str]:
    """The clauses that negate once: "not without an agreement" demands one."""
    return (text for text in _negated_clauses(unit, language) if not WITHOUT.is_in(text, language))


def _behind_negation(text: str, language: str | None) -> str:
    """The end of a clause from its last negation on: "not of rats" of "The burrow is not of rats, but of a badger"."""
    last = max(NEGATIONS.pattern(language).finditer(text), key=lambda match: match.start())
    return text[last.start() :]


def _negated_stems(text: str, language: str | None) -> Iterator[str]:
    """The stem of the content word behind each negation of a clause, or before one that ends it."""
    for match in NEGATIONS.pattern(language).finditer(text):
        behind = clause_stems(text[match.end() :], language)
        before = clause_stems(text[: match.start()], language)
        yield from behind[:1] or before[-1:]
