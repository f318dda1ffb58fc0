"""The operands of the calculations that a statement writes out: whether its sources carry them. Pure."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import cached_property

from frasier.kernel.dates import month_called
from frasier.kernel.language import words_of
from frasier.kernel.number_mentions import NumberMention
from frasier.work.verification.calculations import MAGNITUDES
from frasier.work.verification.comparison import Comparison
from frasier.work.verification.derivations import (
    follows_from,
    is_product_in_record,
    is_step_in_column,
    is_sum_in_record,
    is_total,
)
from frasier.work.verification.facts import states
from frasier.work.verification.shares import Shares

_SMALL = 12  # numbers of things that a calculation may assume
_MANY_DIGITS = 1000  # what has as many digits is hardly computed from other numbers by chance
_NO_LEAP_YEAR = 2001
_FEW = 3  # numbers of a unit that a calculation takes the sum or the difference of
_HUNDRED = Decimal(100)
_OF_TIME = frozenset({24, 52, 60, 365})  # hours of a day, weeks of a year, minutes of an hour, days of a year


class Operands:
    """The numbers that a statement calculates with."""

    def __init__(self, comparison: Comparison, shares: Shares) -> None:
        self._comparison = comparison
        self._shares = shares

    @cached_property
    def starts(self) -> frozenset[int]:
        """The places of the operands in the statement."""
        return frozenset(
            one.start for calculation in self._comparison.calculations for one in calculation.operands
        )

    def include(self, quantity: NumberMention) -> bool:
        """Return whether a number is one of them, also without its thousands: of 1,400,000 the 1,400 or the 1.4."""
        return any(
            value in {operand * factor for factor in (1, *MAGNITUDES)}
            for calculation in self._comparison.calculations
            for one in calculation.operands
            for operand in one.values
            for value in quantity.values
        )

    def repeats(self, quantity: NumberMention) -> bool:
        """Return whether a number is one that the statement calculates with, and is carried: "5 days (5 × 900)"."""
        return any(
            one.values[0] == quantity.values[0]
            and self._can_be_in_unit(one, quantity)
            and self.is_carried(one)
            for calculation in self._comparison.calculations
            for one in calculation.operands
        )

    def _can_be_in_unit(self, operand: NumberMention, quantity: NumberMention) -> bool:
        """Whether an operand is small, or neither it nor each number of the sources that it is has another unit."""
        if operand.unit and quantity.unit and not states(operand, quantity):
            return False
        held = self._comparison.numbers_stated_by(operand)
        return operand.values[0] <= _SMALL or not held or any(states(one, quantity) for one in held)

    def is_carried(self, quantity: NumberMention) -> bool:
        """Return whether an operand is in the sources, counts few things, or is a percentage as a factor."""
        value = quantity.values[0]
        if (
            self._comparison.holding[quantity.start]
            or (value == int(value) and value <= _SMALL)
            or value == _HUNDRED
            or (self._scales(quantity) and (value in _OF_TIME or self._is_length_of_month(value)))
        ):
            return True
        if any(
            one.values[0] in {value * factor for factor in MAGNITUDES}
            for one in self._comparison.quantities
            if one.start not in self.starts
        ):
            return True
        factors = {value * _HUNDRED, (value - 1) * _HUNDRED, (1 - value) * _HUNDRED}
        scaled = {value * factor for factor in MAGNITUDES}  # without its thousands: 1,400 for 1,400,000
        for unit in self._comparison.units:
            for one in unit.quantities:
                if not scaled.isdisjoint(one.values):
                    return True
                if one.unit and value / MAGNITUDES[0] in one.values:  # in another unit: kilograms for tonnes
                    return True
                if one.dimension in {"percent", ""} and not factors.isdisjoint(one.values):
                    return True
        return self._is_computed(quantity)

    def _scales(self, quantity: NumberMention) -> bool:
        """Whether the calculation of an operand multiplies or divides."""
        return any(
            not one.is_additive and any(used.start == quantity.start for used in one.operands)
            for one in self._comparison.calculations
        )

    def _is_length_of_month(self, days: Decimal) -> bool:
        """Whether a month that the statement names has so many days."""
        months = (
            date for word in words_of(self._comparison.text) for date in month_called(word.capitalize())
        )
        return any(
            reading.month is not None and days == monthrange(reading.year or _NO_LEAP_YEAR, reading.month)[1]
            for date in (*self._comparison.dates, *months)
            for reading in date.readings
        )

    def _is_computed(self, quantity: NumberMention) -> bool:
        """Whether a number of a calculation is itself a total, or computed from what stands before it."""
        [of, *_] = [
            one
            for one in self._comparison.calculations
            if any(used.start == quantity.start for used in one.operands)
        ]
        used = next(used for used in of.operands if used.start == quantity.start)
        wanted = replace(
            quantity, unit=used.unit or (of.result.unit if of.is_additive and of.result else None)
        )
        others = [one for one in self._comparison.calculations if one is not of]
        records = [unit for unit in self._comparison.units if unit.cells]
        is_of_record = any(
            is_product_in_record(wanted, one) or is_sum_in_record(wanted, one) for one in records
        )
        if (
            is_of_record
            or is_step_in_column(wanted, records)
            or is_total(wanted, records)
            or any(
                one.gives(wanted) or (one.result is not None and one.result.values == wanted.values)
                for one in others
            )
        ):
            return True
        members = {one.start for one in of.operands} | ({of.result.start} if of.result else set())
        known = [
            one
            for one in self._comparison.quantities
            if self._comparison.holding[one.start] and one.start not in members
        ]
        known += [
            one
            for each in self._comparison.calculations
            for one in each.operands
            if one.start < quantity.start and self.is_carried(one)
        ]
        if quantity.values[0] / quantity.precision >= _MANY_DIGITS:
            known += [one for source in self._comparison.units for one in source.quantities]
        return follows_from(wanted, known, self._comparison.units) or any(
            self._shares.is_part_or_difference(wanted, alike)
            for unit in self._comparison.units
            for alike in _by_unit(unit.quantities)
            if len(alike) <= _FEW
        )


def _by_unit(quantities: Sequence[NumberMention]) -> Iterator[list[NumberMention]]:
    """The numbers of each unit, and all of them."""
    yield list(quantities)
    for wanted in {one.unit for one in quantities}:
        yield [one for one in quantities if one.unit == wanted]
