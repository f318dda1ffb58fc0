"""The rows of a table: read from replies, checked against their documents, filtered and sorted. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from decimal import Decimal

from frasier.kernel.cell_values import yes_or_no
from frasier.kernel.dates import PartialDate, find_dates
from frasier.kernel.quantities import find_quantities
from frasier.kernel.source_units import SourceText
from frasier.llm.reply_schemas import ExtractedRow, RowCondition, TableColumn, TablePlan
from frasier.org.planning import TableCell, TableRow
from frasier.work.verification.facts import quotes

_YEAR = re.compile(r"\b(?:1[5-9]|2[01])\d\d\b")

Key = Decimal | tuple[int, int, int] | bool | str


def read_rows(
    plan: TablePlan, rows: Sequence[ExtractedRow], document: SourceText
) -> tuple[TableRow, ...] | str:
    """Return the rows that a reply has of a document, or why they cannot be used."""
    names = [column.name for column in plan.columns]
    read = []
    for row in rows:
        cells = {
            cell.column: TableCell(value=cell.value.strip(), quotation=cell.quotation.strip())
            for cell in row.cells
        }
        if unknown := sorted(set(cells) - set(names)):
            return f"the reply has a column “{unknown[0]}”, which was not asked for"
        for column in plan.columns:
            cell = cells.get(column.name, TableCell())
            if cell.value and (flaw := _flaw(column, cell, document)):
                return flaw
        read.append(
            TableRow(
                source=document.number,
                cells=tuple(
                    cell if (cell := cells.get(name, TableCell())).value else TableCell() for name in names
                ),
            )
        )
    return tuple(read) or "the reply has no row for it"


def _flaw(column: TableColumn, cell: TableCell, document: SourceText) -> str:
    """Return why a cell cannot be used: its quotation must stand in the document, and hold what the value says."""
    if not cell.quotation or not quotes(document, cell.quotation):
        return f"the words quoted for “{column.name}” do not stand in it"
    if column.kind == "number":
        said = {value for mention in find_quantities(cell.quotation) for value in mention.values}
        if not said & {value for mention in find_quantities(cell.value) for value in mention.values}:
            return f"the number of “{column.name}” is not in the words quoted for it"
    if column.kind == "date" and not any(
        said.is_within(date) or date.is_within(said)
        for said in _dates(cell.quotation)
        for date in _dates(cell.value)
    ):
        return f"the date of “{column.name}” is not in the words quoted for it"
    return ""


def join_parts(parts: Sequence[Sequence[TableRow]]) -> tuple[TableRow, ...]:
    """Join what the parts of a long document say: rows of single parts side by side, single rows into one."""
    filled = [rows for rows in parts if any(cell.value for row in rows for cell in row.cells)]
    if not filled:
        return tuple(parts[0])
    if any(len(rows) > 1 for rows in filled):
        return tuple(row for rows in filled for row in rows if any(cell.value for cell in row.cells))
    return (
        TableRow(
            source=filled[0][0].source,
            cells=tuple(map(_join, zip(*(rows[0].cells for rows in filled), strict=True))),
        ),
    )


def _join(cells: Sequence[TableCell]) -> TableCell:
    """One cell of what several parts say of a column; different values stand side by side."""
    distinct = {cell.value: cell for cell in cells if cell.value}
    return TableCell(
        value="; ".join(distinct), quotation=" … ".join(cell.quotation for cell in distinct.values())
    )


def keep_and_sort(plan: TablePlan, rows: Sequence[TableRow]) -> tuple[TableRow, ...]:
    """Return the rows that meet all conditions, sorted; a row without the value that a condition asks for is not kept.

    Rows without a value to sort by stand last.
    """
    at = {column.name: number for number, column in enumerate(plan.columns)}
    kinds = {column.name: column.kind for column in plan.columns}
    kept = [
        row
        for row in rows
        if all(_meets(row.cells[at[c.column]].value, c, kinds[c.column]) for c in plan.conditions)
    ]
    if plan.sort_by not in at:
        return tuple(kept)
    read = _READERS[kinds[plan.sort_by]]
    keys = {id(row): read(row.cells[at[plan.sort_by]].value) for row in kept}
    known = [row for row in kept if keys[id(row)] is not None]
    known.sort(key=lambda row: keys[id(row)], reverse=plan.descending)  # type: ignore[arg-type,return-value]
    return (*known, *(row for row in kept if keys[id(row)] is None))


def _meets(value: str, condition: RowCondition, kind: str) -> bool:
    if not value or condition.operator == "is_known":
        return bool(value)
    if condition.operator == "contains":
        return condition.value.casefold() in value.casefold()
    mine, wanted = _READERS[kind](value), _READERS[kind](condition.value)
    if mine is None or wanted is None:
        return False
    match condition.operator:
        case "is":
            return mine == wanted
        case "is_not":
            return mine != wanted
        case "at_least":
            return mine >= wanted  # type: ignore[operator]
        case "at_most":
            return mine <= wanted  # type: ignore[operator]


def _number(value: str) -> Key | None:
    mentions = find_quantities(value)
    return mentions[0].base_values[0] if mentions else None


def _date(value: str) -> Key | None:
    dated = (date for date in _dates(value) if date.year is not None)
    return next(((date.year or 0, date.month or 0, date.day or 0) for date in dated), None)


def _dates(text: str) -> list[PartialDate]:
    """The dates of a text; where it has none, its bare years."""
    named = [reading for mention in find_dates(text) for reading in mention.readings]
    return named or [PartialDate(year=int(year)) for year in _YEAR.findall(text)]


def _text(value: str) -> Key | None:
    return value.casefold() or None


_READERS: dict[str, Callable[[str], Key | None]] = {
    "number": _number,
    "date": _date,
    "yes_no": yes_or_no,
    "text": _text,
}
