"""The named fields of documents: those that cells are quoted from although they stand for something else. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from frasier.kernel.dates import find_dates, masked_dates
from frasier.kernel.language import content_stems, words_of
from frasier.kernel.named_kinds import kinds_named
from frasier.kernel.names import has_digit
from frasier.kernel.records import Cell
from frasier.kernel.source_units import SourceText, SourceUnit, words_and_numbers
from frasier.llm.reply_schemas import TableColumn
from frasier.org.missions import TableCell

_BRACKETED = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")


_NAMES_SHOWN = 12


def field_names(source: SourceText) -> str:
    """Return the names of the fields and columns of a document in words; empty if it has none."""
    names = list(dict.fromkeys(field.head for unit in source.units for field in unit.fields if field.head))
    more = f" and {len(names) - _NAMES_SHOWN:,} more" if len(names) > _NAMES_SHOWN else ""
    return f"{', '.join(names[:_NAMES_SHOWN])}{more}"


def other_field(column: TableColumn, cell: TableCell, source: SourceText, *, is_only_row: bool) -> str:
    """Return the name of the field whose value a cell has, if that field surely is not what the column asks for.

    Their names say different kinds of value, as those of a number and a date do; or a field of the same record is named
    like the column. The lines of a document that has an only row are one record. Names that merely differ prove
    nothing: they may be synonyms, or in two languages.
    """
    quoted = [(unit, field) for unit in source.units for field in _quoted(unit, cell)]
    others = [
        field.head
        for unit, field in quoted
        if _says_other_kind(column, field)
        or any(
            _is_meant(column, field, beside, cell.value, source)
            for beside in _beside(unit, source, is_only_row=is_only_row)
        )
    ]
    return others[0] if others and len(others) == len(quoted) else ""


def _quoted(unit: SourceUnit, cell: TableCell) -> Iterator[Cell]:
    """Yield the fields of a unit that is quoted whose whole value is that of a cell."""
    said = f" {' '.join(words_and_numbers(unit.text))} "
    if unit.fields and f" {' '.join(words_and_numbers(cell.quotation))} " in said:
        is_one = len(unit.fields) == 1
        yield from (
            field
            for field in unit.fields
            if _is_same(field.text, cell.value) or (is_one and _is_date(field.text))
        )


def _is_same(text: str, value: str) -> bool:
    return sorted(words_and_numbers(text)) == sorted(words_and_numbers(value))


def _is_date(text: str) -> bool:
    dates = find_dates(text)
    return bool(dates) and not words_and_numbers(masked_dates(text, dates))


def _beside(unit: SourceUnit, source: SourceText, *, is_only_row: bool) -> Iterator[Cell]:
    if unit.cells or not is_only_row:
        yield from unit.fields
    else:
        yield from (field for one in source.units if not one.cells for field in one.fields)


def _says_other_kind(column: TableColumn, field: Cell) -> bool:
    wanted, own = kinds_named(column.name), kinds_named(field.head)
    return bool(wanted and own) and wanted.isdisjoint(own)


def _is_meant(column: TableColumn, field: Cell, beside: Cell, value: str, source: SourceText) -> bool:
    """Whether a field beside the quoted one is what the column is named after."""
    wanted, own = _stems(column.name, source), _stems(field.head, source)
    if not wanted or wanted <= own or own & _stems(column.asks, source) - wanted or beside.text == field.text:
        return False
    named = _stems(beside.head, source)
    has_figure = bool(kinds_named(column.name)) and has_digit(beside.text) and not has_digit(value)
    return wanted == named or (wanted < named and wanted.isdisjoint(own) and has_figure)


def _stems(text: str, source: SourceText) -> frozenset[str]:
    plain = _BRACKETED.sub(" ", text.replace("_", " "))
    return frozenset(content_stems(words_of(plain), source.language))
