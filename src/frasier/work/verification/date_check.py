"""The check of the dates of a statement: its sources have them, or they follow from what does. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from frasier.kernel.dates import DATE_NAMES, DateMention, find_dates
from frasier.kernel.number_mentions import NumberMention
from frasier.kernel.source_lines import LIST_ITEM
from frasier.kernel.source_units import SourceUnit
from frasier.work.verification.comparison import Comparison
from frasier.work.verification.derivations import is_later_date, is_span
from frasier.work.verification.findings import Finding, FindingKind
from frasier.work.verification.placement import Placement

_HEAD_LINES = 6  # "From", "Date" and the like
_DATE_LINE_WORDS = 7  # "Wexcombe, 18 November 2024"
_ON = re.compile(r"\s(?:on|am|le|el|il|op|em|a|al|au|vom|of|del|du|dal)\s(?:the\s)?")  # "£18,240 on 1 April"


def is_stated_span(quantity: NumberMention, of: Comparison) -> bool:
    """Return whether the statement itself has the two dates that a duration lies between."""
    return len(of.dates) > 1 and is_span(quantity, (), of.dates, ())


def is_beside_its_date(quantity: NumberMention, of: Comparison) -> bool:
    """Return whether a date follows at once with which a unit has the number: "£2,875.20 on 7 April"."""
    return any(
        _ON.fullmatch(of.text[quantity.end : date.start])
        and any(date.agrees_with(one) for unit in of.holding[quantity.start] for one in unit.dates)
        for date in of.dates
    )


class DateCheck:
    """Finds the dates of a statement that its sources do not carry."""

    def __init__(self, comparison: Comparison, placement: Placement) -> None:
        self._comparison = comparison
        self._placement = placement

    def missing_dates(self) -> Iterator[Finding]:
        of = self._comparison
        for date in of.dates:
            titled = (other for source in of.cited.values() for other in find_dates(source.title))
            if of.has_date(date) or any(date.agrees_with(other) for other in titled):
                continue
            near = [one for unit in of.operand_units for one in unit.quantities]
            beside = (one for one in of.dates if one is not date)
            others = [one for one in beside if one.readings[0].year or of.has_date(one)]
            others += [one for unit in of.operand_units for one in unit.dates]
            years = frozenset[int]().union(*(source.years for source in of.cited.values()))
            if not is_later_date(date, of.quantities, near, others, years):
                yield Finding(kind=FindingKind.DATE, text=date.text)
        for date in self.placed_dates():
            against = self._placement.contradiction_of_date(date)
            if against and not (against.order == 0 and _is_head_of_source(against)):
                yield Finding(kind=FindingKind.ELSEWHERE, text=date.text, against=against)

    def placed_dates(self) -> Iterator[DateMention]:
        """Yield the dates that the sources have whole, and that must stand there beside what stands beside them here.

        What is calculated brings together what stands apart, and the date of a whole source belongs to all of it.
        """
        of = self._comparison
        is_computed = of.calculations or any(is_stated_span(one, of) for one in of.quantities)
        if of.is_foreign or is_computed:
            return
        for date in of.dates:
            holding = [unit for unit in of.units if any(date.agrees_with(other) for other in unit.dates)]
            beside = [one for one in of.quantities if _ON.fullmatch(of.text[one.end : date.start])]
            is_beside = any(unit in of.holding[one.start] for one in beside for unit in holding)
            if holding and not is_beside and not any(_is_head_of_source(unit) for unit in holding):
                yield date


def _is_head_of_source(unit: SourceUnit) -> bool:
    """Whether a unit is the title of its source, the line of its date, or names the date of one of its mails."""
    if unit.cells:
        return False
    is_sentence = unit.text.rstrip().endswith((".", "!", "?"))
    is_date_line = (
        unit.order < _HEAD_LINES
        and len(unit.text.split()) <= _DATE_LINE_WORDS
        and not (unit.fields or LIST_ITEM.match(unit.text))
    )
    return (not is_sentence and (unit.order == 0 or is_date_line)) or any(
        field.head.strip(" *:.").casefold() in DATE_NAMES for field in unit.fields
    )
