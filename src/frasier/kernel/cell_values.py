"""The values of cells: numbers, dates, yes or no, and texts, as the kind of their column says. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal

from frasier.kernel.dates import find_dates
from frasier.kernel.language_words import load_words
from frasier.kernel.number_mentions import NumberMention
from frasier.kernel.quantities import find_quantities

Value = int | float | bool | str

_MARKED = re.compile(r"\d+(?:[.,]\d+)+")
_PLAIN_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_ISO_DATE = re.compile(r"\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?")
# What is sold by the litre or the kilowatt-hour has prices with three decimals.
_PER_MEASURE = re.compile(
    r"\s*(?:/|per|pro|je|par|por|al?)\s*(?:k?wh|l|lit(?:er|re|ro)s?|k?g|k?m)\b", re.IGNORECASE
)
_WORDS = load_words(__package__)
YES = _WORDS["yes"].words | {"✓", "✔", "✅"}
NO = _WORDS["no"].words | {"✗", "✘", "❌"}
_UNSTATED = re.compile(rf"\W*(?:{_WORDS['unstated'].alternatives})?\W*", re.IGNORECASE)


def column_values(kind: str, cells: Sequence[str]) -> list[Value | None]:
    """Return the values of a column's cells; one like "1.250" is read as its neighbours are."""
    mark = decimal_mark_of(cells) if kind == "number" else None
    return [cell_value(kind, cell, decimal_mark=mark) for cell in cells]


def decimal_mark_of(cells: Iterable[str]) -> str | None:
    """Return the decimal mark of numbers, as far as they show one and the same."""
    marks = {mark for cell in cells for number in _MARKED.findall(cell) if (mark := _decimal_mark(number))}
    return marks.pop() if len(marks) == 1 else None


def _decimal_mark(number: str) -> str | None:
    """Return the mark that divides the decimals of "4,850.00", "48.5" or "0.125", or would in "1,000,000"."""
    first, *groups = re.split("[.,]", number)
    marks: list[str] = re.findall("[.,]", number)
    if len(set(marks)) > 1:
        return marks[-1]
    if len(marks) > 1:
        return "." if marks[0] == "," else ","
    return marks[0] if len(groups[0]) != len("000") or first == "0" or len(first) > len("000") else None


def cell_value(kind: str, text: str, *, decimal_mark: str | None = None) -> Value | None:
    """Return the value of a cell in a column of a kind; None if it is empty or not one value of that kind.

    A number stands without its unit, a date as YYYY-MM-DD or as much of it as is known.
    """
    match kind:
        case "number":
            return _number(text, decimal_mark)
        case "date":
            return _date(text)
        case "yes_no":
            return yes_or_no(text)
        case _:
            return text or None


def cell_unit(text: str) -> str | None:
    """Return the unit of a cell with one number, such as "EUR" or "kg"; None without one."""
    mentions = find_quantities(text)
    return mentions[0].unit.name if len(mentions) == 1 and mentions[0].unit else None


def yes_or_no(text: str) -> bool | None:
    """Return whether the first word of a text says yes; None if it says neither."""
    words = text.casefold().split()
    word = words[0].strip(".,;:\ufe0f") if words else ""
    return True if word in YES else False if word in NO else None


def is_unstated(text: str) -> bool:
    """Return whether a cell leaves its value open: it is empty, has marks alone ("-"), or says so ("n/a", "open")."""
    return _UNSTATED.fullmatch(text) is not None


def _number(text: str, decimal_mark: str | None) -> int | float | None:
    if _PLAIN_NUMBER.fullmatch(text.strip()) and decimal_mark != ",":
        values = [Decimal(text.strip())]
    else:
        mentions = find_quantities(text, decimal_mark=decimal_mark)
        values = list(mentions[0].values) if len(mentions) == 1 else []
        if len(values) > 1 and _is_money(mentions[0]) and not _PER_MEASURE.match(text, mentions[0].end):
            values = values[:1]  # no amount of money has three decimals: "5,500 EUR"
    # What can be read in two ways, or is a range, is not one number.
    if len(values) != 1:
        return None
    return int(values[0]) if values[0] == values[0].to_integral_value() else float(values[0])


def _is_money(mention: NumberMention) -> bool:
    return mention.dimension.startswith("currency ")


def _date(text: str) -> str | None:
    if _ISO_DATE.fullmatch(text.strip()):
        return text.strip()
    readings = [reading for mention in find_dates(text) for reading in mention.readings]
    if len(readings) != 1 or readings[0].year is None or readings[0].quarter is not None:
        return None
    parts = [f"{readings[0].year:04}"]
    for part in (readings[0].month, readings[0].day):
        if part is None:
            break
        parts.append(f"{part:02}")
    return "-".join(parts)
