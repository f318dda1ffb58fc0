"""Rows of tables as lines: each value with its column name, so that a line makes sense alone."""

from __future__ import annotations

import itertools
from collections.abc import Sequence


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
