"""CSV as text: one line a row, each value with its column name, so that a line makes sense alone."""

from __future__ import annotations

import csv
import io
import itertools
from collections import Counter
from collections.abc import Iterator, Sequence

from frasier.kernel.errors import SourceError
from frasier.work.research.documents.untrusted.parsed import Parsed
from frasier.work.research.documents.untrusted.table_rows import count_pairs, names_columns, render_row

_DELIMITERS = (",", ";", "\t", "|")
_LINES_SHOWN = 5
_HEAD_MIN = 3
_SAMPLE_ROWS = 20
_SAMPLE_CHARS = 64_000


def parse_delimited(text: str, rows_max: int) -> Parsed:
    """Convert `text` to lines of "column: value; column: value".

    The first row names the columns if it looks like names. Where a quotation mark is never closed, lines are rows.
    Raises SourceError, whose message is a predicate.
    """
    rows = _Rows(text, _choose_delimiter(text))
    lines: list[str] = []
    columns: tuple[str, ...] | None = None
    left_out = 0
    try:
        read = (tuple(" ".join(cell.split()) for cell in row) for row in rows.read())
        full = (cells for cells in read if any(cells))
        first = list(itertools.islice(full, _SAMPLE_ROWS))
        above = _rows_above(first)
        lines.extend(": ".join(filter(None, cells)) for cells in first[:above])
        for cells in itertools.chain(first[above:], full):
            if columns is None:
                named = names_columns(cells)
                columns = cells if named else ()
                if named:
                    continue
            if len(lines) == rows_max:
                left_out += 1
                continue
            lines.append(render_row(columns, cells))
    except csv.Error as error:
        raise SourceError(f"is not a readable CSV file (line {rows.line_num}: {error})") from error
    if not lines and columns:
        lines.append("columns: " + "; ".join(columns))
    notes = (
        *rows.notes,
        *((f"{left_out:,} rows after the first {rows_max:,} left out",) if left_out else ()),
    )
    return Parsed(title="", text="\n".join(lines), notes=notes)


def _rows_above(rows: Sequence[tuple[str, ...]]) -> int:
    """Count the titles and the names with values that an export has above the names of its columns."""
    filled = [tuple(filter(None, cells)) for cells in rows]
    titles = sum(1 for _ in itertools.takewhile(lambda cells: len(cells) == 1, filled))
    above = titles + count_pairs(filled[titles:])
    return above if above < len(rows) and len(rows[above]) >= _HEAD_MIN and names_columns(rows[above]) else 0


class _Rows:
    """The rows of a CSV text, with the number of the line read last.

    `unclosed` are the lines in which a quotation mark begins a cell that none ends.
    """

    def __init__(self, text: str, delimiter: str) -> None:
        self._lines = io.StringIO(text, newline="").readlines()
        self._delimiter = delimiter
        self.line_num = 0
        self.unclosed: list[int] = []

    def read(self) -> Iterator[list[str]]:
        """Yield the rows; a line whose quotation mark is never closed is a row of its own, and so are the next ones."""
        while self.line_num < len(self._lines):
            start = self.line_num
            reader = csv.reader(self._lines_from(start), delimiter=self._delimiter, strict=True)
            try:
                for row in reader:
                    self.line_num = start + reader.line_num
                    yield row
            except csv.Error:
                is_in_line = start + reader.line_num == self.line_num + 1 and self._is_closed(self.line_num)
                yield self._read_line(is_in_line=is_in_line)

    @property
    def notes(self) -> tuple[str, ...]:
        """A warning where lines were read without their quotation marks."""
        if not self.unclosed:
            return ()
        more = len(self.unclosed) - _LINES_SHOWN
        named = ", ".join(f"{number:,}" for number in self.unclosed[:_LINES_SHOWN])
        where = f"line {named}{f' and {more:,} more' if more > 0 else ''}"
        return (f"a quotation mark is never closed in {where}; it was read as a row of its own",)

    def _lines_from(self, start: int) -> Iterator[str]:
        return (self._lines[at] for at in range(start, len(self._lines)))

    def _is_closed(self, at: int) -> bool:
        return self._lines[at].count('"') % 2 == 0

    def _read_line(self, *, is_in_line: bool) -> list[str]:
        """Read the next line alone, tolerantly if its own quotation marks are the flaw, else without them."""
        line = self._lines[self.line_num]
        self.line_num += 1
        if is_in_line:
            return next(csv.reader([line], delimiter=self._delimiter))
        self.unclosed.append(self.line_num)
        plain = csv.reader([line.replace('"', "")], delimiter=self._delimiter, quoting=csv.QUOTE_NONE)
        return next(plain)


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
