"""The values of cells: numbers, dates, yes or no, and texts, as the kind of their column says. Pure."""

from __future__ import annotations

import re
from decimal import Decimal

from frasier.kernel.dates import find_dates
from frasier.kernel.quantities import find_quantities

Value = int | float | bool | str

_PLAIN_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_ISO_DATE = re.compile(r"\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?")
_YES = {"yes", "true", "ja", "oui", "sí", "si", "sì"}
_NO = {"no", "false", "nein", "non", "nee"}
_UNSTATED = re.compile(
    r"\W*(?:n/?a|n\. ?a\.|not (?:available|applicable|known|specified|stated)|unknown|open|pending|tb[adc]|"
    r"k\. ?a\.|keine angaben?|unbekannt|offen|ausstehend|entfällt|"
    r"n/?d|n\. ?d\.|inconnue?s?|non (?:connue?|disponible|précisée?)|à (?:définir|confirmer)|"
    r"s/?d|desconocid[oa]s?|pendientes?|por (?:definir|confirmar)|no (?:disponible|consta)|"
    r"onbekend|n\.?n\.?b\.?|n\.?v\.?t\.?)?\W*",
    re.IGNORECASE,
)


def cell_value(kind: str, text: str) -> Value | None:
    """Return the value of a cell in a column of a kind; None if it is empty or not one value of that kind.

    A number stands without its unit, a date as YYYY-MM-DD or as much of it as is known.
    """
    match kind:
        case "number":
            return _number(text)
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
    word = words[0].strip(".,;:") if words else ""
    return True if word in _YES else False if word in _NO else None


def is_unstated(text: str) -> bool:
    """Return whether a cell leaves its value open: it is empty, has marks alone ("-"), or says so ("n/a", "open")."""
    return _UNSTATED.fullmatch(text) is not None


def _number(text: str) -> int | float | None:
    if _PLAIN_NUMBER.fullmatch(text.strip()):
        values = [Decimal(text.strip())]
    else:
        mentions = find_quantities(text)
        values = list(mentions[0].values) if len(mentions) == 1 else []
    # What can be read in two ways, or is a range, is not one number.
    if len(values) != 1:
        return None
    return int(values[0]) if values[0] == values[0].to_integral_value() else float(values[0])


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
