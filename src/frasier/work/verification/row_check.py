"""The rows of tables that a statement names: its numbers must not stand in other rows alone. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from frasier.kernel.language import stem_of
from frasier.kernel.quantities import NumberMention
from frasier.kernel.source_units import SourceUnit
from frasier.work.verification.comparison import Comparison
from frasier.work.verification.findings import Finding, FindingKind
from frasier.work.verification.polarity_words import word_pattern

_NAME_WORDS_MAX = 4  # a column with a longer cell has remarks
_PART_MIN = 4  # letters of a word that stands for a name of several
_TOTAL = word_pattern(
    r"total\w*|sum|sums|all|overall|summe|gesamt\w*|insgesamt|ensemble|somme|suma|somma|totaal|samen|average|mean|mittel"
)

_Table: TypeAlias = tuple[int, int, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class _NamedRows:
    """The rows of a table that a statement names, and those of which it has a word at least, by their order."""

    named: frozenset[int]
    mentioned: frozenset[int]


class RowCheck:
    """Finds the numbers of a statement that its sources have in rows only that it does not speak of."""

    def __init__(self, comparison: Comparison) -> None:
        self._comparison = comparison
        self._words = frozenset(_words_of(comparison.text, comparison.language))

    def numbers_of_other_rows(self, quantities: Sequence[NumberMention]) -> Iterator[Finding]:
        """Yield the numbers that stand in no row that the statement names, but in another of the same table.

        What a calculation takes from several rows belongs to none of them.
        """
        for quantity in quantities:
            holding = self._comparison.holding[quantity.start]
            operands = self._operands_beside(quantity)
            if (
                holding
                and all(self._is_other_row(unit) for unit in holding)
                and any(
                    all(unit in self._comparison.holding[one.start] for one in operands) for unit in holding
                )
            ):
                yield Finding(kind=FindingKind.ELSEWHERE, text=quantity.text, against=holding[0])

    def _operands_beside(self, quantity: NumberMention) -> Sequence[NumberMention]:
        for calculation in self._comparison.calculations:
            if any(one.start == quantity.start for one in calculation.operands):
                return calculation.operands
        return ()

    def _is_other_row(self, unit: SourceUnit) -> bool:
        """Whether the statement names another row of the unit's table, and not the unit."""
        table = self._tables.get(_table_of(unit)) if unit.cells else None
        return table is not None and bool(table.named) and unit.order not in table.mentioned

    @cached_property
    def _tables(self) -> Mapping[_Table, _NamedRows]:
        tables: dict[_Table, list[SourceUnit]] = {}
        for unit in self._comparison.units:
            if unit.cells:
                tables.setdefault(_table_of(unit), []).append(unit)
        return {table: self._named_rows(rows) for table, rows in tables.items() if len(rows) > 1}

    def _named_rows(self, rows: Sequence[SourceUnit]) -> _NamedRows:
        """The rows that the statement names by their value in a column whose values are names."""
        named: set[int] = set()
        mentioned = {row.order for row in rows if any(_TOTAL.search(cell.text) for cell in row.cells)}
        for column in _columns_of_names(rows, self._comparison.language):
            counts = Counter(word for words in set(column) for word in set(words))
            for row, words in zip(rows, column, strict=True):
                own = [word for word in words if counts[word] == 1 and len(word) >= _PART_MIN]
                if self._words.issuperset(words):
                    named.add(row.order)
                if self._words.issuperset(words) or not self._words.isdisjoint(own):
                    mentioned.add(row.order)
                if any(word in self._words for word in own[-1:]):
                    named.add(row.order)
        return _NamedRows(frozenset(named), frozenset(mentioned))


def _table_of(unit: SourceUnit) -> _Table:
    return unit.number, unit.table, unit.path


def _columns_of_names(
    rows: Sequence[SourceUnit], language: str | None
) -> Iterator[Sequence[tuple[str, ...]]]:
    """Yield the words of the values of each column whose values are short, and not all the same."""
    for column in zip(*(row.cells for row in rows), strict=False):
        words = [tuple(_words_of(cell.text, language)) for cell in column]
        is_named = all(
            0 < len(one) <= _NAME_WORDS_MAX and any(len(word) > 1 and word.isalpha() for word in one)
            for one in words
        )
        if is_named and len(set(words)) > 1:
            yield words


def _words_of(text: str, language: str | None) -> Iterator[str]:
    return (stem_of(match[0], language) for match in re.finditer(r"\w+", text.casefold()))
