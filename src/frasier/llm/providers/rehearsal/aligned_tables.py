"""Tables whose columns are aligned by blanks, as rows with bars."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_COLUMN = re.compile(r"\S+(?: \S+)*")
_COLUMNS_MIN = 3
_ROWS_MIN = 2


def with_bars(text: str) -> str:
    """Return a text in which the lines of an aligned table are rows with bars; it has as many lines as before.

    A table has a line of names without digits and at least two rows below it, each with a value in most of its columns.
    """
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        starts = _starts(lines[at])
        rows = _rows_below((lines[below] for below in range(at + 1, len(lines))), starts) if starts else []
        if len(rows) >= _ROWS_MIN:
            cells = [_cut(line, starts) for line in (lines[at], *lines[at + 1 : at + 1 + len(rows)])]
            lines[at : at + 1 + len(rows)] = [f"| {' | '.join(row)} |" for row in cells]
            at += len(rows)
        at += 1
    return "\n".join(lines)


def _starts(line: str) -> list[int]:
    """The places at which the names of columns begin; none in a line that names no columns."""
    names = list(_COLUMN.finditer(line))
    is_head = len(names) >= _COLUMNS_MIN and not re.search(r"[\d|:;.]", line)
    return [name.start() for name in names] if is_head else []


def _rows_below(lines: Iterable[str], starts: Sequence[int]) -> list[str]:
    rows: list[str] = []
    for line in lines:
        filled = [cell for cell in _cut(line, starts) if cell]
        if "|" in line or len(filled) * 2 <= len(starts) or not _is_aligned(line, starts):
            break
        rows.append(line)
    return rows


def _is_aligned(line: str, starts: Sequence[int]) -> bool:
    """Return whether most columns begin at their places."""
    begins = [
        start < len(line) and line[start] != " " and (start == 0 or line[start - 1] == " ")
        for start in starts
    ]
    return sum(begins) * 2 > len(starts)


def _cut(line: str, starts: Sequence[int]) -> list[str]:
    """The cells of a line; one that is too long for its column pushes the next one to the right."""
    edges = [0]
    for start in starts[1:]:
        edge = max(start, edges[-1])
        if start > edges[-1] and start < len(line) and line[start - 1] != " ":
            blank = line.find(" ", start)
            edge = blank + 1 if blank >= 0 else len(line)
        edges.append(edge)
    return [line[a:b].strip() for a, b in zip(edges, [*edges[1:], None], strict=True)]
