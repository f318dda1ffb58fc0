"""Numbers that no source has, but that follow from those of a statement and its sources, and hardly by chance. Pure.

Any number is the sum, the ratio or the share of some others if there are enough of them. So it is counted how many
numbers, written as the stated one and about as large, would follow from the same operands as well: where these are few,
the statement has computed it.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import cached_property

from frasier.kernel.number_mentions import Bound, NumberMention
from frasier.kernel.unit_names import CLOCK
from frasier.work.verification.calculations import is_rounded
from frasier.work.verification.comparison import Comparison
from frasier.work.verification.facts import is_year
from frasier.work.verification.row_groups import RowGroups

_CHANCE_MAX = Decimal("0.02")  # of the numbers that are about as large
_DIGITS_MIN, _BARE_MIN = (
    100,
    1000,
)  # times the last digit: what is less, and a count sooner, follows from too much
_WORDS_MAX = 20  # a number up to it tells little of its source
_NEAR = Decimal("1.5")  # the factor between numbers that are about as large
_OPERANDS_MAX = 24
_ABOUT = Decimal("0.025")
_HUNDRED = Decimal(100)


class ImpliedNumbers:
    """Finds the numbers of a statement that follow from its other ones and from the sources near it."""

    def __init__(self, comparison: Comparison, row_groups: RowGroups) -> None:
        self._comparison = comparison
        self._row_groups = row_groups
        self._found: list[NumberMention] = []

    def include(self, quantity: NumberMention) -> bool:
        """Return whether a number follows, or is the sum of a column over the rows that the statement names."""
        totals = self._row_groups.totals
        is_included = is_implied(quantity, (), (), totals) or (
            self._can_follow(quantity) and self._follows(quantity)
        )
        if is_included:
            self._found.append(quantity)
        return is_included

    def _can_follow(self, quantity: NumberMention) -> bool:
        """Whether it has many digits, and the sources have most of the other numbers: else it is from elsewhere."""
        of = self._comparison
        telling = [one for one in of.quantities if one.values[0] > _WORDS_MAX or one.precision < 1]
        digits = quantity.values[0] / quantity.precision
        has_digits = digits >= (_DIGITS_MIN if quantity.unit else _BARE_MIN)
        return has_digits and 2 * sum(bool(of.holding[one.start]) for one in telling) >= len(telling)

    def _follows(self, quantity: NumberMention) -> bool:
        before = self._comparison.before
        beside = [*self._carried_beside(quantity), *before.numbers, *before.computed, *self._found]
        return any(
            is_implied(quantity, beside, groups, totals)
            for groups, totals in (((), ()), ((), self._row_groups.totals), (self._groups, ()))
        )

    def _carried_beside(self, quantity: NumberMention) -> Iterator[NumberMention]:
        """Yield the other numbers of the statement that its sources have, or that it computes from such ones alone."""
        of = self._comparison
        carried = {one.start for one in of.quantities if of.holding[one.start]}
        carried |= {one.start for one in self._found}
        of_carried = [
            one for one in of.calculations if carried.issuperset(used.start for used in one.operands)
        ]
        for one in of.quantities:
            is_carried = one.start in carried or any(each.gives(one) for each in of_carried)
            if is_carried and one.start != quantity.start:
                yield one

    @cached_property
    def _groups(self) -> Sequence[Sequence[NumberMention]]:
        """The numbers of each row near the statement, and of each column of these rows."""
        rows = [unit for unit in self._comparison.operand_units if unit.cells]
        columns: dict[tuple[int, int, str], list[NumberMention]] = defaultdict(list)
        for unit in rows:
            for cell, numbers in zip(unit.cells, unit.columns, strict=False):
                columns[unit.number, unit.table, cell.head] += numbers[:1]
        return [*(unit.quantities for unit in rows), *columns.values()]


def is_implied(
    quantity: NumberMention,
    stated: Sequence[NumberMention],
    groups: Sequence[Sequence[NumberMention]],
    totals: Sequence[NumberMention],
) -> bool:
    """Return whether a number follows from two that are `stated`, from one of a group and another, or is a total.

    A group has the numbers that stand together in a source: those of a row or of a column.
    """
    if not quantity.values[0] or quantity.unit == CLOCK or is_year(quantity):
        return False
    width = _width(quantity)
    size = abs(quantity.values[0])
    reached: set[int] = set()
    follows = False
    for result in _all_results(quantity, _distinct(stated), [_distinct(one) for one in groups], totals):
        value = abs(result) / quantity.factor
        if size / _NEAR <= value <= size * _NEAR:
            reached.add(int(value / width))
            follows = follows or is_rounded(value, quantity)
    return follows and len(reached) * width <= _CHANCE_MAX * size * (_NEAR - 1 / _NEAR)


def _all_results(
    quantity: NumberMention,
    stated: Sequence[NumberMention],
    groups: Sequence[Sequence[NumberMention]],
    totals: Sequence[NumberMention],
) -> Iterator[Decimal]:
    known = _distinct([*stated, *totals])
    pairs = [*itertools.permutations(known, 2)]
    for group in groups:
        pairs += [*itertools.permutations(group, 2), *itertools.product(known, group)]
        pairs += itertools.product(group, known)
        yield from (
            sum((one.values[0] for one in group[first:last]), Decimal(0)) * quantity.factor
            for first, last in itertools.combinations(range(len(group) + 1), 2)
            if last - first > 2
        )
    for first, second in pairs:
        yield from _results(first, second, quantity)
    yield from (one.values[0] * one.factor for one in totals if one.comparable(quantity))


def _width(quantity: NumberMention) -> Decimal:
    """The part of the numbers that the written one stands for."""
    if quantity.bound is Bound.EXACT:
        return quantity.precision
    return max(quantity.precision, _ABOUT * abs(quantity.values[0]))


def _distinct(operands: Sequence[NumberMention]) -> list[NumberMention]:
    numbers = (one for one in operands if one.values[0] and one.unit != CLOCK and not is_year(one))
    return list({(one.values[0], one.unit): one for one in numbers}.values())[:_OPERANDS_MAX]


def _results(first: NumberMention, second: NumberMention, target: NumberMention) -> Iterator[Decimal]:
    """The results of two numbers in the base unit of the dimension `target`."""
    a = first.values[0] * (first.factor if first.unit else second.factor)
    b = second.values[0] * (second.factor if second.unit else first.factor)
    dimension = target.dimension
    is_alike = first.dimension == second.dimension or (first.unit is None) != (second.unit is None)
    if dimension in {"percent", "points"}:
        if is_alike and dimension == "percent":
            yield from (a / b * _HUNDRED, (a - b) / b * _HUNDRED)
        if first.dimension == second.dimension == "percent":
            yield a - b
        return
    if is_alike and (first.comparable(target) or second.comparable(target)):
        yield from (a + b, a - b)
    if not dimension and is_alike:
        yield a / b
    if second.dimension == "percent":
        if first.comparable(target):
            share = second.values[0] / _HUNDRED
            yield from (a * share, a * (1 + share), a * (1 - share), a / (1 + share))
    elif first.dimension == dimension and (second.dimension != dimension or not dimension):
        yield from (a * second.values[0], a / second.values[0])
