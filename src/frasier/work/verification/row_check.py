"""The records that a statement names: its numbers and names must not stand in others alone. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from frasier.kernel.dates import DateMention
from frasier.kernel.quantities import NumberMention
from frasier.kernel.source_units import SourceUnit, dates_above, masked_dates
from frasier.work.verification.comparison import Comparison, unit_key
from frasier.work.verification.facts import rounds_to, states
from frasier.work.verification.findings import Finding, FindingKind
from frasier.work.verification.record_rows import (
    PART_MIN,
    Record,
    StatedNames,
    Table,
    name_words,
    stated_names,
    tables_of,
)

_TELLING_DIGITS = 100  # times the last digit of a number that hardly stands in two records by chance

_LISTED_BEHIND = re.compile(r"(?:\s[^\W\d_]+)?\s\((?P<items>[^()\d;]+)\)")


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
        """Yield the numbers that stand below other dates than those of the statement, which a cell beside is below."""
        of = self._comparison
        if of.calculations:
            return
        for quantity in quantities:
            holding = of.holding[quantity.start]
            if holding and all(self._is_other_column(unit, quantity) for unit in holding):
                yield Finding(kind=FindingKind.ELSEWHERE, text=quantity.text, against=holding[0])

    def _is_other_column(self, unit: SourceUnit, quantity: NumberMention) -> bool:
        """Whether the cells of a record with a number are below dates, and only others below one of the statement."""
        own: list[bool] = []
        other: list[bool] = []
        for cell, column in zip(unit.cells, unit.columns, strict=True):
            heads = dates_above(cell.head.replace("_", " "))
            has_number = any(states(one, quantity) or rounds_to(one, quantity) for one in column)
            (own if has_number else other).append(
                any(date.agrees_with(head) for date in self._comparison.dates for head in heads)
            )
            if has_number and not heads:
                return False
        return bool(own) and not any(own) and any(other)

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
                for at in sorted(names.named):
                    if (other := self._owner_of_facts(table, column, names, at, facts)) is not None:
                        text = table.table.records[at].names[column]
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


def _is_telling(fact: NumberMention | DateMention) -> bool:
    """Whether a fact hardly stands in two records by chance: a date, an amount or a number of several digits."""
    if isinstance(fact, DateMention):
        return True
    return fact.unit is not None or abs(fact.values[0]) / fact.precision >= _TELLING_DIGITS
