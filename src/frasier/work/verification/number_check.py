"""The check of the numbers and dates of a statement: they stand in its sources, or follow from what does. Pure."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import cached_property

from frasier.kernel.dates import DateMention
from frasier.kernel.names import identifiers_in
from frasier.kernel.quantities import NumberMention
from frasier.kernel.source_units import (
    SourceUnit,
)
from frasier.work.verification.comparison import Comparison
from frasier.work.verification.derivations import follows_from, is_later_date, is_span, is_total
from frasier.work.verification.facts import (
    counts_in,
    gives_date,
    rounds_to,
)
from frasier.work.verification.findings import Finding, FindingKind
from frasier.work.verification.rivals import Rivals

_RATIO_BEHIND = re.compile(
    r"\s?-?(?:(?P<times>times|mal|fach|fois|veces)|thirds?|quarters?|fifths?|tenths?|halves|drittel|viertel|zehntel|tiers|quarts?|tercios|cuartos)\b",
    re.IGNORECASE,
)
_NUMBER_WORD_LANGUAGES = frozenset({"english", "german", "french", "spanish"})
_COMPUTING = re.compile(
    r"\b(?:total\w*|sum\w*|together|altogether|combined|overall|difference|sav\w+|cheaper|dearer|more|less|fewer|higher|lower|twice"
    r"|double\w*|half|times|increase\w*|decrease\w*|rose|fell|grew|remain\w*|others?|rest|left|so|thus|insgesamt|zusammen|Summe"
    r"|Differenz|mehr|weniger|höher|niedriger|übrig\w*|restlich\w*|somit|also|ensemble|différence|plus|moins|autres|reste\w*|donc"
    r"|suma\w*|conjunto|diferencia|más|menos|otr[ao]s|rest\w+|quedan?|quedaban|average|mean|Durchschnitt|moyenne|media|promedio)\b|=",
    re.IGNORECASE,
)
_MANY_DIGITS = 1000  # what has as many digits is hardly computed from other numbers by chance
_RATIO_TOLERANCE = Decimal("0.1")
_COUNT_MAX = 20  # numbers up to it may count what stands in the sources
_OPERAND_MAX = 12  # numbers of things that a calculation may assume
_HUNDRED = Decimal(100)


class NumberCheck:
    """Finds the numbers and dates of a statement that its sources do not carry."""

    def __init__(self, comparison: Comparison) -> None:
        self._comparison = comparison
        self._rivals = Rivals(comparison)

    def missing_numbers(self) -> Iterator[Finding]:
        operands = {
            one.start for calculation in self._comparison.calculations for one in calculation.operands
        }
        for quantity in self._comparison.quantities:
            holding = self._comparison.holding[quantity.start]
            if quantity.is_word and quantity.values[0] == 1:
                continue  # an article as often as a number
            if self._is_in_title(quantity):
                continue
            if not self._unit_is_known(quantity):
                yield self._not_found(quantity)
            elif quantity.start in operands:
                if not self._is_operand(quantity) and not self._is_part_of_name(quantity):
                    yield Finding(kind=FindingKind.NUMBER, text=quantity.text)
            elif not holding:
                if quantity.values[0] <= _COUNT_MAX and not self._reads_number_words:
                    continue
                if not self._is_supported_otherwise(quantity):
                    yield self._not_found(quantity)
            elif (
                rival := self._rivals.rival(quantity, holding) or self._rivals.named_rival(quantity, holding)
            ) and not (
                self._is_calculated(quantity) or self._is_part_of_name(quantity) or self._is_count(quantity)
            ):
                yield Finding(kind=FindingKind.ELSEWHERE, text=quantity.text, against=rival)

    def _not_found(self, quantity: NumberMention) -> Finding:
        kind = FindingKind.UNIT if self._has_value(quantity) else FindingKind.NUMBER
        return Finding(kind=kind, text=quantity.text)

    @cached_property
    def _reads_number_words(self) -> bool:
        """Whether the number words of all cited sources are read."""
        return {source.language for source in self._comparison.cited.values()} <= _NUMBER_WORD_LANGUAGES | {
            None
        }

    def _unit_is_known(self, quantity: NumberMention) -> bool:
        """Whether a cited source names the currency of an amount; a currency is never computed from another."""
        if not quantity.dimension.startswith("currency "):
            return True
        named = {name for source in self._comparison.cited.values() for name in source.unit_names}
        return quantity.unit is None or quantity.unit.name in named or "cent" in named

    def _has_value(self, quantity: NumberMention) -> bool:
        """Whether a source has the number, without a unit."""
        values = [
            value
            for unit in self._comparison.units
            for one in unit.quantities
            if unit.cells
            for value in one.values
        ]
        return quantity.unit is not None and any(value in values for value in quantity.values)

    def _is_operand(self, quantity: NumberMention) -> bool:
        """Whether a number of a calculation is in the sources, counts few things, or is a percentage as a factor."""
        value = quantity.values[0]
        if (
            self._comparison.holding[quantity.start]
            or (value == int(value) and value <= _OPERAND_MAX)
            or value == _HUNDRED
        ):
            return True
        percents = [
            one
            for unit in self._comparison.units
            for one in unit.quantities
            if one.dimension in {"percent", ""}
        ]
        factors = {value * _HUNDRED, (value - 1) * _HUNDRED, (1 - value) * _HUNDRED}
        scaled = {value * 1000, value / 1000}  # in another unit than the source: kilograms for tonnes
        if any(
            one.unit and set(one.values) & scaled
            for unit in self._comparison.units
            for one in unit.quantities
        ):
            return True
        if any(factor == other for one in percents for other in one.values for factor in factors):
            return True
        [of, *_] = [
            one
            for one in self._comparison.calculations
            if any(used.start == quantity.start for used in one.operands)
        ]
        used = next(used for used in of.operands if used.start == quantity.start)
        unit = used.unit or (of.result.unit if of.is_additive and of.result else None)
        wanted = replace(quantity, unit=unit)
        if is_total(wanted, self._comparison.units):
            return True
        members = {one.start for one in of.operands} | ({of.result.start} if of.result else set())
        known = [
            one
            for one in self._comparison.quantities
            if self._comparison.holding[one.start] and one.start not in members
        ]
        known += [one for one in of.operands if one.start < quantity.start and self._is_operand(one)]
        if value / quantity.precision >= _MANY_DIGITS:
            known += [one for source in self._comparison.units for one in source.quantities]
        return follows_from(wanted, known, self._comparison.units)

    def _is_supported_otherwise(self, quantity: NumberMention) -> bool:
        """Whether the number is computed, is part of a name, or counts what stands in the sources."""
        if self._is_calculated(quantity) or any(
            rounds_to(one, quantity)
            for one in self._comparison.quantities
            if one is not quantity and one.unit and quantity.unit
        ):
            return True
        if quantity.unit is not None and not self._has_dimension(quantity):
            return False
        return (
            self._is_part_of_name(quantity)
            or self._is_count(quantity)
            or self._is_ratio(quantity)
            or self._is_span(quantity)
            or self._is_derived(quantity, self._comparison.operand_units)
            or is_total(quantity, self._comparison.units)
        )

    def _is_calculated(self, quantity: NumberMention) -> bool:
        """Whether a calculation that the statement writes out gives the number."""
        return self._has_dimension(quantity) and any(
            (calculation.result is not None and calculation.result.start == quantity.start)
            or (
                quantity.start not in {one.start for one in calculation.operands}
                and calculation.gives(quantity)
            )
            for calculation in self._comparison.calculations
        )

    def _has_dimension(self, quantity: NumberMention) -> bool:
        """Whether a cited source names a unit that the number could be computed in; shares need none."""
        if quantity.dimension in {"", "percent", "points"}:
            return True
        named = {unit.dimension for source in self._comparison.cited.values() for unit in source.units_named}
        return (
            quantity.dimension in named
            or any(
                quantity.unit is not None and quantity.unit.comparable(unit)
                for source in self._comparison.cited.values()
                for unit in source.units_named
            )
            or quantity.dimension in {"time", "months"}
        )

    def _is_part_of_name(self, quantity: NumberMention) -> bool:
        """Whether the number and the word before it are a name of the sources ("Apache 2.0" for "Apache-2.0")."""
        before = re.search(r"[^\W\d_]{2,}[\s-]*$", self._comparison.text[: quantity.start])
        return (
            before is not None
            and quantity.unit is None
            and self._comparison.occurs(before[0] + quantity.text)
        )

    def _is_in_title(self, quantity: NumberMention) -> bool:
        """Whether the number stands in the title of a cited source, by which the statement names it."""
        return any(
            match.start() <= quantity.start and quantity.end <= match.end()
            for source in self._comparison.cited.values()
            if source.title
            for match in re.finditer(re.escape(source.title), self._comparison.text)
        )

    def _is_count(self, quantity: NumberMention) -> bool:
        value = quantity.values[0]
        if quantity.unit is not None or not quantity.is_word or value > _COUNT_MAX or value != int(value):
            return False
        return int(value) in self._counts

    @cached_property
    def _counts(self) -> frozenset[int]:
        of = self._comparison
        named = [len(identifiers_in(of.plain)), len(of.names), len(of.dates), len(of.quantities) - 1]
        named += [len(calculation.operands) for calculation in of.calculations]
        return frozenset({*counts_in(self._comparison.units, frozenset(self._comparison.stems)), *named})

    def _is_derived(self, quantity: NumberMention, units: Sequence[SourceUnit]) -> bool:
        members = [one for calculation in self._comparison.calculations for one in calculation.operands]
        members += [calculation.result for calculation in self._comparison.calculations if calculation.result]
        stated = [one for one in self._comparison.quantities if self._comparison.holding[one.start]] + members
        stated = [one for one in stated if one.start != quantity.start]
        if quantity.unit is None and not _COMPUTING.search(self._comparison.text):
            return False
        return follows_from(quantity, stated, units)

    def _is_ratio(self, quantity: NumberMention) -> bool:
        """Whether a word tells a part ("two thirds"), or how often one number is in another ("four times as long")."""
        match = _RATIO_BEHIND.match(self._comparison.text, quantity.end) if quantity.is_word else None
        if match is None or match["times"] is None:
            return match is not None
        return any(
            second.values[0]
            and abs(first.values[0] * first.factor / (second.values[0] * second.factor) - quantity.values[0])
            < _RATIO_TOLERANCE
            for unit in self._comparison.operand_units
            for first, second in itertools.permutations(unit.quantities, 2)
            if first.comparable(second)
        )

    def _is_span(self, quantity: NumberMention) -> bool:
        clocks = [
            *self._comparison.quantities,
            *(one for unit in self._comparison.units for one in unit.quantities),
        ]
        dates = [
            *self._comparison.dates,
            *(date for unit in self._comparison.operand_units for date in unit.dates),
        ]
        return is_span(quantity, clocks, dates)

    @cached_property
    def _all_dates(self) -> Sequence[DateMention]:
        return [*self._comparison.dates, *(date for unit in self._comparison.units for date in unit.dates)]

    def missing_dates(self) -> Iterator[Finding]:
        for date in self._comparison.dates:
            holding = [
                unit
                for unit in self._comparison.units
                if gives_date(unit, self._comparison.cited[unit.number], date)
            ]
            durations = [
                *self._comparison.quantities,
                *(one for unit in self._comparison.operand_units for one in unit.quantities),
            ]
            if not holding and not is_later_date(
                date, durations, [one for one in self._all_dates if one is not date]
            ):
                yield Finding(kind=FindingKind.DATE, text=date.text)
