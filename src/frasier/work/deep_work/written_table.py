"""The table that an author wrote as data: its faults, and its rows with the words that they rest on. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from frasier.kernel.cell_values import cell_value
from frasier.kernel.records import is_table_rule
from frasier.llm import ColumnToFill, Verification
from frasier.org.planning import ResultTable, TableCell, TableRow
from frasier.work.verification.citations import body_lines, cited_numbers, without_citations
from frasier.work.verification.verify import without_marks

_SOURCE = "source"
_FAULTS_MAX = 8
_KINDS = {"number": "one number", "date": "one date with its year", "yes_no": "yes or no"}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """A row as it is written, with its cells."""

    text: str
    cells: tuple[str, ...]


def find_table_faults(text: str, columns: Sequence[ColumnToFill]) -> list[str]:
    """List the faults of a text as data with these columns, one sentence each."""
    lines = _find_table(text, columns)
    if lines is None:
        head = ", ".join([*(column.name for column in columns), _SOURCE])
        return [f"It has no table with the columns {head}, in this order."]
    return [fault for at, line in enumerate(lines, start=1) for fault in _row_faults(at, line, columns)][
        :_FAULTS_MAX
    ]


def _row_faults(at: int, line: _Line, columns: Sequence[ColumnToFill]) -> Iterator[str]:
    if len(line.cells) != len(columns) + 1:
        yield f"Row {at} has {len(line.cells)} cells in place of {len(columns) + 1}."
        return
    if not cited_numbers(line.cells[-1]):
        yield f"Row {at} does not name its source, like [3], in its last cell."
    for column, cell in zip(columns, line.cells, strict=False):
        value = without_citations(cell).strip()
        if value and cell_value(column.kind, value) is None:
            yield f"Row {at}: “{value[:60]}” in the column {column.name} is not {_KINDS[column.kind]}."


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
        values = [without_citations(cell).strip() for cell in line.cells[:-1]]
        quotation = passages.get(line.text, "")
        cells = tuple(
            TableCell(value=value, quotation=quotation) if value else TableCell() for value in values
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
        if [cell.casefold() for cell in _cells(line)] == wanted and is_table_rule(lines[at + 1]):
            rows = []
            for row in lines[at + 2 :]:
                if not row.startswith("|"):
                    break
                rows.append(_Line(text=row, cells=tuple(_cells(row))))
            return rows
    return None


def _cells(line: str) -> list[str]:
    if not line.startswith("|"):
        return []
    inner = re.sub(r"(?<!\\)\|$", "", line[1:])
    return [cell.replace("\\|", "|").strip() for cell in re.split(r"(?<!\\)\|", inner)]
