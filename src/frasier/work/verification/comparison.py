"""A statement beside the sources that it cites: what they share in words, numbers and dates. Pure."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from frasier.kernel.dates import DateMention, find_dates, masked_dates
from frasier.kernel.dictionaries import is_common_word
from frasier.kernel.language import content_stems, function_words, words_of
from frasier.kernel.names import capitalised_words, identifiers_in, names_in, nouns_in_german
from frasier.kernel.number_mentions import Bound, NumberMention
from frasier.kernel.quantities import find_quantities, units_in
from frasier.kernel.source_units import (
    Sources,
    SourceText,
    SourceUnit,
    squeezed,
)
from frasier.kernel.unit_names import CLOCK
from frasier.work.verification.bare_days import bare_days, has_bare_day, months_of
from frasier.work.verification.calculations import Calculation, find_calculations
from frasier.work.verification.facts import (
    counts_things,
    gives_date,
    has_word,
    is_date_part,
    parts_of,
    rounds_to,
    states,
    unit_is_named,
)
from frasier.work.verification.other_names import (
    countries_in,
    is_abbreviated,
    is_abbreviated_day,
    is_in_handle,
    is_spelt_out,
)
from frasier.work.verification.said_before import NOTHING_BEFORE, SaidBefore
from frasier.work.verification.statements import Statement

_CARRYING = 0.35  # of the words and facts of a statement: what has as much can contradict it
_DECIMAL_MARKS = {"english": "."} | dict.fromkeys(
    ("german", "spanish", "french", "italian", "portuguese", "dutch"), ","
)
_CAPITALISED_BEFORE = re.compile(r"\b([A-ZÄÖÜ][^\W\d_]+)\s$")
_BEGINS = re.compile(r"(?:^|[.!?:*]\s*)[\s*-]*$")
_SUPERLATIVE = re.compile(r"[^\W\d_]{2,}(?:st|ßt|tzt)e[rsnm]?", re.IGNORECASE)  # "Größter Hebel"
_VERSION = re.compile(r"^v\.?(?=\d)", re.IGNORECASE)  # of "v2.10.3"
_NEAREST = 3
_MEASURED = ("currency", "percent", "length", "mass", "area", "volume", "energy", "power")
_SMALL = 12  # a number up to it may be any in a source
_LONG_WORD = 7  # letters
_BEGINNING = 4  # letters that inflected forms of a word share
_OPERAND_UNITS = 5
_CANDIDATES = 100
_FACT_WEIGHT = 2.0


class Comparison:
    """A statement beside the units of the sources that it cites, and what its text says before it."""

    def __init__(
        self,
        statement: Statement,
        cited: Sequence[SourceText],
        sources: Sources,
        language: str | None,
        before: SaidBefore = NOTHING_BEFORE,
    ) -> None:
        self.statement = statement
        self.text = statement.text
        self.cited = {source.number: source for source in cited}
        self.sources = sources
        self.language = language
        self.before = before.referred_to_by(self.text)
        self.units = [unit for source in cited for unit in source.units if not unit.is_head]

    @cached_property
    def is_foreign(self) -> bool:
        """Whether no cited source is in the language of the statement, so that words cannot be compared."""
        known = {source.told_language for source in self.cited.values()} - {None}
        return bool(known) and self.language is not None and self.language not in known

    @cached_property
    def stems(self) -> Mapping[str, float]:
        """The weight of each content word of the statement: rare ones say more of what it is about."""
        words = [word for word in words_of(self.text) if not units_in(word)]
        frequencies, units = self.sources.frequencies, self.sources.count
        return {
            stem: 1 + math.log(units / frequencies[stem]) if frequencies[stem] else 1.0
            for stem in content_stems(words, self.language)
        }

    @cached_property
    def shared(self) -> Mapping[tuple[int, int], float]:
        """The share of the statement's words that each unit has; what it stands under and beside counts half."""
        total = sum(self.stems.values()) or 1.0
        return {unit_key(unit): self._words_in(unit) / total for unit in self.units}

    def _words_in(self, unit: SourceUnit) -> float:
        return sum(
            weight * (1.0 if stem in unit.stems else 0.5 if stem in unit.stems_around else 0.0)
            for stem, weight in self.stems.items()
        )

    @cached_property
    def nearest(self) -> Sequence[SourceUnit]:
        return sorted(self.units, key=lambda unit: -self.shared[unit_key(unit)])[:_NEAREST]

    @cached_property
    def predicate(self) -> Mapping[str, float]:
        """The weights without the names: what is said of those that are named."""
        named = {stem for name in self.names for stem in content_stems(words_of(name), self.language)}
        return {stem: weight for stem, weight in self.stems.items() if stem not in named}

    def coverage(self, units: Sequence[SourceUnit]) -> float:
        """The share of what the statement says that the units have together."""
        total = sum(self.predicate.values())
        together: frozenset[str] = frozenset()
        together = together.union(*(unit.stems | unit.stems_around for unit in units))
        return (
            sum(weight for stem, weight in self.predicate.items() if stem in together) / total
            if total
            else 1.0
        )

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """The stems of all cited sources."""
        return frozenset().union(*(unit.stems | unit.stems_around for unit in self.units))

    def is_known(self, word: str) -> bool:
        """Return whether the cited sources have words that begin as it and its parts do, or that end with it."""
        [whole, *_] = content_stems([word], self.language) or [word.casefold()]
        return any(known.endswith(whole) for known in self.vocabulary) or all(
            any(known.startswith(stem[: max(_BEGINNING, len(stem) - 2)]) for known in self.vocabulary)
            for part in word.split("-")
            for stem in content_stems([part], self.language)[:1] or [part.casefold()]
        )

    def is_compound_of_known(self, word: str) -> bool:
        """Return whether a German or Dutch word is made of one of the sources and a common one ("Nitrilhandschuhe").

        No name ends with a long common word ("Rücksicherung").
        """
        if self.language not in {"german", "dutch"}:
            return False
        folded = word.casefold()
        return any(
            is_common_word(folded[at:], self.language)
            and (
                len(folded) - at >= _LONG_WORD
                or any(known.startswith(folded[:at]) for known in self.vocabulary)
            )
            for at in range(_BEGINNING - 1, len(folded) - _BEGINNING + 1)
        )

    @cached_property
    def plain(self) -> str:
        """The statement with blanks in the place of its dates and of its numbers with their units."""
        text = masked_dates(self.text, self.dates)
        for quantity in self.quantities:
            text = text[: quantity.start] + "#" * (quantity.end - quantity.start) + text[quantity.end :]
        return text

    @cached_property
    def names(self) -> Sequence[str]:
        found = names_in(self.plain, german=self.language == "german")
        return list(dict.fromkeys([*found, *self.known_names]))

    @cached_property
    def placed_names(self) -> Sequence[str]:
        """The names and identifiers that the cited sources have."""
        names = [
            name
            for name in self.names
            if any(has_word(unit, part) for part in parts_of(name) for unit in self.units)
        ]
        return [*names, *(one for one in identifiers_in(self.plain) if self.occurs(one))]

    def has_in_other_form(self, name: str) -> bool:
        """Return whether the cited sources have a name as an abbreviation or spelt out, or a country in other words."""
        texts = [f"{source.title} {source.text}" for source in self.cited.values()]
        return (
            is_abbreviated(name, texts)
            or is_abbreviated_day(name, texts)
            or is_spelt_out(name, self.text, texts)
            or is_in_handle(name, self.text, texts)
            or any(not countries_in(name).isdisjoint(countries_in(text)) for text in texts)
        )

    @cached_property
    def known_names(self) -> Sequence[str]:
        """The words of the statement that any source of the text uses as a name."""
        known = self.sources.names
        if self.language == "german":
            known -= nouns_in_german(self.plain)
        return [
            word
            for word, start in capitalised_words(self.plain)
            if word.casefold() in known
            and not (self.language == "german" and is_german_noun(self.plain[:start], word))
        ]

    def occurs(self, identifier: str) -> bool:
        """Return whether a cited source has an identifier, but for blanks and hyphens; no more digits follow it."""
        identifier = _VERSION.sub("", identifier)
        pattern = re.compile(rf"{re.escape(squeezed(identifier))}(?!\d|\.\d)")
        as_written = re.compile(rf"(?<!\w){re.escape(identifier)}(?![\w-])", re.IGNORECASE)
        return any(
            pattern.search(source.squeezed) or as_written.search(source.text)
            for source in self.cited.values()
        )

    def has_name_with(self, quantity: NumberMention) -> bool:
        """Return whether a number and the word before it are a name of the sources: "Apache 2.0" for "Apache-2.0"."""
        before = re.search(r"[^\W\d_]{2,}[\s-]*$", self.text[: quantity.start])
        return before is not None and quantity.unit is None and self.occurs(before[0] + quantity.text)

    def names_words_of(self, text: str) -> bool:
        """Return whether the statement has a content word of a text, such as the name of a column."""
        return not self.stems.keys().isdisjoint(content_stems(words_of(text), self.language))

    @cached_property
    def dates(self) -> Sequence[DateMention]:
        """The dates of the statement, and its days without a month, if the sources have them."""
        found = find_dates(self.text)
        days = [date for date in bare_days(self.text, found) if self.has_date(date)]
        return sorted([*found, *days], key=lambda one: one.start)

    def has_date(self, date: DateMention) -> bool:
        """Return whether a cited source has a date, or its day where it names the month at another place."""
        return any(
            gives_date(unit, self.cited[unit.number], date)
            or has_bare_day(unit, self._months[unit.number], date)
            for unit in self.units
        )

    @cached_property
    def _months(self) -> Mapping[int, frozenset[tuple[int | None, int]]]:
        return {number: months_of(source) for number, source in self.cited.items()}

    @cached_property
    def quantities(self) -> Sequence[NumberMention]:
        mark = _DECIMAL_MARKS.get(self.language or "")
        return find_quantities(masked_dates(self.text, self.dates), decimal_mark=mark, language=self.language)

    @cached_property
    def calculations(self) -> Sequence[Calculation]:
        text = masked_dates(self.text, self.dates)
        return [self._with_units(calculation) for calculation in find_calculations(text, self.quantities)]

    def _with_units(self, calculation: Calculation) -> Calculation:
        """The calculation with the units that its operands have in the sources, where it only adds and subtracts."""
        units = {one.unit for one in calculation.operands if one.unit} | {
            found.unit
            for operand in calculation.operands
            for unit in self.holding[operand.start]
            for found in unit.quantities
            if found.unit and found.unit != CLOCK and states(found, operand)
        }
        result = calculation.result.unit if calculation.result else None
        wanted = {unit for unit in units if result is None or unit.comparable(result)}
        if result and result.dimension.startswith("currency ") and not wanted:
            wanted = {unit for unit in units if unit.dimension.startswith("currency ")}
        if not calculation.is_additive:
            return replace(calculation, operands=tuple(map(self._with_only_unit, calculation.operands)))
        if len(wanted) != 1:
            return calculation
        [unit] = wanted
        return replace(
            calculation, operands=tuple(replace(one, unit=one.unit or unit) for one in calculation.operands)
        )

    def _with_only_unit(self, operand: NumberMention) -> NumberMention:
        """An operand of several digits with the unit that each number has that it is in the sources, if it has none."""
        units = {one.unit for one in self.numbers_stated_by(operand)}
        if operand.unit or operand.values[0] <= _SMALL or len(units) != 1 or CLOCK in units:
            return operand
        return replace(operand, unit=units.pop())

    def numbers_stated_by(self, quantity: NumberMention) -> Sequence[NumberMention]:
        """The numbers of the sources that a number of the statement is."""
        return [
            one for unit in self.holding[quantity.start] for one in unit.quantities if states(one, quantity)
        ]

    @cached_property
    def holding(self) -> Mapping[int, Sequence[SourceUnit]]:
        """The units that state each number of the statement, by its place."""
        return {quantity.start: self._units_with(quantity) for quantity in self.quantities}

    def _units_with(self, quantity: NumberMention) -> list[SourceUnit]:
        exact = [unit for unit in self.units if self._has(unit, quantity, states)]
        if exact:
            return exact
        before = self.text[: quantity.start]
        dated = [unit for unit in self.units if is_date_part(quantity, unit, self.cited[unit.number], before)]
        return dated or [unit for unit in self.units if self._has(unit, quantity, self._rounds_to)]

    def _rounds_to(self, known: NumberMention, quantity: NumberMention) -> bool:
        """Whether a number is a rounded one of a source, which the statement, unless it says so, has not beside it."""
        return rounds_to(known, quantity) and (
            quantity.bound is not Bound.EXACT
            or not any(other is not quantity and states(known, other) for other in self.quantities)
        )

    def _has(
        self,
        unit: SourceUnit,
        quantity: NumberMention,
        agrees: Callable[[NumberMention, NumberMention], bool],
    ) -> bool:
        source, currency = self.cited[unit.number], self.sources.only_currency
        is_count = quantity.unit is None and counts_things(self.text, quantity.end)
        return any(
            agrees(one, quantity)
            and unit_is_named(source, unit, one, quantity, currency)
            and not (is_count and not unit.cells and one.dimension.startswith(_MEASURED))
            for one in unit.quantities
        )

    def evidence(self, unit: SourceUnit, without: NumberMention | None) -> float:
        """The weight of what a unit has of the statement, its numbers and dates included, but for one number."""
        facts = sum(
            unit in holding
            for start, holding in self.holding.items()
            if without is None or start != without.start
        )
        dates = sum(any(date.agrees_with(other) for other in unit.dates) for date in self.dates)
        identifiers = sum(identifier in unit.squeezed for identifier in self._identifiers)
        return self._words_in(unit) + _FACT_WEIGHT * (facts + dates + identifiers)

    @cached_property
    def _identifiers(self) -> Sequence[str]:
        return [squeezed(identifier) for identifier in identifiers_in(self.plain)]

    @cached_property
    def carrying(self) -> Sequence[SourceUnit]:
        """The units that share most of the words, numbers and dates of the statement, if they share much of them."""
        total = sum(self.stems.values()) + _FACT_WEIGHT * (len(self.quantities) + len(self.dates))
        near = self.by_evidence[:_NEAREST]
        return [unit for unit in near if self.evidence(unit, None) >= _CARRYING * total]

    @cached_property
    def by_evidence(self) -> Sequence[SourceUnit]:
        """The units in the order of what they share with the statement, words, numbers and dates."""
        return sorted(self.units, key=lambda unit: -self.evidence(unit, None))

    @cached_property
    def covering(self) -> Sequence[SourceUnit]:
        """The units that carry the statement together: each states a number, a date, an identifier or a word of it that
        those before it do not.
        """
        candidates = [unit for unit in self.by_evidence[:_CANDIDATES] if self.evidence(unit, None) > 0]
        shares = {unit_key(unit): self._weights_in(unit) for unit in candidates}
        chosen: list[SourceUnit] = []
        covered: set[object] = set()
        while candidates:
            added = [
                sum(w for of, w in shares[unit_key(unit)].items() if of not in covered) for unit in candidates
            ]
            best = added.index(max(added))
            if not added[best]:
                break
            chosen.append(candidates.pop(best))
            covered |= shares[unit_key(chosen[-1])].keys()
        return chosen

    def _weights_in(self, unit: SourceUnit) -> Mapping[object, float]:
        """The weight of each word and fact of the statement that a unit has itself."""
        facts = [start for start, holding in self.holding.items() if unit in holding]
        dates = [date for date in self.dates if any(date.agrees_with(other) for other in unit.dates)]
        identifiers = [one for one in self._identifiers if one in unit.squeezed]
        words: dict[object, float] = {
            stem: weight for stem, weight in self.stems.items() if stem in unit.stems
        }
        return {**words, **dict.fromkeys([*facts, *dates, *identifiers], _FACT_WEIGHT)}

    def contrasts(self, missing: Collection[str]) -> Sequence[SourceUnit]:
        """The units with another value where the statement has one of `missing`: another price, another weight."""
        wanted = [one.unit for one in self.quantities if one.unit and one.text in missing]
        return [
            unit
            for unit in self.by_evidence
            if any(one.unit and one.unit.comparable(other) for one in unit.quantities for other in wanted)
        ]

    @property
    def operand_units(self) -> Sequence[SourceUnit]:
        return self.by_evidence[:_OPERAND_UNITS]


def is_german_noun(before: str, word: str) -> bool:
    """Return whether a word is in the dictionary and no surname: in "Brandts Wunsch" the second word is none."""
    other = _CAPITALISED_BEFORE.search(before)
    is_in_name = (
        other is not None
        and not other[1].endswith("s")
        and other[1].casefold() not in function_words("german")
        and not _SUPERLATIVE.fullmatch(other[1])
        and not (_BEGINS.search(before[: other.start()]) and is_common_word(other[1], "german"))
    )
    return (is_common_word(word, "german") and not is_in_name) or bool(
        _SUPERLATIVE.fullmatch(word) and _BEGINS.search(before)
    )


def unit_key(unit: SourceUnit) -> tuple[int, int]:
    """Return what identifies a unit among those of all sources."""
    return unit.number, unit.order
