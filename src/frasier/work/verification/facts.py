"""Comparison of a number, a date or a name of a statement with those of a source. Pure."""

from __future__ import annotations

import difflib
import re
from decimal import Decimal

from frasier.kernel.dates import DateMention, PartialDate
from frasier.kernel.language import function_words
from frasier.kernel.number_mentions import Bound, NumberMention
from frasier.kernel.quantities import units_in
from frasier.kernel.source_units import SourceText, SourceUnit, words_and_numbers
from frasier.kernel.unit_names import CLOCK, MeasureUnit, currency_of, unit_of

_ROUNDED = Decimal("0.025")  # the part by which "about" may differ
_ROUNDED_TEN, _TENS_MAX = Decimal("0.05"), 100  # "almost fifty"
_BOUND_FACTOR = Decimal("1.09")
_YEAR_MIN, _YEAR_END = 1500, 2100
_HOUR, _DAY = 3600, 86400
_QUARTER_HOUR = 900
_DAYS_A_MONTH = Decimal("30.44")
_SAME_DURATION, _ABOUT_DURATION = Decimal("0.02"), Decimal("0.15")
_QUOTATION_MATCH = 0.92
_ROUNDED_DIGITS_MIN = 10  # the smallest value that is taken for a rounded one without a word such as "about"
_DAYS_OF_A_MONTH = 31
_COUNTED = re.compile(r"(?P<words>(?:\s[^\W\d_]{2,}){1,3})")
_PLURAL = re.compile(
    r"^(?!times$|points$|fois$|veces$|volte$|vezes$|keer$).{2,}[sx]$|^[A-ZÄÖÜ].*(?:en|er|e)$|en$|[ie]$"
)
_NUMBERED = re.compile(
    r"(?<!\w)(?:art(?:\.|icles?|ikel|ículos?|icol[oi]|igos?)|§§?|clauses?|klausel|cl[áa]usulas?|tab(?:le|elle|leau|la)"
    r"|fig(?:ure|\.)|n[ro]\.?|n[°º]|no\.|offer|angebot|offre|oferta|offerta|offerte|invoice|rechnung|facture|factura"
    r"|fattura|factuur|versi[oó]n|version|page|seite|página|pagina|top|punkt|ziffer)\s?#?$",
    re.IGNORECASE,
)
_SECTION = re.compile(r"\d+(?:\.\d+)*\.?\s+[A-ZÄÖÜÉ]")  # "7. Badges", "4.3 Samples"


def states(source: NumberMention, stated: NumberMention) -> bool:
    """Return whether a number of a source is the one that a statement gives, in the same or a convertible unit."""
    if (
        stated.unit and source.unit and {stated.unit.name, source.unit.name} == {CLOCK.name, "h"}
    ):  # "avant 11 h"
        return any(value in source.base_values for value in stated.base_values)
    if not source.comparable(stated):
        return _is_same_duration(source, stated)
    if stated.unit == CLOCK and source.unit == CLOCK:
        return any(one <= other < one + stated.precision for one in stated.values for other in source.values)
    if source.unit is None or stated.unit is None or source.unit == stated.unit:
        return any(abs(value) == abs(other) for value in stated.values for other in source.values)
    if _is_in_other_unit(source, stated):
        return False
    return any(abs(value) == abs(other) for value in stated.base_values for other in source.base_values)


def _is_in_other_unit(source: NumberMention, stated: NumberMention) -> bool:
    """Whether both are one number of two units, also where a separator has two readings: "1,500 ml" for "1,500 l"."""
    if source.unit is None or stated.unit is None or source.factor == stated.factor:
        return False
    return bool(source.values[0]) and source.values[0] == stated.values[0]


def _is_same_duration(source: NumberMention, stated: NumberMention) -> bool:
    """Whether months or years are written as days or weeks: 60 days for two months, 104 weeks for two years."""
    if {source.dimension, stated.dimension} != {"time", "months"}:
        return False
    [months] = [one for one in (source, stated) if one.dimension == "months"]
    [seconds] = [one for one in (source, stated) if one.dimension == "time"]
    if seconds.factor < _DAY and seconds.base_values[0] < _DAYS_A_MONTH * _DAY:
        return False
    days = months.base_values[0] * _DAYS_A_MONTH
    tolerance = days * (_ABOUT_DURATION if stated.bound is Bound.ABOUT else _SAME_DURATION)
    return abs(seconds.base_values[0] / _DAY - days) <= tolerance


def rounds_to(source: NumberMention, stated: NumberMention) -> bool:
    """Return whether a statement gives the number of a source with fewer digits, or as "about", "over" or "at most"."""
    if not source.comparable(stated):
        return False
    if source.unit is None and stated.unit is not None and stated.is_word:
        return False
    if _is_in_other_unit(source, stated):
        return False
    if source.bound is stated.bound and stated.bound in {Bound.AT_LEAST, Bound.AT_MOST}:
        return False
    factors = (source.factor, stated.factor) if source.unit and stated.unit else (Decimal(1), Decimal(1))
    precision = stated.precision * factors[1]
    return any(
        _is_rounded(abs(known * factors[0]), abs(value * factors[1]), precision, stated)
        for known in source.values
        for value in stated.values
    )


def _is_rounded(known: Decimal, value: Decimal, precision: Decimal, stated: NumberMention) -> bool:
    difference = abs(known - value)
    if stated.unit == CLOCK:
        return stated.bound is not Bound.EXACT and difference < _HOUR / 2 and value % _QUARTER_HOUR == 0
    has_digits = value / precision >= _ROUNDED_DIGITS_MIN and not stated.is_word
    if difference <= precision / 2 and (has_digits or stated.bound is Bound.ABOUT):
        return True
    match stated.bound:
        case Bound.ABOUT:
            is_ten = value <= _TENS_MAX and value % 10 == 0
            return difference <= value * (_ROUNDED_TEN if is_ten else _ROUNDED)
        case Bound.AT_LEAST:
            return value <= known <= max(value * _BOUND_FACTOR, value + _step(value))
        case Bound.AT_MOST:
            return min(value / _BOUND_FACTOR, value - _step(value)) <= known <= value
        case Bound.EXACT:
            return False


def _step(value: Decimal) -> Decimal:
    """The step that a round number is counted in: 100 of 300, but 0 where its last digit is none of the first two."""
    digits = value.normalize().as_tuple()
    exponent = digits.exponent
    return (
        Decimal(1).scaleb(exponent)
        if isinstance(exponent, int) and exponent > 0 and len(digits.digits) == 1
        else Decimal(0)
    )


def is_year(quantity: NumberMention) -> bool:
    """Return whether a number without a unit can be a year: its four digits are not grouped, as "1 937" is."""
    return (
        quantity.unit is None
        and _YEAR_MIN <= quantity.values[0] < _YEAR_END
        and quantity.text.strip().isdigit()
    )


def unit_is_named(
    source: SourceText,
    unit: SourceUnit,
    known: NumberMention,
    stated: NumberMention,
    currency: str | None = None,
) -> bool:
    """Return whether the source can mean the unit that a statement gives its number, where it writes none beside it.

    A number below a name of a column with a unit has that one, or none; an amount beside a cell with a currency has
    that one. A source that names no currency may mean the only one of all sources, `currency`.
    """
    if known.unit is not None or stated.unit is None:
        return True
    if any(
        other.unit and other.start == known.start and other.text == known.text for other in unit.quantities
    ):
        return False
    if stated.unit.dimension.startswith("currency ") and (own := _currencies_in_row(unit)):
        return stated.unit in own
    if _is_no_amount(unit, known, stated.unit):
        return False
    if stated.unit.name == currency and not source.currencies:
        return True
    return any(name == stated.unit.name for name in source.unit_names)


def _currencies_in_row(unit: SourceUnit) -> set[MeasureUnit]:
    """The currencies that are a cell of a record: of "desk;1200;GBP" the pound."""
    return {named for cell in unit.cells if (named := currency_of(cell.text.strip()))}


def _is_no_amount(unit: SourceUnit, known: NumberMention, stated: MeasureUnit) -> bool:
    """Whether a bare number in prose is that of an article or an offer, or counts things that are behind it.

    Three badges are no three hours; but the 8 of "€12 adults, 8 children" are euros too.
    """
    if unit.cells:
        return False
    if _NUMBERED.search(unit.text, 0, known.start) or (known.start == 0 and _SECTION.match(unit.text)):
        return True
    in_unit = (*(one.unit for one in unit.quantities), *units_in(unit.text))
    return counts_things(unit.text, known.end) and not any(one and one.comparable(stated) for one in in_unit)


def counts_things(text: str, end: int) -> bool:
    """Return whether behind a number that ends at `end` stands a plural that is no unit: "three new badges"."""
    behind = _COUNTED.match(text, end)
    words = behind["words"].split() if behind else []
    return (
        any(map(_PLURAL.search, words[:2]))
        and not any(map(unit_of, words))
        and function_words(None).isdisjoint(word.casefold() for word in words[:1])
    )


def is_date_part(stated: NumberMention, unit: SourceUnit, source: SourceText, before: str) -> bool:
    """Return whether a bare number is a year of the source, or the day of a date in the unit ("on the 3rd")."""
    if stated.unit is not None:
        return False
    value = stated.values[0]
    if value in source.years:
        return (
            any(reading.year == value for date in unit.dates for reading in date.readings)
            or any(value in quantity.values for quantity in unit.quantities)
            or str(value) in unit.text + unit.context
            or f"{value - 1}/{value % 100:02}" in unit.text + unit.context  # 2025 of "2024/25"
        )
    named = re.search(
        r"\b(?:the|day|día|dia|le|am|el|den|der|zum|vom|il|al|op|de)\s+$", before, re.IGNORECASE
    )
    return (
        bool(named)
        and value <= _DAYS_OF_A_MONTH
        and any(reading.day == value for date in unit.dates for reading in date.readings)
    )


def gives_date(unit: SourceUnit, source: SourceText, date: DateMention) -> bool:
    """Return whether a unit has a date, or its parts: the year may stand in the head of the source, the day beside."""
    if any(date.agrees_with(other) for other in unit.dates):
        return True
    return any(_has_parts(unit, source, reading) for reading in date.readings)


def _has_parts(unit: SourceUnit, source: SourceText, date: PartialDate) -> bool:
    if date.year is not None and date.year not in source.years:
        return False
    for mention in unit.dates:
        for known in mention.readings:
            year_agrees = known.year in {None, date.year} or date.year is None
            if not year_agrees or known.quarter != date.quarter:
                continue
            if date.quarter is not None:
                return True
            if date.month is not None and known.month != date.month:
                continue
            if date.day in {None, known.day}:
                return date.month is not None
            if known.day is None and any(
                date.day in one.values and one.unit is None for one in unit.quantities
            ):
                return True
    return False


def has_word(unit: SourceUnit, name: str) -> bool:
    """Return whether a unit has a name, or a part of a name with hyphens, itself or in what it stands under."""
    folded = name.casefold().removesuffix("'s").removesuffix("’s")
    text = f"{unit.text} {unit.context}".casefold()
    return folded in text or (folded.endswith("s") and len(folded) > 3 and folded[:-1] in text)


def parts_of(name: str) -> list[str]:
    """Return the name and its parts between hyphens, one of which may stand for it."""
    return [name, *(part for part in name.split("-") if len(part) > 3 and part != name)]


def has_text(text: str, name: str) -> bool:
    """Return whether a text has the name, in any case."""
    return name.casefold() in text.casefold()


def quotes(source: SourceText, quotation: str) -> bool:
    """Return whether the source has the quotation, but for punctuation and a few characters."""
    said, wanted = source.words, " ".join(words_and_numbers(quotation))
    if wanted in said:
        return True
    matcher = difflib.SequenceMatcher(None, said, wanted, autojunk=False)
    block = matcher.find_longest_match()
    start = max(0, block.a - block.b)
    near = said[start : start + len(wanted) + 4]
    return difflib.SequenceMatcher(None, near, wanted, autojunk=False).ratio() >= _QUOTATION_MATCH
