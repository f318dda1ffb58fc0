"""The records that a statement names: its numbers and names must not stand in others alone. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from frasier.kernel.dates import DateMention, masked_dates
from frasier.kernel.language import function_words
from frasier.kernel.number_mentions import NumberMention
from frasier.kernel.source_units import SourceUnit, dates_above
from frasier.kernel.unit_names import unit_of
from frasier.work.verification.comparison import Comparison, unit_key
from frasier.work.verification.facts import rounds_to, states
from frasier.work.verification.findings import Finding, FindingKind
from frasier.work.verification.record_rows import (
    PART_MIN,
    Record,
    StatedNames,
    Table,
    has_phrase,
    name_words,
    stated_names,
    tables_of,
)
from frasier.work.verification.statements import StatementKind

_TELLING_DIGITS = 100  # times the last digit of a number that hardly stands in two records by chance

_SMALL = 20
_NUMBERS_MIN = 2  # that a row has in common with the record that it is of
_CELLS_MIN = 3  # that a row has in common with the record that it is of

_ITEM = r"[^\W\d_][^(),;]*"
_LISTED_BEHIND = re.compile(rf"(?:\s[^\W\d_]+)?\s\((?P<items>{_ITEM}(?:, {_ITEM})*)\)")


@dataclass(frozen=True)
class _NamedTable:
    """A table, with the records that a statement names in each of its columns of names."""

    table: Table
    stated: Sequence[tuple[str, StatedNames]]

    @cached_property
    def named(self) -> frozenset[int]:
        return frozenset().union(*(names.named for _, names in self.stated))

    @cached_property
    def mentioned(self) -> frozenset[int]:
        totals = (at for at, record in enumerate(self.table.records) if record.is_total)
        return frozenset(totals).union(*(names.mentioned for _, names in self.stated))

    def record_of(self, unit: SourceUnit) -> int | None:
        """Return the record that a unit belongs to."""
        return self._record_by_unit.get(unit_key(unit))

    @cached_property
    def _record_by_unit(self) -> Mapping[tuple[int, int], int]:
        places: dict[tuple[int, int], int] = {}
        for at, record in enumerate(self.table.records):
            for unit in record.units:
                places.setdefault(unit_key(unit), at)
        return places


class RowCheck:
    """Finds the numbers and names of a statement that its sources have in records only that it does not speak of."""

    def __init__(self, comparison: Comparison) -> None:
        self._comparison = comparison
        self._words = list(name_words(comparison.text, comparison.language))
        undated = masked_dates(comparison.text, comparison.dates)
        self._parts = frozenset(name_words(undated, comparison.language))

    def numbers_of_other_rows(self, quantities: Sequence[NumberMention]) -> Iterator[Finding]:
        """Yield the numbers that stand in no record that the statement names, but in another of the same table.

        What a calculation takes from several records belongs to none of them.
        """
        for quantity in quantities:
            holding = self._comparison.holding[quantity.start]
            operands = self._operands_beside(quantity)
            if (
                holding
                and not self._counts_records(quantity)
                and all(self._is_other_row(unit) for unit in holding)
                and any(
                    all(unit in self._comparison.holding[one.start] for one in operands) for unit in holding
                )
            ):
                yield Finding(kind=FindingKind.ELSEWHERE, text=quantity.text, against=holding[0])

    def numbers_of_other_columns(self, quantities: Sequence[NumberMention]) -> Iterator[Finding]:
        """Yield the numbers below other dates or names than those of the statement, which a cell beside is below."""
        of = self._comparison
        if of.calculations:
            return
        for quantity in quantities:
            holding = of.holding[quantity.start]
            if holding and all(self._is_other_column(unit, quantity) for unit in holding):
                yield Finding(kind=FindingKind.ELSEWHERE, text=quantity.text, against=holding[0])

    def _is_other_column(self, unit: SourceUnit, quantity: NumberMention) -> bool:
        """Whether the cells of a record with a number are below what only others share with the statement."""
        own: list[bool] = []
        other: list[bool] = []
        are_names = self._has_names_above(unit)
        for at, (cell, column) in enumerate(zip(unit.cells, unit.columns, strict=True)):
            head = cell.head.replace("_", " ")
            heads = dates_above(head)
            has_number = any(states(one, quantity) or rounds_to(one, quantity) for one in column)
            is_said = at > 0 and are_names and self._is_said(head)
            is_named = is_said and (has_number or not self._has_number_below(cell.head, unit))
            (own if has_number else other).append(
                is_named or any(date.agrees_with(one) for date in self._comparison.dates for one in heads)
            )
            if has_number and not heads and not (are_names and at > 0):
                return False
        return bool(own) and not any(own) and any(other)

    def _has_number_below(self, head: str, record: SourceUnit) -> bool:
        """Whether the statement has a number of a column of the table of a record, and names the column for it."""
        return any(
            states(one, stated)
            for unit in self._comparison.units
            if (unit.number, unit.table) == (record.number, record.table)
            for cell, column in zip(unit.cells, unit.columns, strict=True)
            if cell.head == head
            for one in column
            for stated in self._comparison.quantities
        )

    def _has_names_above(self, unit: SourceUnit) -> bool:
        """Whether the columns of a record are called by names: of products compared, whose features are the rows."""
        names = self._comparison.sources.names
        heads = [cell.head.casefold().replace("_", " ").split() for cell in unit.cells[1:]]
        return len(heads) > 1 and all(any(word in names for word in words) for words in heads)

    def _is_said(self, name: str) -> bool:
        return has_phrase(self._words, list(name_words(name, self._comparison.language)))

    def names_of_other_cells(self) -> Iterator[Finding]:
        """Yield the names of a row that its record has not, where it has most of the row, and others have them."""
        of = self._comparison
        if of.statement.kind is not StatementKind.ROW:
            return
        for table in self._tables:
            records = table.table.records
            if not all(record.units[0].cells for record in records):
                continue
            held = [self._cells_in(record) for record in records]
            best = max(held, key=len)
            if len(best) < _CELLS_MIN or sum(cells == best for cells in held) > 1:
                continue
            others = frozenset().union(*held) - best
            if others and len(others) * 2 <= len(best):
                against = records[held.index(best)].units[0]
                for cell in others:
                    yield Finding(kind=FindingKind.ELSEWHERE, text=cell, against=against)

    def _cells_in(self, record: Record) -> frozenset[str]:
        """The cells of the statement, a row, that a record has in its own: their names, or their numbers."""
        of = self._comparison
        [unit] = record.units
        said = set(name_words(unit.text, of.language))
        found = set()
        for start, text in _cells_of_row(of.text):
            inside = range(start, start + len(text))
            numbers = [one for one in of.quantities if one.start in inside]
            dates = [date for date in of.dates if date.start in inside]
            words = set(name_words(text, of.language)) - function_words(of.language)
            if (
                all(unit in of.holding[one.start] for one in numbers)
                and all(any(date.agrees_with(one) for one in unit.dates) for date in dates)
                and (numbers or dates or (words and words <= said))
            ):
                found.add(text)
        return frozenset(found)

    def _counts_records(self, quantity: NumberMention) -> bool:
        """Whether a number counts the records behind it: of one name ("the two glazings"), or listed ("two (A, B)")."""
        of = self._comparison
        listed = _LISTED_BEHIND.match(of.text, quantity.end)
        if listed is not None and quantity.values[0] == listed["items"].count(",") + 1:
            return True
        following = tuple(name_words(of.text[quantity.end :], of.language))
        return quantity.unit is None and any(
            following[:1] == tuple(name_words(name, of.language))[:1]
            and quantity.values[0] == sum(table.table.records[at].names[column] == name for at in names.named)
            for table in self._tables
            for column, names in table.stated
            for name in {table.table.records[at].names[column] for at in names.named}
        )

    def names_of_other_rows(self, quantities: Sequence[NumberMention]) -> Iterator[Finding]:
        """Yield the names of records that lack a fact of the statement which one has that it does not name."""
        for table in self._tables:
            facts = self._facts_of(table, quantities)
            for column, names in table.stated:
                first_of = {
                    table.table.records[at].names[column]: at for at in sorted(names.named, reverse=True)
                }
                for at in first_of.values():
                    if (other := self._owner_of_facts(table, column, names, at, facts)) is not None:
                        text = table.table.records[at].names[column]
                        if unit_of(text):  # of a column of units: "month"
                            continue
                        yield Finding(
                            kind=FindingKind.ELSEWHERE,
                            text=text,
                            against=table.table.records[other].units[0],
                        )

    def _owner_of_facts(
        self,
        table: _NamedTable,
        column: str,
        names: StatedNames,
        at: int,
        facts: Sequence[tuple[NumberMention | DateMention, frozenset[int]]],
    ) -> int | None:
        """The record of another name, not in the statement, that has all its facts, or all that no record named has."""
        records = table.table.records
        same = {other for other, one in enumerate(records) if one.names[column] == records[at].names[column]}
        facts = [
            (fact, held)
            for fact, held in facts
            if fact.text not in records[at].names[column] and len(held) < len(records)
        ]
        own = {index for index, (_, held) in enumerate(facts) if not held.isdisjoint(same)}
        unclaimed = {index for index, (_, held) in enumerate(facts) if held.isdisjoint(names.named)}
        telling = {index for index in unclaimed if _is_telling(facts[index][0])} - own
        for other in sorted(frozenset().union(*(facts[index][1] for index in telling)) - names.mentioned):
            held = {index for index, (_, holders) in enumerate(facts) if other in holders}
            if (
                (len(held) == len(facts) or (not own and held >= unclaimed))
                and own < held
                and not self._names(records[other], records[at].names[column])
            ):
                return other
        return None

    def _names(self, record: Record, name: str) -> bool:
        """Whether a record has a word of the name of another: what is said of that may stand there."""
        language = self._comparison.language
        said = {word for unit in record.units for word in name_words(unit.text, language)}
        own = {word for word in name_words(name, language) if len(word) >= PART_MIN}
        return not said.isdisjoint(own - set(name_words(" ".join(record.names.values()), language)))

    def _facts_of(
        self, table: _NamedTable, quantities: Sequence[NumberMention]
    ) -> list[tuple[NumberMention | DateMention, frozenset[int]]]:
        """The numbers and dates of the statement that stand in records of a table alone, with these."""
        of = self._comparison
        holders: list[tuple[NumberMention | DateMention, Sequence[SourceUnit]]] = [
            (one, of.holding[one.start]) for one in quantities
        ]
        holders += [
            (date, [unit for unit in of.units if any(date.agrees_with(one) for one in unit.dates)])
            for date in of.dates
        ]
        facts = []
        for fact, units in holders:
            places = {table.record_of(unit) for unit in units}
            if places and None not in places:
                facts.append((fact, frozenset(place for place in places if place is not None)))
        return facts

    def _operands_beside(self, quantity: NumberMention) -> Sequence[NumberMention]:
        for calculation in self._comparison.calculations:
            if any(one.start == quantity.start for one in calculation.operands):
                return calculation.operands
        return ()

    def _is_other_row(self, unit: SourceUnit) -> bool:
        """Whether the statement names another record of a table, and not the unit's."""
        return any(
            table.named and at not in table.mentioned
            for table in self._tables
            if (at := table.record_of(unit)) is not None
        )

    @cached_property
    def _tables(self) -> Sequence[_NamedTable]:
        of = self._comparison
        return [
            _NamedTable(
                table,
                [
                    (column, stated_names(table, column, self._words, self._parts, of.language))
                    for column in table.columns
                ],
            )
            for source in of.cited.values()
            for table in tables_of(source, of.sources.names)
        ]


def _cells_of_row(row: str) -> Iterator[tuple[int, str]]:
    """The cells of a row that are not empty, each with its place."""
    return ((match.start(), match[0]) for match in re.finditer(r"[^\s|][^|]*[^\s|]|[^\s|]", row))


def _is_telling(fact: NumberMention | DateMention) -> bool:
    """Whether a fact hardly stands in two records by chance: a date, an amount or a number of several digits."""
    if isinstance(fact, DateMention):
        return True
    return fact.unit is not None or abs(fact.values[0]) / fact.precision >= _TELLING_DIGITS


def is_in_place_of_another(quantity: NumberMention, record: SourceUnit, of: Comparison) -> bool:
    """Return whether a record lacks a number of its row, and the row the only other one of its unit: 118 for 107 kPa.

    A small number without a unit may be of the author's own: "710 g in issue 3".
    """
    if of.holding[quantity.start] or (quantity.unit is None and quantity.values[0] <= _SMALL):
        return False
    lacking = [
        one
        for one in record.quantities
        if one.unit == quantity.unit
        and not any(states(one, other) or rounds_to(one, other) for other in of.quantities)
    ]
    return len(lacking) == 1 and sum(record in of.holding[one.start] for one in of.quantities) >= _NUMBERS_MIN
