"""The rows of a table: read from replies, checked against their documents, filtered and sorted. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from frasier.kernel.cell_values import yes_or_no
from frasier.kernel.dates import PartialDate, find_dates
from frasier.kernel.quantities import find_quantities
from frasier.kernel.source_units import SourceText
from frasier.kernel.unit_names import MeasureUnit
from frasier.llm.reply_schemas import ExtractedRow, RowCondition, TableColumn, TablePlan
from frasier.org.missions import TableCell, TableRow
from frasier.work.collections.packing import DocumentPart
from frasier.work.collections.quoted_fields import other_field
from frasier.work.verification.facts import quotes

_YEAR = re.compile(r"\b(?:1[5-9]|2[01])\d\d\b")

Key = Decimal | tuple[int, int, int] | bool | str


def read_rows(
    plan: TablePlan, rows: Sequence[ExtractedRow], part: DocumentPart, document: SourceText
) -> tuple[TableRow, ...] | str:
    """Return the rows that a reply has of a part of a document, or why they cannot be used.

    A row that is written twice counts once, unless the part has its words more often.
    """
    names = [column.name for column in plan.columns]
    said = SourceText(number=part.number, title=part.title, text=part.text)
    is_only_row = len(rows) == 1 and not plan.entry
    read: list[TableRow] = []
    for row in rows:
        cells = {
            cell.column: TableCell(value=cell.value.strip(), quotation=cell.quotation.strip())
            for cell in row.cells
        }
        if unknown := sorted(set(cells) - set(names)):
            return f"the reply has a column “{unknown[0]}”, which was not asked for"
        for column in plan.columns:
            cell = cells.get(column.name, TableCell())
            if cell.value and (flaw := _flaw(column, cell, said, is_only_row=is_only_row)):
                return flaw
        read.append(
            TableRow(
                source=part.number,
                cells=tuple(
                    cell if (cell := cells.get(name, TableCell())).value else TableCell() for name in names
                ),
            )
        )
    return tuple(_placed(read, part, document)) or "the reply has no row for it"


def _placed(rows: Sequence[TableRow], part: DocumentPart, document: SourceText) -> Iterator[TableRow]:
    """Yield the rows with the places of their quotations: of equal rows each has an occurrence of its own."""
    written: Counter[TableRow] = Counter()
    for row in rows:
        occurrences = [
            _occurrences(part.text, cell.quotation) if cell.quotation else [] for cell in row.cells
        ]
        turn = written[row]
        written[row] += 1
        # The cell that stands most often tells entries apart; one of a heading stands once for all of them.
        if turn and turn >= max(map(len, filter(None, occurrences)), default=1):
            continue
        yield TableRow(
            source=row.source,
            cells=tuple(
                replace(cell, place=_place(document, part, spans, turn)) if spans else cell
                for cell, spans in zip(row.cells, occurrences, strict=True)
            ),
        )


def _place(document: SourceText, part: DocumentPart, spans: Sequence[tuple[int, int]], turn: int) -> str:
    start, end = spans[min(turn, len(spans) - 1)]
    return document.location_of(part.start + start, part.start + end)


def _occurrences(text: str, quotation: str) -> list[tuple[int, int]]:
    """Return where the words of a quotation stand in a text, whatever stands between them."""
    words = re.findall(r"\w+", quotation)
    pattern = re.compile(r"\W+".join(map(re.escape, words)), re.IGNORECASE)
    return [match.span() for match in pattern.finditer(text)] if words else []


def _flaw(column: TableColumn, cell: TableCell, document: SourceText, *, is_only_row: bool) -> str:
    """Return why a cell cannot be used.

    Its quotation must stand in the document, hold what the value says, and be of no other field.
    """
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
    other = other_field(column, cell, document, is_only_row=is_only_row)
    return f"the value of “{column.name}” is that of “{other}”" if other else ""


def join_parts(
    parts: Sequence[tuple[DocumentPart, Sequence[TableRow]]], *, several_rows: bool
) -> tuple[TableRow, ...]:
    """Join what the parts of a document say: rows of single parts side by side, single rows into one.

    With `several_rows` the rows stay apart, but for an entry that goes on in the next part.
    """
    filled = [(part, kept) for part, rows in parts if (kept := [row for row in rows if says(row)])]
    if not filled:
        return tuple(parts[0][1][:1])
    if not several_rows and all(len(rows) == 1 for _, rows in filled):
        return (_joined([rows[0] for _, rows in filled]),)
    joined: list[TableRow] = []
    for part, rows in filled:
        goes_on = part.continues and joined and _is_one(joined[-1], rows[0])
        if goes_on:
            joined[-1] = _joined([joined[-1], rows[0]])
        joined += rows[1:] if goes_on else rows
    return tuple(joined)


def says(row: TableRow) -> bool:
    """Return whether a row has a value."""
    return any(cell.value for cell in row.cells)


def _is_one(first: TableRow, second: TableRow) -> bool:
    """Whether two rows may be halves of one: no column has two values."""
    return all(
        not one.value or not other.value or one.value == other.value
        for one, other in zip(first.cells, second.cells, strict=True)
    )


def _joined(rows: Sequence[TableRow]) -> TableRow:
    return TableRow(
        source=rows[0].source, cells=tuple(map(_join, zip(*(row.cells for row in rows), strict=True)))
    )


def _join(cells: Sequence[TableCell]) -> TableCell:
    """One cell of what several parts say of a column; different values stand side by side."""
    distinct = {cell.value: cell for cell in cells if cell.value}
    return TableCell(
        value="; ".join(distinct),
        quotation=" … ".join(cell.quotation for cell in distinct.values()),
        place="; ".join(dict.fromkeys(cell.place for cell in distinct.values() if cell.place)),
    )


def keep_and_sort(plan: TablePlan, rows: Sequence[TableRow]) -> tuple[TableRow, ...]:
    """Return the rows that meet all conditions, sorted; a row without the value that a condition asks for is not kept.

    The empty row of a document that has no value is none. Rows without a value to sort by stand last. Numbers whose
    units cannot be converted are sorted within each unit. What is revoked stands behind what holds.
    """
    at = {column.name: number for number, column in enumerate(plan.columns)}
    kinds = {column.name: column.kind for column in plan.columns}
    kept = [
        row
        for row in rows
        if says(row)
        and all(_meets(row.cells[at[c.column]].value, c, kinds[c.column]) for c in plan.conditions)
    ]
    kept.sort(key=lambda row: row.revoked_by is not None)
    if plan.sort_by not in at:
        return tuple(kept)
    read = _READERS[kinds[plan.sort_by]]
    keys = {id(row): read(row.cells[at[plan.sort_by]].value) for row in kept}
    known = [row for row in kept if keys[id(row)] is not None]
    known.sort(key=lambda row: keys[id(row)], reverse=plan.descending)  # type: ignore[arg-type,return-value]
    if units_sorted_apart(plan, kept):
        known.sort(key=lambda row: _dimension(row.cells[at[plan.sort_by]].value))
    ordered = [*known, *(row for row in kept if keys[id(row)] is None)]
    return tuple(sorted(ordered, key=lambda row: row.revoked_by is not None))


def units_sorted_apart(plan: TablePlan, rows: Sequence[TableRow]) -> tuple[str, ...]:
    """Return the units of the column that rows are sorted by, if they are of several dimensions: EUR and USD."""
    at = next((at for at, one in enumerate(plan.columns) if one.name == plan.sort_by), None)
    if at is None or plan.columns[at].kind != "number":
        return ()
    units = [unit for row in rows if (unit := _unit(row.cells[at].value))]
    names = sorted({unit.name for unit in units})
    return tuple(names) if len({unit.dimension for unit in units}) > 1 else ()


def _unit(value: str) -> MeasureUnit | None:
    mentions = find_quantities(value)
    return mentions[0].unit if mentions else None


def _dimension(value: str) -> str:
    unit = _unit(value)
    return unit.dimension if unit else ""


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
