"""Numbers that follow from the numbers of the sources: sums, differences, shares, products, totals of columns. Pure."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal

from frasier.kernel.dates import DateMention, PartialDate
from frasier.kernel.number_mentions import Bound, NumberMention
from frasier.kernel.source_units import SourceUnit
from frasier.kernel.unit_names import CLOCK
from frasier.work.verification.calculations import is_rounded
from frasier.work.verification.facts import is_year

_MINUTE, _ABOUT, _DAY = 60, 600, 86400
_DURATION_MAX = _DAY * 1_000_000  # no two dates are as far apart; larger ones have no exact remainder
_DAYS_A_MONTH = Decimal("30.44")
_ANY_YEAR = 2001
_HUNDRED = Decimal(100)
_SMALL = 12  # what is no more may follow from too many numbers by chance
_OPERANDS_MAX = 120
_MANY_DIGITS = 100  # times the last digit: what is as long hardly follows from other numbers by chance
_TWO_DIGITS = 10
_NEAREST = 2
_FEW = 4
_FEW_STATED = 8


def is_span(
    quantity: NumberMention,
    clocks: Iterable[NumberMention],
    stated: Sequence[DateMention | NumberMention],
    others: Sequence[DateMention | NumberMention],
) -> bool:
    """Return whether a duration lies between two times of day, or between two dates or years.

    One of the dates is `stated` beside it, the other as well or one of `others`.
    """
    if quantity.dimension not in {"time", "months"}:
        return False
    wanted = quantity.values[0] * quantity.factor
    if wanted >= _DURATION_MAX:
        return False
    if quantity.dimension == "time" and quantity.factor < _DAY:
        seconds = {one.values[0] for one in clocks if one.unit == CLOCK}
        days_passed = {0, *(length for pair in _pairs(stated, others) for length in _lengths(*pair))}
        if not days_passed & {wanted // _DAY, wanted // _DAY + 1}:
            return False
        step = quantity.precision * quantity.factor
        tolerance = min(step / 2, Decimal(_ABOUT if quantity.bound is Bound.ABOUT else _MINUTE))
        above = step if quantity.bound is Bound.AT_LEAST else tolerance
        return any(
            -tolerance <= abs(a - b) - wanted % _DAY <= above for a, b in itertools.permutations(seconds, 2)
        )
    step = quantity.precision * quantity.factor
    days, tolerance = (
        (wanted / _DAY, Decimal(0)) if quantity.dimension == "time" else (wanted * _DAYS_A_MONTH, Decimal(10))
    )
    if quantity.bound is Bound.AT_LEAST:  # "more than five months"
        tolerance = max(tolerance, step / _DAY if quantity.dimension == "time" else step * _DAYS_A_MONTH)
    # From the 16th to the 20th, both stated, are five days; the 20th is four days after the 16th.
    last_counts = (0, 1) if len(stated) > 1 else (0,)
    return any(
        abs(length + last - days) <= tolerance
        for pair in _pairs(stated, others)
        for length in _lengths(*pair)
        for last in last_counts
    )


def _pairs(
    stated: Sequence[DateMention | NumberMention], others: Sequence[DateMention | NumberMention]
) -> Sequence[tuple[DateMention | NumberMention, DateMention | NumberMention]]:
    """The two dates that a duration is stated with, or one of them with each of the others."""
    return list(itertools.combinations(stated, 2)) or list(itertools.product(stated, others))


def _lengths(first: DateMention | NumberMention, second: DateMention | NumberMention) -> Iterator[int]:
    """The days between two dates or years; a date without a year is of the year of the other, or of one beside it."""
    for begin, end in itertools.product(_parts(first), _parts(second)):
        if begin.month is None or end.month is None:
            if begin.year and end.year:
                yield int(abs(begin.year - end.year) * 12 * _DAYS_A_MONTH)
        elif (begin.day is None) == (end.day is None):
            # From November to February is four months: the last month counts as a whole.
            whole = 0 if begin.day else int(_DAYS_A_MONTH)
            years = [begin.year or end.year or _ANY_YEAR, end.year or begin.year or _ANY_YEAR]
            steps = (0,) if begin.year and end.year else (-1, 0, 1)
            yield from (
                abs(_day_number(end, years[1] + step) - _day_number(begin, years[0])) + extra
                for step in steps
                for extra in {0, whole}
            )


def _parts(mention: DateMention | NumberMention) -> Sequence[PartialDate]:
    if isinstance(mention, DateMention):
        return mention.readings
    return (PartialDate(year=int(mention.values[0])),)


def _day_number(day: PartialDate, year: int) -> int:
    number = day.day or 1
    return date(year, day.month or 1, min(number, 28)).toordinal() + max(number - 28, 0)


def is_ratio(
    value: Decimal,
    pairs: Iterable[tuple[NumberMention, NumberMention]],
    *,
    tolerance: tuple[Decimal, Decimal],
) -> bool:
    """Return whether the first of two numbers is so many times the second, but for the parts below and above it."""
    return any(
        first.comparable(second)
        and second.values[0] != 0
        and -value * tolerance[0]
        <= first.values[0] * first.factor / (second.values[0] * second.factor) - value
        <= value * tolerance[1]
        for first, second in pairs
    )


def is_later_date(
    mention: DateMention,
    stated: Sequence[NumberMention],
    others: Sequence[NumberMention],
    dates: Iterable[DateMention],
    years: Collection[int] = (),
) -> bool:
    """Return whether a date is a duration after another date, or before it; without a year only a `stated` one.

    A date without a year may be of one of the `years` of its source.
    """
    stated_spans, other_spans = (
        [one for one in group if one.dimension in {"time", "months"} and one.factor]
        for group in (stated, others)
    )
    for other in dates:
        for begin, end in itertools.product(other.readings, mention.readings):
            if not (begin.month and begin.day and end.month and end.day) or (
                end.year and not begin.year and end.year not in years
            ):
                continue
            year = begin.year or end.year or _ANY_YEAR
            first = date(year, begin.month, min(begin.day, 28)).toordinal() + max(begin.day - 28, 0)
            last = date(end.year or year, end.month, min(end.day, 28)).toordinal() + max(end.day - 28, 0)
            for span in (*stated_spans, *(other_spans if begin.year else ())):
                amount = span.values[0] * span.factor
                days = amount / _DAY if span.dimension == "time" else amount * _DAYS_A_MONTH
                if days >= 1 and abs(abs(last - first) - days) <= (0 if span.dimension == "time" else 2):
                    return True
    return False


def follows_from(
    quantity: NumberMention, stated: Sequence[NumberMention], units: Sequence[SourceUnit]
) -> bool:
    """Return whether a number is the sum, difference, ratio, share or product of two others, or the sum of more.

    They are stated beside it, or a unit has hardly any others; a number of many digits may also follow from one that
    is stated and one of the units, or from two of a unit or a column: another one would hardly do so by chance.
    """
    value = quantity.values[0]
    if is_year(quantity):
        return _is_other_year(quantity, stated, units)
    is_count = quantity.unit is None or quantity.bound is Bound.EXACT
    if value == int(value) and value <= _SMALL and is_count and quantity.dimension != "percent":
        return False
    beside = _distinct(one for one in stated if quantity.dimension != "percent" or not is_year(one))
    pairs = list(itertools.permutations(beside, 2))
    if value / quantity.precision >= _TWO_DIGITS:
        small = [one.quantities for one in units[:_NEAREST] if not one.cells and len(one.quantities) <= _FEW]
        pairs += [
            (first, second)
            for group in small
            for first, second in itertools.permutations(_distinct(group), 2)
            if first.dimension == second.dimension != "percent"
        ]
    if value / quantity.precision >= _MANY_DIGITS:
        others = _distinct(one for unit in units for one in unit.quantities)
        if quantity.dimension != "percent":
            pairs += [
                pair for first in stated for second in others for pair in ((first, second), (second, first))
            ]
        groups = [*(unit.quantities for unit in units), *_columns(units).values()]
        pairs += [pair for group in groups for pair in itertools.permutations(_distinct(group), 2)]
    starts = {(one.values[0], one.dimension) for one in stated}
    return _follows_from_more(quantity, stated) or any(
        _is(result, quantity)
        for first, second in pairs
        for result in _results(
            first, second, quantity, is_stated=(second.values[0], second.dimension) in starts
        )
    )


def is_sum_or_difference(
    quantity: NumberMention, stated: Sequence[NumberMention], *, with_bare: bool = False
) -> bool:
    """Return whether an amount is the sum or the difference of two others, all of them with a unit of its kind.

    With `with_bare` one of a difference may lack its unit: "11 minutes where it used to take 13".
    """
    kind = "percent" if quantity.dimension == "points" else quantity.dimension
    alike = [
        one
        for one in stated
        if one.unit and quantity.unit and (one.comparable(quantity) or one.dimension == kind)
    ]
    return (
        quantity.dimension != "percent"
        and any(
            _is(first.values[0] * first.factor + sign * second.values[0] * second.factor, quantity)
            for first, second in itertools.combinations(alike, 2)
            for sign in (1, -1)
        )
    ) or any(
        _is((first.values[0] - bare.values[0]) * first.factor, quantity)
        for first in alike
        for bare in stated
        if with_bare and bare.unit is None and not is_year(bare)
    )


def is_price_of_several(quantity: NumberMention, stated: Sequence[NumberMention]) -> bool:
    """Return whether an amount of money is a stated price times a stated number of things."""
    return quantity.dimension.startswith("currency") and any(
        price.unit is not None
        and price.comparable(quantity)
        and not count.dimension.startswith("currency")
        and count.dimension not in {"percent", "points"}
        and count.values[0] > 1
        and _is(price.values[0] * price.factor * count.values[0], quantity)
        for price, count in itertools.permutations(stated, 2)
    )


def is_factor_of(quantity: NumberMention, stated: Sequence[NumberMention]) -> bool:
    """Return whether a number counts how often one stated amount is in another: "66.60, i.e. nine at 7.40"."""
    return quantity.unit is None and any(
        first.unit == last.unit
        and first.unit is not None
        and first.values[0] == last.values[0] * quantity.values[0]
        for first, last in itertools.permutations(stated, 2)
    )


def is_step_in_column(quantity: NumberMention, units: Iterable[SourceUnit]) -> bool:
    """Return whether a number is what a counter grew by from one row of a table to the next."""
    return any(
        _is(last.values[0] - first.values[0], quantity)
        for column in _columns(units).values()
        for first, last in itertools.pairwise(column)
        if first.values[0] > _TWO_DIGITS * quantity.values[0] and first.comparable(quantity)
    )


def is_sum_in_record(quantity: NumberMention, unit: SourceUnit) -> bool:
    """Return whether a number is the sum of two or more cells of a record that stand side by side."""
    numbers = [column[0].values[0] if column else None for column in unit.columns]
    return any(
        _is(sum((one for one in numbers[first:last] if one is not None), Decimal(0)), quantity)
        for first, last in itertools.combinations(range(len(numbers) + 1), 2)
        if last - first > 1 and None not in numbers[first:last]
    )


def is_product_in_record(quantity: NumberMention, unit: SourceUnit) -> bool:
    """Return whether a number of several digits is the product of two of a record: of a price and an amount."""
    if quantity.values[0] / quantity.precision < _MANY_DIGITS:
        return False
    numbers = [one.values[0] for one in unit.quantities if one.values[0] > 1 and not is_year(one)]
    return any(
        _is(first * last, quantity) for first, last in itertools.combinations(numbers[:_OPERANDS_MAX], 2)
    )


def _is_other_year(
    quantity: NumberMention, stated: Sequence[NumberMention], units: Sequence[SourceUnit]
) -> bool:
    """Whether a year is so many years before or behind another."""
    numbers = [*stated, *(one for unit in units for one in unit.quantities)]
    years = {one.values[0] for one in numbers if is_year(one)} | {
        Decimal(reading.year)
        for unit in units
        for mention in unit.dates
        for reading in mention.readings
        if reading.year
    }
    spans = {one.values[0] for one in numbers if one.unit and one.unit.name == "year"}
    return any(abs(quantity.values[0] - year) in spans for year in years)


def _follows_from_more(quantity: NumberMention, stated: Sequence[NumberMention]) -> bool:
    """Whether a number is the sum of three or more in a row, all of its kind, or one of a product and a third."""
    numbers = [one for one in stated if not is_year(one)]
    alike = [one.values[0] * one.factor for one in numbers if one.dimension == quantity.dimension]
    if quantity.unit is None and len({one.dimension for one in numbers if one.unit}) == 1:
        # "600 hours, 450 for the second group and 300 for the third, in all 1,350"
        groups = [alike, [one.values[0] for one in numbers]]
    else:
        bare = [one.values[0] for one in numbers if one.unit in {None, quantity.unit}]
        groups = [alike, [value * quantity.factor for value in bare]]  # "8, 16 and 32 seconds"
    if any(
        _is(sum(values[first:last], Decimal(0)), quantity)
        for values in groups
        for first, last in itertools.combinations(range(len(values) + 1), 2)
        if last - first > 2
    ):
        return True
    if quantity.values[0] / quantity.precision < _MANY_DIGITS:
        return False
    plain = [one.values[0] for one in _distinct(stated) if not is_year(one)]
    return any(
        _is((a * b + sign * c) * quantity.factor, quantity)
        for a, b, c in itertools.permutations(plain[:_FEW_STATED], 3)
        for sign in (1, -1)
    )


def is_total(
    quantity: NumberMention, units: Iterable[SourceUnit], is_named: Callable[[str], bool] | None = None
) -> bool:
    """Return whether `quantity` is the total or the average of a column, of any or of one whose name `is_named`."""
    if quantity.values[0] <= _SMALL:
        return False
    for (_, _, head), column in _columns(units).items():
        if is_named is not None and not is_named(head):
            continue
        if len(column) > 1 and column[0].comparable(quantity):
            total = sum((one.values[0] * one.factor for one in column), Decimal(0))
            if _is(total, quantity) or _is(total / len(column), quantity):
                return True
    return False


def _distinct(quantities: Iterable[NumberMention]) -> list[NumberMention]:
    return list({(one.values[0], one.dimension): one for one in quantities}.values())[:_OPERANDS_MAX]


def _columns(units: Iterable[SourceUnit]) -> Mapping[tuple[int, int, str], list[NumberMention]]:
    """The numbers of each column of the tables among the units, by source, table and name."""
    columns: dict[tuple[int, int, str], list[NumberMention]] = defaultdict(list)
    for unit in units:
        for cell, column in zip(unit.cells, unit.columns, strict=False):
            if column:
                columns[unit.number, unit.table, cell.head].append(column[0])
    return columns


def _results(
    first: NumberMention, second: NumberMention, stated: NumberMention, *, is_stated: bool
) -> Iterator[Decimal]:
    """The results of two numbers in the base unit of the dimension `stated`."""
    if CLOCK in {first.unit, second.unit, stated.unit}:
        return
    # A number without a unit that is compared with one is in its unit ("7.4 t, mean 8.1").
    a = first.values[0] * (first.factor if first.unit else second.factor)
    b = second.values[0] * (second.factor if second.unit else first.factor)
    target = stated.dimension
    is_alike = first.dimension == second.dimension or (first.unit is None) != (second.unit is None)
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
    if target == "area" and first.dimension == second.dimension == "length":
        yield a * b
    if second.values[0] in {0, 1}:
        return
    if second.dimension == "percent" and not target and not first.dimension:  # 62 % of 18,400 members
        yield a * b / _HUNDRED
    elif not target:
        return
    elif second.dimension == "percent" and first.comparable(stated) and target != "percent":
        yield a * b / _HUNDRED
        yield a * (1 + b / _HUNDRED)
        yield a * (1 - b / _HUNDRED)
    elif (
        first.unit
        and first.comparable(stated)
        and target != "percent"
        and is_stated
        and _multiplies(first, second)
    ):
        yield a * second.values[0]
        yield a / second.values[0]
        if second.dimension == "months":  # 5 years of 647.74 a month
            yield a * second.values[0] * second.factor


def _multiplies(first: NumberMention, second: NumberMention) -> bool:
    """Whether a number counts another, or is the amount of which the other is the price."""
    return second.unit is None or (
        first.dimension.startswith("currency") and not second.dimension.startswith(("currency", "percent"))
    )


def _is(value: Decimal, stated: NumberMention) -> bool:
    return is_rounded(value / stated.factor, stated)
