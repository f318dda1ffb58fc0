"""The cells of a spreadsheet: numbers and days as such, which read as their documents say. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from frasier.kernel.cell_values import Value, column_values
from frasier.kernel.dates import find_dates

_NUMERAL = re.compile(r"[-−–+]?\d+(?:[.,'’ \u00a0\u202f]?\d+)*")
_DATE_FORMAT = "yyyy-mm-dd"
_YEAR_MIN = 1900  # before which spreadsheets have no days
_DECIMALS_MAX = 6
_WORDS_CHARS_MAX = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class SpreadsheetCell:
    """The value of a cell, with its format if it is a number or a day."""

    value: str | float | date
    format: str = ""


def spreadsheet_cells(kind: str, texts: Sequence[str]) -> list[SpreadsheetCell]:
    """Return the cells of a column; what would lose words as a number or a day stays text."""
    values = column_values(kind, texts)
    return [
        next(_typed(kind, text, value), SpreadsheetCell(value=text))
        for text, value in zip(texts, values, strict=True)
    ]


def _typed(kind: str, text: str, value: Value | None) -> Iterator[SpreadsheetCell]:
    if kind == "number" and isinstance(value, int | float):
        yield from _number(text, value)
    elif kind == "date" and isinstance(value, str) and len(value) == len("2026-01-01"):
        found = find_dates(text)
        day = date.fromisoformat(value)
        around = text[: found[0].start] + text[found[0].end :] if found else ""
        if day.year >= _YEAR_MIN and not re.search(r"\w", around):
            yield SpreadsheetCell(value=day, format=_DATE_FORMAT)


def _number(text: str, value: float) -> Iterator[SpreadsheetCell]:
    """Yield the number with the words around it, such as its unit, in its format."""
    numerals = list(_NUMERAL.finditer(text))
    if len(numerals) != 1 or len(text) > _WORDS_CHARS_MAX:
        return
    [numeral] = numerals
    digits = re.sub(r"\D", "", numeral[0])
    for decimals in range(min(len(digits), _DECIMALS_MAX + 1)):
        if int(digits) == round(abs(value) * 10**decimals, _DECIMALS_MAX):
            marks = len(re.sub(r"[\d+−–-]", "", numeral[0]))
            whole = "#,##0" if marks > bool(decimals) else "0"
            shown = whole + ("." + "0" * decimals if decimals else "")
            form = f"{_literal(text[: numeral.start()])}{shown}{_literal(text[numeral.end() :])}"
            yield SpreadsheetCell(value=value, format=form)
            return


def _literal(words: str) -> str:
    """Return words as they stand in a format of numbers."""
    return '"{}"'.format(words.replace('"', "”")) if words else ""
