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
            records += [
                (row.text, {name: row.cells[at] for name, at in heads.items() if at < len(row.cells)})
                for row in rows
                if not is_totals_row(row)
            ]
    places = frozenset(
        (row.lines[0] - added, row.lines[1] - added) for rows in tables if len(rows) > 1 for row in rows
    )
    return TableRecords(rows=records, places=places)


def _heads(names: Sequence[str], rows: Sequence[SourceUnit]) -> dict[str, int]:
    """The column of a table for each name that is like that of one: each for the name that is most like it."""
    scored = sorted(
        (
            (-max(likeness(name, row.cells[at]) for row in rows if at < len(row.cells)), number, at, name)
            for number, name in enumerate(names)
            for at in range(len(rows[0].cells))
        )
    )
    heads: dict[str, int] = {}
    for score, _, at, name in scored:
        if score and name not in heads and at not in heads.values():
            heads[name] = at
    return heads


def _with_columns(document: Passage) -> Passage:
    """A later part of a document below the names of the columns whose rows it goes on with."""
    columns = _COLUMNS_OF_PART.search(document.title)
    if columns is None:
        return document
    names = columns["columns"]
    if document.text.lstrip().startswith("|"):
        names = f"| {names} |\n|{'---|' * (names.count('|') + 1)}"
    return replace(document, text=f"{names}\n{document.text}")
