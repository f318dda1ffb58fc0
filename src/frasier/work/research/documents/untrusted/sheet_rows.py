"""The cells of a worksheet as lines: titles as text, tables with the names of their columns beside each value."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .table_rows import count_pairs, is_form, render_form, render_row

_YEAR = re.compile(r"(?:19|20)\d\d(?:-\d\d){0,2}")
_MANY_PERIODS = 2
_FORM_COLUMNS = 2
_PAIRS_MAX = 40


@dataclass(frozen=True, slots=True)
class SheetCell:
    """A cell as it is shown; `is_text` tells names from numbers, dates, and yes or no."""

    text: str
    is_text: bool


Row = dict[int, SheetCell]
"""The cells of a row that are not empty, by the number of their column."""


@dataclass(frozen=True, slots=True)
class MergedRange:
    """A merged range, by its first and last rows and columns."""

    top: int
    left: int
    bottom: int
    right: int


def render_rows(rows: Sequence[tuple[int, Row]], spans: Sequence[MergedRange]) -> Iterator[str]:
    """Yield the lines of a sheet, whose rows are given with their numbers and without the empty ones.

    A value that is merged over several rows stands in each of them. A first row of names over merged columns is joined
    with the row below it. A row of names after an empty row begins another table, or a form.
    """
    rows = _filled_down(rows, spans)
    used = sorted({column for _, row in rows for column in row})
    columns: list[str] | None = None
    has_rows = True
    last = at = 0
    while at < len(rows):
        number, row = rows[at]
        below = rows[at + 1][1] if at + 1 < len(rows) else {}
        is_after_gap = number > last + 1
        begins = columns is None or is_after_gap
        if begins and (form := _form_from(rows[at:], used) or _pairs_from(rows[at:], used, spans)):
            yield from render_form(form)
            at += len(form)
            last = rows[at - 1][0]
            continue
        last = number
        at += 1
        if begins and len(row) == 1 and len(used) > 1:
            yield next(iter(row.values())).text  # a title
            continue
        if _names_columns(row) and (columns is None or (is_after_gap and _has_values(below))):
            wide = [span for span in spans if span.top == number and span.right > span.left]
            if wide and below and all(cell.is_text for cell in below.values()):
                row = _joined(row, below, wide)
                last = rows[at][0]
                at += 1
            columns = [row[column].text if column in row else "" for column in used]
            has_rows = False
            continue
        columns = columns or []
        has_rows = True
        yield render_row(columns, [row[column].text if column in row else "" for column in used])
    if columns and not has_rows:
        yield "columns: " + "; ".join(filter(None, columns))


def _form_from(rows: Sequence[tuple[int, Row]], used: Sequence[int]) -> list[list[str]]:
    """Return the rows up to the next empty one as names with values; none if they are a table or a title."""
    first = rows[0][0]
    block = [row for at, (number, row) in enumerate(rows) if number == first + at]
    texts = [[cell.text for _, cell in sorted(row.items())] for row in block]
    has_names = len(used) >= _FORM_COLUMNS and all(row[min(row)].is_text for row in block)
    return texts if has_names and is_form(texts) else []


def _pairs_from(
    rows: Sequence[tuple[int, Row]], used: Sequence[int], spans: Sequence[MergedRange]
) -> list[list[str]]:
    """Return the rows of a name with its value that stand above the names of a table, with or without an empty row."""
    count = count_pairs([[cell.text for _, cell in sorted(row.items())] for _, row in rows[:_PAIRS_MAX]])
    pairs = rows[:count]
    below = rows[count][1]
    over = {span.top for span in spans if span.right > span.left}
    is_group = count == 1 and rows[0][0] in over
    if is_group or not _names_columns(below) or any(min(row) != used[0] for _, row in pairs):
        return []
    return [[cell.text for _, cell in sorted(row.items())] for _, row in pairs]


def _filled_down(rows: Sequence[tuple[int, Row]], spans: Sequence[MergedRange]) -> list[tuple[int, Row]]:
    filled = {number: dict(row) for number, row in rows}
    for span in spans:
        value = filled.get(span.top, {}).get(span.left)
        if value is not None and span.bottom > span.top:
            for number in filled.keys() & range(span.top + 1, span.bottom + 1):
                filled[number].setdefault(span.left, value)
    return list(filled.items())


def _names_columns(row: Row) -> bool:
    """Whether a row holds names: different texts, or a text before years or days."""
    texts = [cell.text for cell in row.values()]
    others = [cell for cell in row.values() if not cell.is_text]
    first = row[min(row)]
    periods = len(others) >= _MANY_PERIODS and all(_YEAR.fullmatch(cell.text) for cell in others)
    return len(set(texts)) == len(texts) > 1 and (not others or (first.is_text and periods))


def _has_values(row: Row) -> bool:
    return any(not cell.is_text for cell in row.values())


def _joined(upper: Row, lower: Row, wide: Sequence[MergedRange]) -> Row:
    """Return the names of two rows, the upper of which names several columns of the lower together."""
    over = {column: span.left for span in wide for column in lower if span.left <= column <= span.right}
    names: Row = {}
    for column in upper.keys() | lower.keys():
        cells = [upper.get(over.get(column, column)), lower.get(column)]
        texts = dict.fromkeys(cell.text for cell in cells if cell is not None)
        names[column] = SheetCell(" ".join(texts), is_text=True)
    return names
