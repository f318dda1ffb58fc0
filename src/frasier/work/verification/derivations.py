"""Numbers that follow from the numbers of the sources: sums, differences, shares, products, totals of columns. Pure."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from decimal import Decimal

from frasier.kernel.dates import DateMention
from frasier.kernel.quantities import NumberMention
from frasier.kernel.source_units import SourceUnit
from frasier.kernel.unit_names import CLOCK
from frasier.work.verification.calculations import is_rounded

_MINUTE, _DAY = 60, 86400
_DAYS_A_MONTH = Decimal("30.44")
_HUNDRED = Decimal(100)
_YEARS = range(1900, 2100)
_SMALL = 12  # what is no more may follow from too many numbers by chance
_OPERANDS_MAX = 120


def is_span(quantity: NumberMention, clocks: Iterable[NumberMention], dates: Iterable[DateMention]) -> bool:
    """Return whether a duration lies between two of the times of day, or between two of the dates."""
    if quantity.dimension not in {"time", "months"}:
        return False
    seconds = {one.values[0] for one in clocks if one.unit == CLOCK}
    wanted = quantity.values[0] * quantity.factor
    if quantity.dimension == "time" and quantity.unit and quantity.unit.factor < _DAY:
        rest = wanted % _DAY
        tolerance = min(quantity.precision * quantity.factor / 2, Decimal(_MINUTE))
        return any(abs(abs(a - b) - rest) <= tolerance for a, b in itertools.permutations(seconds, 2))
    days = {
        date(reading.year, reading.month, min(reading.day, 28)).toordinal() + max(reading.day - 28, 0)
        for mention in dates
        for reading in mention.readings
        if reading.year and reading.month and reading.day
    }
    length = wanted / _DAY if quantity.dimension == "time" else wanted * _DAYS_A_MONTH
    tolerance = Decimal(1) if quantity.dimension == "time" else Decimal(10)
    return any(abs(abs(a - b) - length) <= tolerance for a, b in itertools.combinations(days, 2))


def is_later_date(
    mention: DateMention, durations: Iterable[NumberMention], dates: Iterable[DateMention]
) -> bool:
    """Return whether a date is another date plus one of the durations."""
    spans = [one for one in durations if one.dimension in {"time", "months"} and one.factor]
    for other in dates:
        for begin, end in itertools.product(other.readings, mention.readings):
            if not (begin.year and begin.month and begin.day and end.month and end.day):
                continue
            first = date(begin.year, begin.month, min(begin.day, 28)).toordinal() + max(begin.day - 28, 0)
            last = date(end.year or begin.year, end.month, min(end.day, 28)).toordinal() + max(
                end.day - 28, 0
            )
            for span in spans:
                amount = span.values[0] * span.factor
                days = amount / _DAY if span.dimension == "time" else amount * _DAYS_A_MONTH
                if days >= 1 and abs(last - first - days) <= (0 if span.dimension == "time" else 2):
                    return True
    return False


def follows_from(
    quantity: NumberMention, stated: Sequence[NumberMention], units: Sequence[SourceUnit]
) -> bool:
    """Return whether a number is the sum, difference, ratio, share or average of two others.

    One of the two must be stated as well, or both must stand in one unit or in one column of a table.
    """
    value = quantity.values[0]
    if value == int(value) and value <= _SMALL and quantity.dimension != "percent":
        return False
    alike = [one for one in stated if one.dimension != "percent" and not _is_year(one)]
    groups = [list(stated), *(unit.quantities for unit in units), *_columns(units)]
    if (
        quantity.dimension == "percent"
    ):  # of few digits: two numbers of the statement, or of one unit or column
        values = {one.values[0] for one in alike}
        if values:
            groups = [
                alike,
                *(group for group in groups[1:] if any(one.values[0] in values for one in group)),
            ]
        else:
            groups = [*(unit.quantities for unit in units[:3]), *_columns(units)]
        across: Iterable[tuple[NumberMention, NumberMention]] = ()
    else:
        others = _distinct(one for unit in units for one in unit.quantities)
        across = (
            pair for first in stated for second in others for pair in ((first, second), (second, first))
        )
    inside = (pair for group in groups for pair in itertools.permutations(_distinct(group), 2))
    starts = {(one.values[0], one.dimension) for one in stated}
    return any(
        _is(result, quantity)
        for pairs, is_beside in ((across, False), (inside, True))
        for first, second in pairs
        for result in _results(
            first,
            second,
            quantity,
            is_beside=is_beside,
            is_stated=(second.values[0], second.dimension) in starts,
        )
    )


def _is_year(quantity: NumberMention) -> bool:
    return (
        quantity.unit is None
        and quantity.values[0] in _YEARS
        and quantity.values[0] == int(quantity.values[0])
    )


def is_total(quantity: NumberMention, units: Iterable[SourceUnit]) -> bool:
    """Return whether `quantity` is the total or the average of a column."""
    if quantity.values[0] <= _SMALL:
        return False
    for column in _columns(units):
        if len(column) > 1 and column[0].comparable(quantity):
            total = sum((one.values[0] * one.factor for one in column), Decimal(0))
            if _is(total, quantity) or _is(total / len(column), quantity):
                return True
    return False


def _distinct(quantities: Iterable[NumberMention]) -> list[NumberMention]:
    return list({(one.values[0], one.dimension): one for one in quantities}.values())[:_OPERANDS_MAX]


def _columns(units: Iterable[SourceUnit]) -> list[list[NumberMention]]:
    """The numbers of each column of the tables among the units."""
    columns: dict[tuple[int, int, str], list[NumberMention]] = defaultdict(list)
    for unit in units:
        for cell, column in zip(unit.cells, unit.columns, strict=False):
            if column:
                columns[unit.number, unit.table, cell.head].append(column[0])
    return list(columns.values())


def _results(
    first: NumberMention, second: NumberMention, stated: NumberMention, *, is_beside: bool, is_stated: bool
) -> Iterator[Decimal]:
    """The results of two numbers in the base unit of the dimension `stated`."""
    if CLOCK in {first.unit, second.unit, stated.unit}:
        return
    # A number without a unit that is compared with one is in its unit ("7.4 t, mean 8.1").
    a = first.values[0] * (first.factor if first.unit else second.factor)
    b = second.values[0] * (second.factor if second.unit else first.factor)
    target = stated.dimension
    is_alike = first.dimension == second.dimension or (
        is_beside and (first.unit is None) != (second.unit is None)
    )
    if (
        is_alike
        and (target != "points" or first.unit)
        and (first.comparable(stated) or (target == "points" and first.dimension == "percent"))
    ):
        yield a + b
        yield a - b
    if b and is_alike and target in {"", "percent"}:
        yield a / b if not target else a / b * _HUNDRED
        if target:
            yield (a - b) / b * _HUNDRED
    if not is_alike and target and b not in {0, 1}:
        if second.dimension == "percent" and first.comparable(stated):
            yield a * b / _HUNDRED
            yield a * (1 + b / _HUNDRED)
            yield a * (1 - b / _HUNDRED)
        elif first.dimension == target and target != "percent" and is_stated and not second.unit:
            yield a * second.values[0]
            yield a / second.values[0]


def _is(value: Decimal, stated: NumberMention) -> bool:
    return is_rounded(value / stated.factor, stated)
