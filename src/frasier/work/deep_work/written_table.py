"""The table that an author wrote as data: its faults, and its rows with the words that they rest on. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from frasier.kernel.cell_values import Value, column_values, is_unstated
from frasier.kernel.records import is_table_rule
from frasier.llm import ColumnToFill, Verification
from frasier.org.missions import ResultTable, TableCell, TableRow
from frasier.work.verification.citations import body_lines, cited_numbers, without_citations
from frasier.work.verification.verify import without_marks

_SOURCE = "source"
_PAIRED = re.compile(r"(\*\*|__|\*|`)(?=\S)(.+?)(?<=\S)\1")
_LINK = re.compile(r"\[([^\]]+)\]\([^)\s]+\)")
_BREAK = re.compile(r"<br ?/?>")
_ESCAPED = re.compile(r"\\([\\`*_{}\[\]()<>#+.!~|-])")
_DASHES = re.compile(r"[-–—]+")
_FAULTS_MAX = 8
_KINDS = {"number": "one number", "date": "one date with its year", "yes_no": "yes or no"}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """A row as it is written, with its cells as text; the last one, which names the source, stays as it is."""

    text: str
    cells: tuple[str, ...]


def find_table_faults(text: str, columns: Sequence[ColumnToFill]) -> list[str]:
    """List the faults of a text as data with these columns, one sentence each."""
    lines = _find_table(text, columns)
    if lines is None:
        head = ", ".join([*(column.name for column in columns), _SOURCE])
        return [f"It has no table with the columns {head}, in this order."]
    read = [
        column_values(column.kind, [line.cells[at] if at < len(line.cells) else "" for line in lines])
        for at, column in enumerate(columns)
    ]
    faults = [
        fault
        for at, (line, *values) in enumerate(zip(lines, *read, strict=True), start=1)
        for fault in _row_faults(at, line, values, columns)
    ]
    return faults[:_FAULTS_MAX]


def _row_faults(
    at: int, line: _Line, values: Sequence[Value | None], columns: Sequence[ColumnToFill]
) -> Iterator[str]:
    if len(line.cells) != len(columns) + 1:
        yield f"Row {at} has {len(line.cells)} cells in place of {len(columns) + 1}."
        return
    if not cited_numbers(line.cells[-1]):
        yield f"Row {at} does not name its source, like [3], in its last cell."
    for column, cell, value in zip(columns, line.cells, values, strict=False):
        if value is None and not is_unstated(cell):
            yield f"Row {at}: “{cell[:60]}” in the column {column.name} is not {_KINDS[column.kind]}."


def read_table(text: str, columns: Sequence[ColumnToFill], verification: Verification) -> ResultTable:
    """Read the table of a text without faults; a cell is quoted with the passage that its row was compared with."""
    passages = {
        statement.markdown: statement.passages[0].text
        for statement in verification.statements
        if statement.passages
    }
    rows = []
    for line in _find_table(text, columns) or ():
        if len(line.cells) != len(columns) + 1 or not cited_numbers(line.cells[-1]):
            continue
        quotation = passages.get(line.text, "")
        cells = tuple(
            TableCell(value=value, quotation=quotation) if value else TableCell() for value in line.cells[:-1]
        )
        rows.append(TableRow(source=cited_numbers(line.cells[-1])[0], cells=cells))
    return ResultTable(
        columns=tuple(column.name for column in columns),
        rows=tuple(rows),
        documents=len({row.source for row in rows}),
    )


def _find_table(text: str, columns: Sequence[ColumnToFill]) -> list[_Line] | None:
    """Return the rows of the table with these columns; None if there is no such table."""
    wanted = [*(column.name.casefold() for column in columns), _SOURCE]
    lines = list(body_lines(without_marks(text)))
    for at, line in enumerate(lines[:-1]):
        if [_plain(cell).casefold() for cell in _cells(line)] == wanted and is_table_rule(lines[at + 1]):
            rows = []
            for row in lines[at + 2 :]:
                if not row.startswith("|"):
                    break
                *cells, source = _cells(row)
                rows.append(_Line(text=row, cells=(*map(_plain, cells), source)))
            return rows
    return None


def _plain(cell: str) -> str:
    """Return a cell without citations and mark-up, which would be part of the value; empty for a dash alone."""
    text = _LINK.sub(r"\1", _BREAK.sub(" ", without_citations(cell)))
    text = _ESCAPED.sub(r"\1", _PAIRED.sub(r"\2", text)).strip()
    return "" if _DASHES.fullmatch(text) else text


def _cells(line: str) -> list[str]:
    if not line.startswith("|"):
        return []
    inner = re.sub(r"(?<!\\)\|$", "", line[1:])
    return [cell.replace("\\|", "|").strip() for cell in re.split(r"(?<!\\)\|", inner)]
