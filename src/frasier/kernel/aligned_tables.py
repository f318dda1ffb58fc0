"""Tables whose columns are aligned by blanks, as rows with bars. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise, takewhile
from typing import TypeAlias

_COLUMN = re.compile(r"\S+(?: \S+)*")
_NAME = re.compile(r"[^\W\d_][^|:;]{0,29}|(?:19|20)\d\d(?:/\d\d(?:\d\d)?)?|\d[\d.,]*\+")
_COLUMNS_MIN = 3
_ROWS_MIN = 2

_Span: TypeAlias = tuple[int, int]


def with_bars(text: str) -> str:
    """Return a text in which the lines of an aligned table are rows with bars; it has as many lines as before.

    A table has a line of names and at least two rows below it, each with a value in most of its columns. A column is
    aligned to the left or to the right end of its name.
    """
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        names = _names(lines[at])
        below = (lines[number] for number in range(at + 1, len(lines)))
        rows = list(takewhile(bool, (_cells(line, names) for line in below))) if names else []
        if len(rows) >= _ROWS_MIN:
            head = [lines[at][start:end] for start, end in names]
            lines[at : at + 1 + len(rows)] = [f"| {' | '.join(row)} |" for row in (head, *rows)]
            at += len(rows)
        at += 1
    return "\n".join(lines)


def _names(line: str) -> Sequence[_Span]:
    """Return where the names of columns stand in a line; none in a line that names no columns."""
    found = list(_COLUMN.finditer(line))
    are_names = len(found) >= _COLUMNS_MIN and all(_NAME.fullmatch(name[0]) for name in found)
    return [name.span() for name in found] if are_names and found[0][0][0].isalpha() else []


def _cells(line: str, names: Sequence[_Span]) -> Sequence[str]:
    """Return the cells of a line below the names; none of a line that is no row."""
    cells = _cut_at_starts(line, names) if _begins_at_starts(line, names) else _cut_at_blanks(line, names)
    filled = sum(map(bool, cells))
    return cells if filled * 2 > len(names) and "|" not in line else []


def _begins_at_starts(line: str, names: Sequence[_Span]) -> bool:
    """Return whether most columns begin where their names do."""
    begins = [
        start < len(line) and line[start] != " " and (start == 0 or line[start - 1] == " ")
        for start, _ in names
    ]
    return sum(begins) * 2 > len(names)


def _cut_at_starts(line: str, names: Sequence[_Span]) -> Sequence[str]:
    """Cut a line where the names begin; a cell that is too long for its column pushes the next one to the right."""
    edges = [0]
    for start, _ in names[1:]:
        edge = max(start, edges[-1])
        if start > edges[-1] and start < len(line) and line[start - 1] != " ":
            blank = line.find(" ", start)
            edge = blank + 1 if blank >= 0 else len(line)
        edges.append(edge)
    return [line[a:b].strip() for a, b in pairwise([*edges, len(line)])]


def _cut_at_blanks(line: str, names: Sequence[_Span]) -> Sequence[str]:
    """Cut a line at its wide blanks, and give each value to the column whose name it stands under."""
    cells = [""] * len(names)
    last = -1
    for value in _COLUMN.finditer(line):
        at = min(range(len(names)), key=lambda column: _distance(value.span(), names[column]))
        if at <= last:
            return []
        cells[at] = value[0]
        last = at
    return cells


def _distance(value: _Span, name: _Span) -> int:
    """Return by how much a value is not aligned with a name, at their beginnings or at their ends."""
    return min(abs(value[0] - name[0]), abs(value[1] - name[1]))
