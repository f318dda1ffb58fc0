"""The rows of the tables of a document as records with the columns that are asked for."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from frasier.kernel.records import Cell
from frasier.kernel.source_units import SourceUnit
from frasier.llm.prompt_inputs import Passage
from frasier.llm.providers.rehearsal.evidence import read_sources
from frasier.llm.providers.rehearsal.named_columns import likeness
from frasier.llm.providers.rehearsal.row_query import is_totals_row

_COLUMNS_OF_PART = re.compile(r"columns: (?P<columns>.+)\)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRecords:
    """The records of a document: for each row its text, and the cells of the columns that its table has.

    `places` are those of all rows that stand beside others in a table.
    """

    rows: Sequence[tuple[str, Mapping[str, Cell]]]
    places: frozenset[tuple[int, int]]

    def has(self, unit: SourceUnit) -> bool:
        """Return whether a unit is a row beside others."""
        return bool(unit.cells) and unit.lines in self.places


def records_of(names: Sequence[str], document: Passage) -> TableRecords:
    """Read the rows of the tables that have at least half of the columns; a row of totals is no record."""
    whole = _with_columns(document)
    added = whole.text.count("\n") - document.text.count("\n")
    sources = read_sources((whole,))
    tables = [rows for source in sources for rows in source.tables]
    records: list[tuple[str, Mapping[str, Cell]]] = []
    for rows in tables:
        heads = _heads(names, rows)
        if heads and len(heads) * 2 >= len(names):
            records += [(row.text, _cells(heads, row)) for row in rows if not is_totals_row(row)]
    places = frozenset(
        (row.lines[0] - added, row.lines[1] - added) for rows in tables if len(rows) > 1 for row in rows
    )
    return TableRecords(rows=records, places=places)


def _heads(names: Sequence[str], rows: Sequence[SourceUnit]) -> dict[str, str]:
    """The column of a table for each name that is like that of one: each for the name that is most like it."""
    columns: dict[str, list[Cell]] = {}
    for cell in (cell for row in rows for cell in row.cells):
        columns.setdefault(cell.head, []).append(cell)
    scored = sorted(
        (-max(likeness(name, cell) for cell in cells), number, at, name, head)
        for number, name in enumerate(names)
        for at, (head, cells) in enumerate(columns.items())
    )
    heads: dict[str, str] = {}
    for score, _, _, name, head in scored:
        if score and name not in heads and head not in heads.values():
            heads[name] = head
    return heads


def _cells(heads: Mapping[str, str], row: SourceUnit) -> dict[str, Cell]:
    """The cells of a row by the names that are asked for; a row may lack some of the columns."""
    by_head = {cell.head: cell for cell in reversed(row.cells)}
    return {name: by_head[head] for name, head in heads.items() if head in by_head}


def _with_columns(document: Passage) -> Passage:
    """A later part of a document below the names of the columns whose rows it goes on with."""
    columns = _COLUMNS_OF_PART.search(document.title)
    if columns is None:
        return document
    names = columns["columns"]
    if document.text.lstrip().startswith("|"):
        names = f"| {names} |\n|{'---|' * (names.count('|') + 1)}"
    return replace(document, text=f"{names}\n{document.text}")
