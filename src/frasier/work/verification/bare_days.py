"""Days without their month ("the 10th", "am 5.", "il 14"): they are of the month of a date beside them. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from frasier.kernel.dates import DateMention, find_dates, masked_dates
from frasier.kernel.language_words import load_words
from frasier.kernel.source_units import SourceText, SourceUnit

_NO_AMOUNT = r"(?![\w%€$£°/:-]|[.,:]\d|\s?[%€$£°]|\s\d)"
_WEEKDAY = (  # "giovedì 19", "Tuesday 24th", "Mi 14."
    f"{load_words('frasier.kernel')['weekdays'].alternatives}|mon|tues?|wednes|thurs?|fri|satur|sun|M[oi]|D[io]|Fr|Sa"
)
_BARE_DAY = re.compile(
    r"(?<!\w)(?:(?:the|on)\s(?P<en>[0-3]?\d)(?:st|nd|rd|th)(?![\w-])"
    rf"|(?:am|vom|zum|bis|bis zum|ab|ab dem|de[nmr])\s(?P<de>[0-3]?\d)\.{_NO_AMOUNT}"
    rf"|(?:{_WEEKDAY})\s(?:the\s)?(?P<named>[0-3]?\d)(?:st|nd|rd|th|\.)?{_NO_AMOUNT}"
    rf"|(?:le|du|au|el|del|al|día|il|dal|op|de|dia|do|ao|no)\s(?P<other>[0-3]?\d)(?:er|e|º)?{_NO_AMOUNT})",
    re.IGNORECASE,
)


def bare_days(text: str, dates: Sequence[DateMention]) -> Iterator[DateMention]:
    """Yield the days that a text gives without a month, as of that of the date before them, or else behind them."""
    dated = [one for one in dates if all(reading.month for reading in one.readings)]
    for match in _BARE_DAY.finditer(text) if dated else ():
        start, end = match.span(match.lastgroup or 0)
        if any(one.start < end and start < one.end for one in dates):
            continue
        beside = max((one for one in dated if one.end <= start), key=lambda one: one.end, default=dated[0])
        readings = tuple(replace(one, quarter=None, day=int(text[start:end])) for one in beside.readings)
        yield DateMention(start=start, end=end, text=text[start:end], readings=readings)


def has_bare_day(unit: SourceUnit, months: Collection[tuple[int | None, int]], date: DateMention) -> bool:
    """Return whether a unit has the day of a date, of which the source has the year and month at another place."""
    text = masked_dates(unit.text, find_dates(unit.text))
    days = {int(match[match.lastgroup or 0]) for match in _BARE_DAY.finditer(text)}
    return any(
        one.day in days and any(one.month == month and one.year in {None, year} for year, month in months)
        for one in date.readings
    )


def months_of(source: SourceText) -> frozenset[tuple[int | None, int]]:
    """Return the months that a source names, each with its year."""
    return frozenset(
        (one.year, one.month)
        for unit in source.units
        for date in unit.dates
        for one in date.readings
        if one.month
    )
