"""Rows of tables as lines: each value with its column name, so that a line makes sense alone."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

_YEAR = re.compile(r"(?:19|20)\d\d")
_DAY = re.compile(r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}")
_AMOUNT = re.compile(r"[-+−]?[^\W\d_]{0,3}[$€£¥]?\s?\d[\d.,'’\s]*(?:\s?(?:%|[$€£¥]|[^\W\d_]{1,5}))?")
_NAME_CHARS_MAX = 60
_WORDS = "words"
_COLUMNS_MIN = 3


def names_columns(cells: Sequence[str]) -> bool:
    """Whether a first row holds names: all present, all different, none a number."""
    return all(cells) and len(set(cells)) == len(cells) and not any(_is_number(cell) for cell in cells)


def _is_number(cell: str) -> bool:
    return any(c.isdigit() for c in cell) and not any(c.isalpha() for c in cell)


def render_row(columns: Sequence[str], cells: Sequence[str]) -> str:
    """Return a row as "column: value; column: value"; columns without a name are numbered."""
    names = (
        name or f"column {number}"
        for number, (name, _) in enumerate(itertools.zip_longest(columns, cells, fillvalue=""), start=1)
    )
    return "; ".join(f"{name}: {cell}" for name, cell in zip(names, cells, strict=False) if cell)


def render_table(rows: Sequence[Sequence[str]], *, has_head: bool) -> Iterator[str]:
    """Yield the lines of a table in Markdown, or of a form as "name: value".

    `has_head` says that the document itself marks the first row as names of columns.
    """
    if not has_head and is_form(rows):
        yield from render_form(rows)
        return
    for number, cells in enumerate(rows):
        yield "| " + " | ".join(cells) + " |"
        if number == 0:
            yield "|" + " --- |" * len(cells)


def render_form(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield each name with its value; a name without a value is left out."""
    yield from (f"{name.rstrip(' :')}: {value}" for name, value in rows if value)


def count_pairs(rows: Sequence[Sequence[str]]) -> int:
    """Count the leading rows of a name and its value that stand above the names of three or more columns.

    Rows have their cells that are not empty. The names are a row without numbers above one with numbers or days; where
    none follows, the count is 0.
    """
    count = sum(1 for _ in itertools.takewhile(lambda row: len(row) == 2 and _is_name(row[0]), rows))
    head, values = [*rows[count : count + 2], (), ()][:2]
    has_values = len(values) > 1 and any(_kind_of(cell) not in {"", _WORDS} for cell in values)
    return count if len(head) >= _COLUMNS_MIN and head[0] != rows[count - 1][0] and has_values else 0


def is_form(rows: Sequence[Sequence[str]]) -> bool:
    """Whether each row is a name with its value, such as "Supplier" and "Brown Ltd" above "Due" and "3 March 2026".

    Below a name of a column stand values that are mostly of one kind, and the name is no value itself, unless it is a
    year. Where all values are words, nothing tells a form from a table.
    """
    if len(rows) < 2 or any(len(row) != 2 for row in rows):
        return False
    names = [name for name, _ in rows]
    if len(set(names)) < len(names) or not all(_is_name(name) for name in names):
        return False
    if all(name.endswith(":") for name in names):
        return True
    first, *below = [_kind_of(value) for _, value in rows]
    kinds = set(below) - {"", _WORDS}
    if len(kinds) > 1 or first == below[0] in kinds:
        return True
    return bool(kinds) and 2 * below.count(_WORDS) >= len(below)


def _is_name(cell: str) -> bool:
    return len(cell) <= _NAME_CHARS_MAX and any(c.isalpha() for c in cell) and ": " not in cell


def _kind_of(value: str) -> str:
    if not value.strip("–—- "):
        return ""
    if _YEAR.fullmatch(value):
        return "year"
    if _DAY.fullmatch(value):
        return "day"
    return "amount" if _AMOUNT.fullmatch(value) else _WORDS
