"""The check of the numbers and dates of a statement: they stand in its sources, or follow from what does. Pure."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import cached_property

from frasier.kernel.number_mentions import Bound, NumberMention
from frasier.kernel.number_words import LANGUAGES, value_of_word
from frasier.kernel.unit_names import CLOCK
from frasier.work.verification.calculation_words import COMPUTING
from frasier.work.verification.comparison import Comparison
from frasier.work.verification.conversions import (
    in_whole_currency,
    is_at_rate,
    is_converted,
    is_in_other_currency,
    is_unit_rate,
)
from frasier.work.verification.date_check import is_beside_its_date, is_stated_span
from frasier.work.verification.derivations import (
    follows_from,
    is_factor_of,
    is_price_of_several,
    is_span,
    is_sum_or_difference,
    is_total,
)
from frasier.work.verification.facts import is_year, rounds_to, states
from frasier.work.verification.findings import Finding, FindingKind
from frasier.work.verification.implied_numbers import ImpliedNumbers
from frasier.work.verification.operands import Operands
from frasier.work.verification.other_forms import (
    is_below_zero,
    is_in_other_form,
    is_in_title,
    is_other_of_kind,
    names_both,
)
from frasier.work.verification.placement import Placement
from frasier.work.verification.row_check import is_in_place_of_another
from frasier.work.verification.row_groups import RowGroups
from frasier.work.verification.shares import Shares
from frasier.work.verification.statements import StatementKind

_LIST_BEHIND = re.compile(r"(?P<before>[^,:;(–.]{0,80}?)\s?[,:(–]\s?(?P<items>(?:[^;.)]|\.(?=\d))+)")
_COLON_BEHIND = re.compile(r"[^,:;(–.]{0,40}:")  # "two estimates: €265,000 of May and €290,000 of January"
_BRACKETS_BEHIND = re.compile(r"[^\d().;]{0,60}\([^()]+\)")  # "three issues (one in A and two in B)"
_COMMA = re.compile(r",\s")
_LIST_MARK = re.compile(r",\s|\s(?:and|or|und|oder|et|ou|y|o|e|en|of)\s")
_WORDS_MAX = 20  # numbers up to it are mostly written as words
_TEN = Decimal(10)
_HUNDRED = Decimal(100)
_MANY_DIGITS = 10_000  # times the last digit: what is as long follows from no other numbers by chance
_DAY = 24 * 60 * 60
_UNDERSTOOD = frozenset({"", "percent", "points", "time", "months", "area"})


class NumberCheck:
    """Finds the numbers and dates of a statement that its sources do not carry."""

    def __init__(self, comparison: Comparison, placement: Placement) -> None:
        self._comparison = comparison
        self._placement = placement
        self._shares = Shares(comparison)
        self._operands = Operands(comparison, self._shares)
        self._row_groups = RowGroups(comparison)
        self._implied = ImpliedNumbers(comparison, self._row_groups)

    def missing_numbers(self) -> Iterator[Finding]:
        for quantity in self._comparison.quantities:
            if self._is_ignored(quantity):
                continue
            if (
                not self._unit_is_known(quantity)
                or is_other_of_kind(quantity, self._comparison)
                or self._has_other_unit(quantity)
                or self._replaces_one_of_record(quantity)
            ):
                yield self._not_found(quantity)
            elif quantity.start in self._operands.starts:
                if not (
                    self._operands.is_carried(quantity)
                    or self._comparison.has_name_with(quantity)
                    or self._is_said_before(quantity)
                    or self._is_computed_before(quantity, digits=_TEN)
                    or self._is_implied(quantity)
                ):
                    yield Finding(kind=FindingKind.NUMBER, text=quantity.text)
            elif not (
                self._comparison.holding[quantity.start]
                or self._is_unread(quantity)
                or self._is_supported_otherwise(quantity)
                or self._is_implied(quantity)
            ):
                yield self._not_found(quantity)
        for quantity in self.placed_numbers():
            if against := self._placement.contradiction_of_number(quantity):
                yield Finding(kind=FindingKind.ELSEWHERE, text=quantity.text, against=against)

    def computed_numbers(self) -> Iterator[NumberMention]:
        """Yield the numbers that no source has: what the statement computes, if it is right."""
        for quantity in self._comparison.quantities:
            held = self._comparison.holding[quantity.start] or quantity.start in self._operands.starts
            if not (held or self._is_ignored(quantity)):
                yield quantity

    def _is_computed_before(self, quantity: NumberMention, *, digits: Decimal = _HUNDRED) -> bool:
        """Whether an earlier statement of the text has computed the number, which has many digits."""
        return any(
            one.values[0] / one.precision >= digits and (states(one, quantity) or rounds_to(one, quantity))
            for one in self._comparison.before.computed
        )

    def _is_said_before(self, operand: NumberMention) -> bool:
        """Whether the statement has computed an operand before: "30 at €29 are €870, three times 2,610 (3 × 870)"."""
        of = self._comparison
        known = [
            one for one in of.quantities if of.holding[one.start] and one.start not in self._operands.starts
        ]
        return any(
            is_price_of_several(one, known) or self._shares.is_part_or_difference(one, known)
            for one in of.quantities
            if one.values[0] == operand.values[0] and one.end <= operand.start
        )

    def _is_ignored(self, quantity: NumberMention) -> bool:
        """Whether it is an article as often as a number, "the two", or a part of the title of a source."""
        return bool(
            (quantity.is_word and quantity.values[0] == 1)
            or names_both(quantity, self._comparison.text)
            or is_below_zero(quantity, self._comparison.text)
            or is_in_title(quantity, self._comparison)
        )

    def placed_numbers(self) -> Iterator[NumberMention]:
        """Yield the numbers that the sources have, and that must stand there beside what stands beside them here."""
        for quantity in self._comparison.quantities:
            if (
                not self._is_ignored(quantity)
                and self._unit_is_known(quantity)
                and quantity.start not in self._operands.starts
                and self._comparison.holding[quantity.start]
                and not self._is_placed_otherwise(quantity)
                and not self._is_unread(quantity)
            ):
                yield quantity

    def stated_numbers(self) -> Iterator[NumberMention]:
        """Yield the numbers that the sources have themselves, operands of calculations included."""
        for quantity in self._comparison.quantities:
            if not (
                self._is_ignored(quantity)
                or self._is_calculated(quantity)
                or self._shares.is_said_difference(quantity, self._stated_beside(quantity))
                or is_unit_rate(quantity, self._stated_beside(quantity), self._comparison.text)
            ):
                yield quantity

    def stated_apart(self) -> Iterator[NumberMention]:
        """Yield those of them that the statement does not compare with another number."""
        is_compared = self._shares.is_compared
        return (one for one in self.stated_numbers() if not is_compared(one, self._stated_beside(one)))

    def _is_placed_otherwise(self, quantity: NumberMention) -> bool:
        """Whether the number may stand apart from the words around it."""
        return (
            self._comparison.is_foreign
            or quantity.values[0] == 1
            or self._is_calculated(quantity)
            or self._comparison.has_name_with(quantity)
            or self._is_listed(quantity)
            or self._shares.is_in_percentage(quantity)
            or (quantity.dimension == "percent" and self._follows_from_stated(quantity))
            or is_stated_span(quantity, self._comparison)
            or self._operands.include(quantity)
            or self._is_computed_with(quantity)
            or (
                self._computes and self._shares.is_part_or_difference(quantity, self._stated_beside(quantity))
            )
            or self._shares.is_said_difference(quantity, self._stated_beside(quantity))
            or self._shares.is_compared(quantity, self._stated_beside(quantity))
            or is_beside_its_date(quantity, self._comparison)
            or is_unit_rate(quantity, self._stated_beside(quantity), self._comparison.text)
            or is_factor_of(quantity, self._stated_beside(quantity))
            or is_total(quantity, self._comparison.units)
            or (
                self._shares.is_factor(quantity)
                and self._shares.is_ratio_of(quantity, self._stated_beside(quantity))
            )
        )

    def _is_computed_with(self, quantity: NumberMention) -> bool:
        """Whether the statement computes with it a number that no source has: "178 would be 42 % of those 419"."""
        of = self._comparison
        others = self._stated_beside(quantity)
        return any(
            follows_from(result, (quantity, other), ())
            or is_at_rate(result, (quantity, other), of.text)
            or self._shares.is_fraction_of(result, quantity, other)
            for result in of.quantities
            if not of.holding[result.start]
            for other in others
        )

    def _has_other_unit(self, quantity: NumberMention) -> bool:
        """Whether the sources have the number with another unit of its kind (25 years), and nowhere with its own."""
        if quantity.unit is None or self._is_calculated(quantity) or self._is_span(quantity):
            return False
        measured = [one for unit in self._comparison.units for one in unit.quantities if one.unit is not None]
        return not any(states(one, quantity) or rounds_to(one, quantity) for one in measured) and any(
            one.unit != quantity.unit
            and one.comparable(quantity)
            and not set(one.values).isdisjoint(quantity.values)
            for one in measured
        )

    def _replaces_one_of_record(self, quantity: NumberMention) -> bool:
        """Whether the statement is a row, and a number of it stands in the place of one of its record."""
        return not self._is_calculated(quantity) and any(
            is_in_place_of_another(quantity, unit, self._comparison)
            for unit in filter(self._placement.has_key_of_row, self._comparison.units)
        )

    def _is_total(self, quantity: NumberMention) -> bool:
        """Whether it is the total or the mean of a column: one of few digits, where a computation or it is named."""
        is_any = self._computes_freely or quantity.values[0] / quantity.precision >= _HUNDRED
        return is_total(quantity, self._comparison.units, None if is_any else self._comparison.names_words_of)

    def _not_found(self, quantity: NumberMention) -> Finding:
        kind = FindingKind.UNIT if self._has_value(quantity) else FindingKind.NUMBER
        return Finding(kind=kind, text=quantity.text)

    def _is_unread(self, quantity: NumberMention) -> bool:
        """Whether a cited source may have the number as a word that is not read."""
        word = quantity.text.casefold()
        # A word that is a number in one language alone is not read in a source whose language is unknown.
        if (
            quantity.is_word
            and value_of_word(word) is None
            and any(word in unit.words for unit in self._comparison.units)
        ):
            return True
        return quantity.values[0] <= _WORDS_MAX and any(
            source.language is not None and source.language not in LANGUAGES
            for source in self._comparison.cited.values()
        )

    def _unit_is_known(self, quantity: NumberMention) -> bool:
        """Whether a cited source names the currency of an amount; a currency is never computed from another."""
        if not quantity.dimension.startswith("currency "):
            return True
        if quantity.unit is None or self._is_understood(quantity):
            return True
        of = self._comparison
        named = {name for source in of.cited.values() for name in source.unit_names}
        are_of_any = of.sources.only_currency is None and not any(one.currencies for one in of.cited.values())
        return quantity.unit.name in named or ("cent" in named and are_of_any)

    def _is_understood(self, quantity: NumberMention) -> bool:
        """Whether an amount is in the only currency of all sources, and the cited ones name none."""
        of = self._comparison
        return (
            quantity.unit is not None
            and quantity.unit.name == of.sources.only_currency
            and not any(source.currencies for source in of.cited.values())
        )

    def _has_value(self, quantity: NumberMention) -> bool:
        """Whether a record has the number, without a unit."""
        return quantity.unit is not None and any(
            not set(one.values).isdisjoint(quantity.values)
            for unit in self._comparison.units
            if unit.cells
            for one in unit.quantities
        )

    def _is_supported_otherwise(self, quantity: NumberMention) -> bool:
        """Whether the number is computed, is part of a name, or counts what the statement lists."""
        if self._is_calculated(quantity) or any(
            rounds_to(one, quantity)
            for one in self._comparison.quantities
            if one is not quantity
            and one.unit
            and quantity.unit
            and (quantity.bound is not Bound.EXACT or self._is_calculated(one))
        ):
            return True
        if self._row_groups.are_counted_by(quantity) or self._is_total(quantity):
            return True
        if quantity.unit is not None and not self._has_dimension(quantity):
            return is_in_other_form(quantity, self._comparison)
        return (
            is_in_other_form(quantity, self._comparison)
            or self._is_computed_before(quantity)
            or self._comparison.has_name_with(quantity)
            or self._is_listed(quantity)
            or self._shares.is_ratio_of(quantity, self._stated_beside(quantity))
            or self._shares.is_product(quantity)
            or self._shares.is_stated_part(quantity)
            or self._shares.is_worded_share(quantity)
            or self._shares.is_part_or_difference(quantity, self._stated_beside(quantity))
            or self._shares.is_difference_behind(quantity)
            or self._shares.is_sum_of_listed(quantity)
            or self._shares.is_sum_of_parts(quantity)
            or self._shares.is_for_both(quantity, self._stated_beside(quantity))
            or self._shares.is_mean_of_stated(quantity)
            or self._shares.is_complement(quantity)
            or is_converted(quantity, self._stated_beside(quantity), self._comparison)
            or self._is_in_cents(quantity)
            or self._operands.repeats(quantity)
            or self._is_span(quantity)
            or (quantity.dimension == "percent" and self._follows_from_stated(quantity))
            or is_sum_or_difference(quantity, self._stated_beside(quantity), with_bare=self._computes)
            or is_price_of_several(quantity, self._stated_beside(quantity))
            or self._follows(quantity, self._stated_beside(quantity))
        )

    def _is_implied(self, quantity: NumberMention) -> bool:
        has_dimension = quantity.unit is None or self._has_dimension(quantity)
        return has_dimension and self._implied.include(quantity)

    def _is_in_cents(self, quantity: NumberMention) -> bool:
        """Whether a number of cents is the sum or the difference of two amounts, or a stated part of one."""
        whole = in_whole_currency(quantity)
        return whole is not None and self._shares.is_part_or_difference(whole, self._stated_beside(quantity))

    def _follows(self, quantity: NumberMention, stated: Sequence[NumberMention]) -> bool:
        """Whether it is computed from others; one of many digits needs no word that tells so."""
        if self._computes_freely:
            return follows_from(quantity, stated, self._comparison.operand_units)
        digits = quantity.values[0] / quantity.precision
        near = self._comparison.operand_units if digits >= _MANY_DIGITS else ()
        return digits >= _HUNDRED and follows_from(quantity, stated, near)

    @cached_property
    def _computes(self) -> bool:
        """Whether the words of the statement tell that it computes; a row has no words for it."""
        of = self._comparison
        return of.statement.kind is StatementKind.ROW or bool(COMPUTING.search(of.text))

    @cached_property
    def _computes_freely(self) -> bool:
        """Whether it computes, and is no row of a record: of that the sources have the numbers."""
        return self._computes and not any(map(self._placement.has_key_of_row, self._comparison.units))

    def _follows_from_stated(self, quantity: NumberMention) -> bool:
        return follows_from(quantity, self._stated_beside(quantity), ()) or (
            quantity.dimension == "percent"
            and any(follows_from(quantity, pair, ()) for pair in self._shares.proportions)
        )

    def _stated_beside(self, quantity: NumberMention) -> Sequence[NumberMention]:
        """The other numbers that the sources have, or that belong to a calculation, and those that it refers to."""
        stated = [one for one in self._supported if one.start != quantity.start]
        return [*stated, *self._comparison.before.numbers]

    @cached_property
    def _supported(self) -> Sequence[NumberMention]:
        of = self._comparison
        members = [one for calculation in of.calculations for one in calculation.operands]
        members += [calculation.result for calculation in of.calculations if calculation.result]
        others = [
            one
            for one in of.quantities
            if one.start not in {member.start for member in members}
            and (
                of.holding[one.start]
                or self._is_calculated(one)
                or self._is_computed_before(one)
                or is_total(one, of.units)
            )
        ]
        known = [*others, *members]
        if self._computes:  # "40 % of 46,000, that is 18,400, in 24 rates of 767"
            known += [one for one in of.quantities if one not in known and follows_from(one, known, ())]
        return known

    def _is_calculated(self, quantity: NumberMention) -> bool:
        """Whether a calculation that the statement writes out gives the number."""
        return self._has_dimension(quantity) and any(
            (calculation.result is not None and calculation.result.start == quantity.start)
            or (
                quantity.start not in {one.start for one in calculation.operands}
                and calculation.gives(quantity)
            )
            for calculation in self._comparison.calculations
            if not is_in_other_currency(quantity, calculation, self._comparison)
        )

    def _has_dimension(self, quantity: NumberMention) -> bool:
        """Whether a cited source names a unit that the number could be computed in; shares and durations need none."""
        is_understood = quantity.dimension in _UNDERSTOOD or self._is_understood(quantity)
        return is_understood or any(
            quantity.unit is not None and quantity.unit.comparable(unit)
            for source in self._comparison.cited.values()
            for unit in source.units_named
        )

    def _is_listed(self, quantity: NumberMention) -> bool:
        """Whether the number counts what the statement lists behind it ("three (A, B and C)"), or calculates with."""
        if quantity.unit is not None or (value := quantity.values[0]) == 1:
            return False
        groups = (calculation.operands for calculation in self._comparison.calculations)
        if any(len(group) == value or any(value in one.values for one in group) for group in groups):
            return True
        units = [one.unit for one in self._comparison.quantities if one.start > quantity.end and one.unit]
        if _COLON_BEHIND.match(self._comparison.text, quantity.end) and value in Counter(units).values():
            return True
        parts = _BRACKETS_BEHIND.match(self._comparison.text, quantity.end)
        if parts and value == sum(
            one.values[0] for one in self._comparison.quantities if parts.start() <= one.start < parts.end()
        ):
            return True
        behind = _LIST_BEHIND.match(self._comparison.text, quantity.end)
        return behind is not None and value in {
            len(mark.findall(behind["items"])) + 1 for mark in (_LIST_MARK, _COMMA)
        }

    def _is_span(self, quantity: NumberMention) -> bool:
        of = self._comparison
        stated = [one for one in of.quantities if one.unit == CLOCK]
        durations = [one for one in of.quantities if one.dimension == "time"]
        is_between = len(stated) == len(durations) + 1 == 2  # "from 05:58 to 07:20, 82 minutes"
        clocks = [*of.quantities, *(one for unit in of.units for one in unit.quantities if not is_between)]
        clocks += [  # from 22:47 to 03:12
            replace(last, values=(last.values[0] + _DAY,))
            for first, last in itertools.pairwise(stated)
            if last.values[0] < first.values[0]
        ]
        near = of.operand_units[:2]
        return is_span(
            quantity,
            clocks,
            [*of.dates, *(one for one in of.quantities if is_year(one))],
            [
                *of.before.dates,
                *(date for unit in near for date in unit.dates),
                *(one for unit in near for one in unit.quantities if is_year(one)),
            ],
        )

    def wrong_shares(self) -> Iterator[Finding]:
        return self._shares.wrong_shares(self._operands.starts)
