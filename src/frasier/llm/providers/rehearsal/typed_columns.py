"""Columns of a table whose cells are all numbers of one unit, dates, or yes and no, or leave their value open."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from frasier.kernel.cell_values import is_unstated, yes_or_no
from frasier.kernel.dates import PartialDate, find_dates, masked_dates
from frasier.kernel.quantities import find_quantities
from frasier.kernel.source_units import SourceUnit
from frasier.kernel.unit_names import MeasureUnit

Day = tuple[int, int, int]

# A number with its unit, and nothing that makes it a bound, a range or an estimate.
_NUMBER_CELL = re.compile(
    r"(?:[^\W\d_]{1,3}\$|[€$£]|[^\W\d_]{3})?\s?-?\d[\d.,'’\u00a0\u202f ]*\s?(?:[^\W\d_]{1,8}|[€$£%°]\w{0,2})?"
)
_NUMERIC_DATE = re.compile(r"(\d{1,2})[/.-](\d{1,2})[/.-](?:\d{4})")
_MONTHS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberColumn:
    """The numbers of a column by row, and the unit of all of them."""

    head: str
    values: dict[int, Decimal]
    unit: MeasureUnit | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DateColumn:
    head: str
    values: dict[int, Day]


@dataclass(frozen=True, slots=True, kw_only=True)
class YesNoColumn:
    head: str
    values: dict[int, bool]


TypedColumn = NumberColumn | DateColumn | YesNoColumn


def typed_column(rows: Sequence[SourceUnit], at: int) -> TypedColumn | None:
    """Read column `at` of some rows; None if a cell is of another kind. Cells that leave their value open have none."""
    texts = {
        number: row.cells[at].text for number, row in enumerate(rows) if not is_unstated(row.cells[at].text)
    }
    head = rows[0].cells[at].head
    if not texts:
        return None
    answers = {number: yes_or_no(text) for number, text in texts.items() if len(text.split()) == 1}
    if len(answers) == len(texts) and None not in answers.values():
        return YesNoColumn(
            head=head, values={n: answer for n, answer in answers.items() if answer is not None}
        )
    days = _days(texts)
    return DateColumn(head=head, values=days) if days else _numbers(rows, at, head, texts)


def _numbers(rows: Sequence[SourceUnit], at: int, head: str, texts: dict[int, str]) -> NumberColumn | None:
    values: dict[int, Decimal] = {}
    units: set[MeasureUnit | None] = set()
    for number, text in texts.items():
        mentions = find_quantities(text)
        if not _NUMBER_CELL.fullmatch(text.strip()) or len(mentions) != 1 or len(mentions[0].values) != 1:
            return None
        values[number] = mentions[0].values[0]
        named = {one.unit for one in rows[number].columns[at] if one.unit is not None}
        units.add(named.pop() if len(named) == 1 else None)
    return NumberColumn(head=head, values=values, unit=units.pop()) if len(units) == 1 else None


def _days(texts: dict[int, str]) -> dict[int, Day]:
    """The days of the cells; none if a cell is no single day, or nothing tells the day from the month."""
    is_day_first = _is_day_first(list(texts.values()))
    days: dict[int, Day] = {}
    for number, text in texts.items():
        mentions = find_dates(text)
        if len(mentions) != 1 or masked_dates(text, mentions).strip():
            return {}
        readings = [one for one in mentions[0].readings if one.year and one.month and one.day]
        if (
            len(readings) > 1
            and is_day_first is not None
            and (parts := _NUMERIC_DATE.fullmatch(text.strip()))
        ):
            wanted = int(parts[1 if is_day_first else 2])
            readings = [one for one in readings if one.day == wanted]
        if len(readings) != 1:
            return {}
        days[number] = _day(readings[0])
    return days


def _day(date: PartialDate) -> Day:
    return date.year or 0, date.month or 0, date.day or 0


def _is_day_first(texts: Sequence[str]) -> bool | None:
    """Return whether the day stands before the month, as those cells of a column show that have one reading."""
    parts = [(int(m[1]), int(m[2])) for text in texts if (m := _NUMERIC_DATE.fullmatch(text.strip()))]
    day_first = any(first > _MONTHS for first, _ in parts)
    month_first = any(second > _MONTHS for _, second in parts)
    return day_first if day_first != month_first else None
