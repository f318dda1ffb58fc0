"""The quantities of a cell, with the unit and the multiplier that its column or its table names. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from frasier.kernel.dates import find_dates, masked_dates
from frasier.kernel.number_mentions import NumberMention, multiplier_after
from frasier.kernel.quantities import compound_units_in, find_quantities, units_in
from frasier.kernel.records import Cell
from frasier.kernel.unit_names import MULTIPLIERS, MeasureUnit, currency_of, multiplier_named

_AMOUNT = re.compile(r"(?<![^\W_])\d+[ _]?[^\W\d_]+")
_EACH = re.compile(  # what an amount is for: "Wartung/Jahr", "cost per month"
    r"(?:/\s?|\b(?:per|pro|je|par|por|al|all['’]|a|an|à)\s)(?:Jahr|Monat|Woche|Tag|Stunde|year|month|week|day|hour|an|mois|semaine"
    r"|jour|heure|año|mes|semana|día|hora|anno|mese|settimana|giorno|ora|jaar|maand|week|dag|uur|ano|mês|dia)\b",
    re.IGNORECASE,
)
_CURRENCY = re.compile(r"[A-Z]{3}\b|[€$£¥]|\b[Ee]uros?\b")
_THOUSANDS_OF = re.compile(r"(?<![^\W_])[Tk](?P<currency>EUR|USD|CHF|GBP|€)(?!\w)")  # "revenue_2025_kEUR"
_MULTIPLIER_BEFORE = re.compile(r"(?P<word>[^\W\d_]+)\.?\s(?:of\s|de\s|d['’]|di\s|in\s)?$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Amounts:
    """The currency that a table names for its amounts, and the multiplier beside it: "EUR million"."""

    currency: MeasureUnit
    multiplier: int


def head_of(cell: Cell) -> str:
    """Return the name of the column of a cell, in words."""
    return cell.head.replace("_", " ")


def amounts_named_in(text: str) -> Amounts | None:
    """Return the currency and the multiplier that the caption and the heads of a table name for its amounts."""
    for match in _CURRENCY.finditer(text):
        currency = currency_of(match[0])
        multiplier, _ = multiplier_after(text, match.end(), is_money=True)
        if multiplier == 1 and (before := _MULTIPLIER_BEFORE.search(text, 0, match.start())):
            multiplier = MULTIPLIERS.get(before["word"].casefold(), 1)
        if currency is not None and multiplier >= 1000:
            return Amounts(currency=currency, multiplier=multiplier)
    return None


def cell_quantities(cell: Cell, language: str | None, amounts: Amounts | None) -> Iterator[NumberMention]:
    """Yield the quantities of a cell, in each unit that its column has, and those in the name of its column."""
    head = head_of(cell)
    named = _EACH.sub(
        " ", _AMOUNT.sub(" ", head)
    )  # of "would pay 10 euros more" the euros are no unit of the column
    head_units = units_in(named) or compound_units_in(named)
    scale = multiplier_named(head)
    thousands = _THOUSANDS_OF.search(head)
    for quantity in find_quantities(masked_dates(cell.text, find_dates(cell.text)), language=language):
        if scale > 1:
            yield _scaled(quantity, scale)
        if thousands and quantity.unit is None:
            grouped = replace(quantity, values=quantity.values[:1])  # "1.315" TEUR are no 1,315 €
            yield replace(_scaled(grouped, 1000), unit=currency_of(thousands["currency"]))
        if quantity.unit is not None or not head_units:
            yield quantity
            if quantity.unit is None and amounts:
                yield replace(_scaled(quantity, amounts.multiplier), unit=amounts.currency)
        else:
            yield from (replace(quantity, unit=unit) for unit in head_units)
            if all(unit.dimension in {"time", "months"} for unit in head_units):
                yield quantity  # "days" may also be what is counted
    yield from find_quantities(masked_dates(head, find_dates(head)))


def with_unit_of_field(
    quantities: Sequence[NumberMention], text: str, fields: Sequence[Cell]
) -> Sequence[NumberMention]:
    """Return the quantities of a line "name_unit: value" ("delay_min: 120"), in the unit of its name as well."""
    if len(fields) != 1 or "_" not in fields[0].head:
        return quantities
    at = text.find(fields[0].text, len(fields[0].head))
    units = units_in(head_of(fields[0]))
    bare = [one for one in quantities if one.unit is None and one.start >= at]
    return [*quantities, *(replace(one, unit=unit) for one in bare for unit in units)]


def _scaled(quantity: NumberMention, scale: int) -> NumberMention:
    values = tuple(value * scale for value in quantity.values)
    return replace(quantity, values=values, precision=quantity.precision * scale)
