"""Counts of the rows of a table that a statement names by a value or a month: "five are paid". Pure."""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import cached_property, lru_cache

from frasier.kernel.language import content_stems, words_of
from frasier.kernel.number_mentions import NumberMention
from frasier.kernel.source_units import SourceUnit
from frasier.work.verification.comparison import Comparison
from frasier.work.verification.record_rows import TOTAL

_VALUES_MAX = 60  # a column with more different values groups nothing
_YES = frozenset({"x", "yes", "ja", "oui", "sí", "si", "sì", "sim", "true", "✓", "✔", "☑"})
_ALL = re.compile(
    r"\b(?:all(?: of)?(?: the)?|alle[nr]?|tous les|toutes les|tod[ao]s [ao]s|tod[ao]s l[ao]s|tutti e|tutte e)\s$",
    re.IGNORECASE,
)

_PERIODS = frozenset({"day", "week", "month", "year"})

_THE = re.compile(r"(?<!\w)(?:the|d(?:ie|er|en)|les|des|l[ao]s|i|gli|os|as)\s$", re.IGNORECASE)
_NOUN = re.compile(r"\s(?:[^\W\d_]+\s)?[^\W\d_]+")

Rows = Sequence[SourceUnit]


class RowGroups:
    """The rows of the cited tables that belong together by a value or a month that the statement names."""

    def __init__(self, comparison: Comparison) -> None:
        self._comparison = comparison

    def are_counted_by(self, quantity: NumberMention) -> bool:
        """Return whether a number counts the rows of a group, or all rows of a table that the statement calls all."""
        if quantity.values[0] <= 1 or quantity.is_fraction:
            return False
        can_be_all = quantity.unit is None or quantity.unit.name in _PERIODS
        if can_be_all and any(self._counts_all(quantity, table) for table in self.tables):
            return True
        is_count = quantity.unit is None or quantity.unit.name == "day"
        return is_count and any(quantity.values[0] == len(group) for group in self._groups)

    def _counts_all(self, quantity: NumberMention, table: Rows) -> bool:
        """Whether the number is that of all rows: "all three offers", "the four rooms"."""
        if quantity.values[0] != len(table):
            return False
        of = self._comparison
        if _ALL.search(of.text, 0, quantity.start):
            return True
        noun = _NOUN.match(of.text, quantity.end)
        language = table[0].language
        heads = _stems(" ".join(cell.head.replace("_", " ") for cell in table[0].cells[:2]), language)
        is_of_kind = noun and not heads.isdisjoint(_stems(noun[0], language))
        return bool(is_of_kind and _THE.search(of.text, 0, quantity.start))

    @cached_property
    def tables(self) -> Sequence[Rows]:
        """The rows of each cited table, without its totals."""
        tables: dict[tuple[int, int, int], list[SourceUnit]] = defaultdict(list)
        for unit in self._comparison.units:
            if len(unit.cells) > 1 and not any(TOTAL.search(cell.text) for cell in unit.cells[:2]):
                tables[unit.number, unit.table, len(unit.cells)].append(unit)
        return [rows for rows in tables.values() if len(rows) > 1]

    @cached_property
    def totals(self) -> Sequence[NumberMention]:
        """The sum of each column of numbers over the rows of each group."""
        return [
            replace(numbers[0], values=(sum((one.values[0] for one in numbers), Decimal(0)),))
            for table in self.tables
            for group in set(self._groups_of(table))
            if len(group) > 1
            for numbers in _columns([table[row] for row in sorted(group)])
        ]

    @cached_property
    def _groups(self) -> Sequence[frozenset[int]]:
        return [group for table in self.tables for group in self._groups_of(table)]

    def _groups_of(self, table: Rows) -> Iterator[frozenset[int]]:
        """The rows of each value that the statement names, of all such values of a column, and of two columns."""
        by_column: list[frozenset[int]] = []
        for at in range(len(table[0].cells)):
            named = list(self._named_rows(table, at))
            if named:
                by_column.append(frozenset().union(*named))
                yield from (*named, by_column[-1])
        dated = [
            frozenset(
                row for row, unit in enumerate(table) if any(date.agrees_with(one) for one in unit.dates)
            )
            for date in self._comparison.dates
        ]
        yield from dated
        yield from (first & last for first, last in itertools.combinations([*by_column, *dated], 2))

    def _named_rows(self, table: Rows, at: int) -> Iterator[frozenset[int]]:
        rows: dict[str, set[int]] = defaultdict(set)
        for row, unit in enumerate(table):
            rows[unit.cells[at].text.strip().casefold()].add(row)
        if len(rows) > _VALUES_MAX:
            return
        language = table[0].language
        stems = {
            value: _stems(table[0].cells[at].head if value in _YES else value, language) for value in rows
        }
        counts = Counter(stem for value in stems.values() for stem in value)
        for value, own in stems.items():
            telling = {stem for stem in own if counts[stem] == 1}
            if telling and not telling.isdisjoint(self._comparison.stems):
                yield frozenset(rows[value])


def _columns(rows: Rows) -> Iterator[Sequence[NumberMention]]:
    """The numbers of each column that has one in every row."""
    for cells in zip(*(unit.columns for unit in rows), strict=True):
        if all(cells):
            yield [cell[0] for cell in cells]


@lru_cache(maxsize=1 << 14)
def _stems(text: str, language: str | None) -> frozenset[str]:
    return frozenset(stem for stem in content_stems(words_of(text), language) if not stem.isdigit())
