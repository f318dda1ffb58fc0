"""CSV as text: one line a row, each value with its column name, so that a line makes sense alone."""

from __future__ import annotations

import csv
import io
import itertools
from collections import Counter

from frasier.kernel.errors import SourceError
from frasier.work.research.documents.untrusted.parsed import Parsed

_DELIMITERS = (",", ";", "\t", "|")
_SAMPLE_ROWS = 20
_SAMPLE_CHARS = 64_000


def parse_delimited(text: str, rows_max: int) -> Parsed:
    """Convert `text` to lines of "column: value; column: value".

    The first row names the columns if it looks like names.
    Raises SourceError, whose message is a predicate.
    """
    delimiter = _choose_delimiter(text)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    lines: list[str] = []
    columns: tuple[str, ...] | None = None
    left_out = 0
    try:
        for row in rows:
            cells = tuple(" ".join(cell.split()) for cell in row)
            if not any(cells):
                continue
            if columns is None:
                named = _names_columns(cells)
                columns = cells if named else tuple(f"column {number}" for number, _ in enumerate(cells, 1))
                if named:
                    continue
            if len(lines) == rows_max:
                left_out += 1
                continue
            lines.append(_render(columns, cells))
    except csv.Error as error:
        raise SourceError(f"is not a readable CSV file (line {rows.line_num}: {error})") from error
    if not lines and columns is not None:
        lines.append("columns: " + "; ".join(columns))
    notes = (f"{left_out:,} rows after the first {rows_max:,} left out",) if left_out else ()
    return Parsed(title="", text="\n".join(lines), notes=notes)


def _choose_delimiter(text: str) -> str:
    """Choose the delimiter that splits the first rows most evenly. (csv.Sniffer takes letters for delimiters.)"""
    best, best_score = ",", 0.0
    for delimiter in _DELIMITERS:
        sample = csv.reader(io.StringIO(text[:_SAMPLE_CHARS], newline=""), delimiter=delimiter)
        try:
            widths = [len(row) for row in itertools.islice(sample, _SAMPLE_ROWS) if row]
        except csv.Error:  # not this delimiter; the parser itself reports errors
            continue
        if not widths:
            continue
        width, count = Counter(widths).most_common(1)[0]
        score = 0.0 if width == 1 else count / len(widths) + min(width, 50) / 1_000
        if score > best_score:
            best, best_score = delimiter, score
    return best


def _names_columns(cells: tuple[str, ...]) -> bool:
    """Whether a first row holds names: all present, all different, none a number."""
    return all(cells) and len(set(cells)) == len(cells) and not any(_is_number(cell) for cell in cells)


def _is_number(cell: str) -> bool:
    return any(c.isdigit() for c in cell) and not any(c.isalpha() for c in cell)


def _render(columns: tuple[str, ...], cells: tuple[str, ...]) -> str:
    extra = (f"column {number}" for number in itertools.count(len(columns) + 1))
    names = itertools.chain(columns, extra)
    return "; ".join(f"{name}: {cell}" for name, cell in zip(names, cells, strict=False) if cell)
