"""Conditions in a question that can be computed: on dates, on numbers with units, and on versions."""

from __future__ import annotations

import itertools
import operator
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from frasier.kernel.dates import DateMention, PartialDate, find_dates, masked_dates
from frasier.kernel.number_mentions import NumberMention
from frasier.kernel.quantities import find_quantities
from frasier.kernel.source_units import SourceUnit
from frasier.llm.providers.rehearsal.evidence import parts_with_values
from frasier.llm.providers.rehearsal.stems import content_stems
from frasier.llm.providers.rehearsal.words import WORDS

_Day = tuple[int, int, int]
_Span = tuple[_Day, _Day]
_Test = Callable[[SourceUnit], bool | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueCondition:
    """A condition, with its wording in the question from `start` to `end`.

    `test` tells whether one of the values of a text meets it; None where it has no value to compare.
    """

    text: str
    start: int
    end: int
    test: _Test

    def met_by(self, unit: SourceUnit, words: Collection[str], language: str | None = None) -> bool | None:
        """Return whether a statement meets it, by those of its cells that `words` (stems) name, else by all it says."""
        verdicts = self._verdicts(unit, words, language)
        return any(verdicts) if verdicts else self.test(unit)

    def may_be_met_by(self, unit: SourceUnit) -> bool:
        """Return whether any value of a statement meets it."""
        return any(self.test(part) for part in (unit, *parts_with_values(unit)))

    def is_decided(self, unit: SourceUnit, words: Collection[str], language: str | None = None) -> bool:
        """Return whether no value that it may compare meets it while another one does not."""
        verdicts = self._verdicts(unit, words, language)
        if not verdicts:
            tested = map(self.test, parts_with_values(unit))
            verdicts = [verdict for verdict in tested if verdict is not None]
        return len(set(verdicts)) <= 1

    def _verdicts(self, unit: SourceUnit, words: Collection[str], language: str | None) -> Sequence[bool]:
        """The verdicts on the cells whose names have most of the words."""
        shared = [len(set(words) & set(content_stems(cell.head, language))) for cell in unit.cells]
        best = max(shared, default=0)
        named = [
            SourceUnit(
                number=unit.number,
                order=unit.order,
                text=cell.text,
                context="",
                language=unit.language,
                cells=(cell,),
            )
            for cell, count in zip(unit.cells, shared, strict=True)
            if best and count == best
        ]
        return [verdict for cell in named if (verdict := self.test(cell)) is not None]


def conditions_in(question: str) -> tuple[ValueCondition, ...]:
    """Return the conditions that a question states, in its order."""
    dates = find_dates(question)
    found = [*_date_conditions(question, dates), *_version_conditions(question)]
    plain = masked_dates(question, dates)
    for condition in found:
        plain = plain[: condition.start] + " " * (condition.end - condition.start) + plain[condition.end :]
    found += _quantity_conditions(plain)
    return tuple(sorted(found, key=lambda condition: condition.start))


# The words before a date, with the comparison of a span of days with that of the date.
_RELATIONS: dict[str, Callable[[_Span, _Span], bool]] = {
    WORDS["before"].alternatives: lambda span, limit: span[1] < limit[0],
    WORDS["until"].alternatives: lambda span, limit: span[1] <= limit[1],
    WORDS["after"].alternatives: lambda span, limit: span[0] > limit[1],
    WORDS["since"].alternatives: lambda span, limit: span[0] >= limit[0],
    WORDS["within"].alternatives: lambda span, limit: limit[0] <= span[0] and span[1] <= limit[1],
}
_YEAR_ALONE = re.compile(rf"\b(?:{'|'.join(_RELATIONS)})\s+((?:1[5-9]|20)\d\d)\b(?![.,-]?\d)", re.IGNORECASE)
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_RANGE_BEGINS = re.compile(
    rf"\b(?:{WORDS['range_begins'].alternatives})\s+(?:the\s+|dem\s+|il\s+|o\s+)?$", re.IGNORECASE
)
_RANGE_GOES_ON = re.compile(rf"\s*(?:{WORDS['range_goes_on'].alternatives}|–|-)\s*", re.IGNORECASE)


def _date_conditions(question: str, dates: Sequence[DateMention]) -> Iterator[ValueCondition]:
    mentions = sorted([*dates, *_years(masked_dates(question, dates))], key=lambda mention: mention.start)
    end = 0
    for at, mention in enumerate(mentions):
        before, last = question[: mention.start], mention
        if mention.start < end:
            continue
        following = mentions[at + 1] if at + 1 < len(mentions) else mention
        goes_on = _RANGE_GOES_ON.fullmatch(question, mention.end, max(mention.end, following.start))
        if goes_on and (begins := _RANGE_BEGINS.search(before)):
            last, relation, start = following, _RELATIONS[next(reversed(_RELATIONS))], begins.start()
        else:
            matches = (
                (match.start(), relation)
                for words, relation in _RELATIONS.items()
                if (match := re.search(rf"\b(?:{words})\s+(?:the\s+)?$", before, re.IGNORECASE))
            )
            start, relation = next(matches, (-1, None))  # type: ignore[assignment]
        if start >= 0:
            end = last.end
            yield ValueCondition(
                text=question[start:end], start=start, end=end, test=_date_test(mention, last, relation)
            )


def _years(question: str) -> Iterator[DateMention]:
    for match in _YEAR_ALONE.finditer(question):
        year = (PartialDate(year=int(match[1])),)
        yield DateMention(start=match.start(1), end=match.end(1), text=match[1], readings=year)


def _date_test(first: DateMention, last: DateMention, relation: Callable[[_Span, _Span], bool]) -> _Test:
    end = last.readings[0]
    start = replace(first.readings[0], year=first.readings[0].year or end.year)

    def test(unit: SourceUnit) -> bool | None:
        verdicts = [
            relation(
                _span(date, year=end.year),
                (_span(start, year=date.year)[0], _span(end, year=date.year)[1]),
            )
            for date in _dates_of(unit)
        ]
        return any(verdicts) if verdicts else None

    return test


def _dates_of(unit: SourceUnit) -> Iterator[PartialDate]:
    """The dates of a statement, and the years that are all of a cell."""
    yield from (date for one in unit.dates for date in one.readings if date.month or date.quarter)
    for cell in unit.cells:
        if _YEAR.fullmatch(cell.text):
            yield PartialDate(year=int(cell.text))


def _span(date: PartialDate, *, year: int | None) -> _Span:
    """The first and the last day of a date, without its year where the other date has none."""
    of_year = date.year if date.year and year else 0
    first = date.month or (date.quarter or 1) * 3 - 2
    last = date.month or (date.quarter or 4) * 3
    return (of_year, first, date.day or 1), (of_year, last, date.day or 31)


# The words before a quantity that compare with it; the first that fit count, "no more than" before "more than".
_COMPARISONS: dict[str, Callable[[Decimal, Decimal], bool]] = {
    rf"{WORDS['at_most'].alternatives}|≤|<=": operator.le,
    rf"{WORDS['at_least'].alternatives}|≥|>=": operator.ge,
    rf"{WORDS['less_than'].alternatives}|<": operator.lt,
    rf"{WORDS['more_than'].alternatives}|>": operator.gt,
}
_BEHIND: dict[str, Callable[[Decimal, Decimal], bool]] = {
    WORDS["or_more"].alternatives: operator.ge,
    WORDS["or_less"].alternatives: operator.le,
}


def _quantity_conditions(question: str) -> Iterator[ValueCondition]:
    for limit in find_quantities(question):
        if limit.is_word:
            continue
        before = question[: limit.start]
        compared = (
            (match.start(), limit.end, holds)
            for words, holds in _COMPARISONS.items()
            if (match := re.search(rf"(?:\b(?=\w)|(?<!\w)(?=\W))(?:{words})\s*$", before, re.IGNORECASE))
        )
        behind = (
            (limit.start, match.end(), holds)
            for words, holds in _BEHIND.items()
            if (match := re.compile(rf"\s+(?:{words})\b", re.IGNORECASE).match(question, limit.end))
        )
        if found := next(itertools.chain(compared, behind), None):
            start, end, holds = found
            verb = _MEASURED.search(question[:start])
            start = verb.start() if verb else start
            yield ValueCondition(
                text=question[start:end].strip(), start=start, end=end, test=_quantity_test(limit, holds)
            )


# "that cost more than": the verb says no more than the unit.
_MEASURED = re.compile(rf"\b(?:{WORDS['measures'].alternatives})\s+$", re.IGNORECASE)


def _quantity_test(limit: NumberMention, holds: Callable[[Decimal, Decimal], bool]) -> _Test:
    def test(unit: SourceUnit) -> bool | None:
        # A number without a unit is compared with a condition that has none, either.
        comparable = [
            quantity
            for quantity in unit.quantities
            if (quantity.unit is None) == (limit.unit is None) and quantity.comparable(limit)
        ]
        if not comparable:
            return None
        return any(holds(quantity.base_values[0], limit.base_values[0]) for quantity in comparable)

    return test


_VERSION_LIMIT = re.compile(
    rf"(?:(?<!\w)(?:(?P<before>{WORDS['older'].alternatives}|{WORDS['before'].alternatives})|"
    rf"(?P<after>{WORDS['newer'].alternatives}|{WORDS['after'].alternatives})|"
    rf"(?P<least>{WORDS['at_least'].alternatives}|{WORDS['since'].alternatives})))?\s*"
    r"\b(?:(?:versions?|releases?|versi(?:ón|one|oni|ones|e|es)|vers(?:ão|ões))\s+v?(?P<named>\d+(?:\.\d+)*)|"
    r"v?(?P<dotted>\d+\.\d+\.\d+))\b(?:\s+(?P<up>or (?:later|newer|higher|above)|oder (?:neuer|höher|später)|"
    r"ou (?:plus|ultérieure|posterior|superior)\w*|o (?:posterior|superior|successiv)\w*|of (?:nieuwer|hoger|later)))?",
    re.IGNORECASE,
)
_VERSION = re.compile(
    r"(?<![\w.])(?:[A-Za-z]+-)?v?(\d+(?:\.\d+)+)(?![\d.]*@)|\b(?:version|release|v)\.?\s*v?(\d+(?:\.\d+)*)",
    re.IGNORECASE,
)


def _version_conditions(question: str) -> Iterator[ValueCondition]:
    for match in _VERSION_LIMIT.finditer(question):
        limit = _parts(match["named"] or match["dotted"])
        yield ValueCondition(
            text=match[0].strip(), start=match.start(), end=match.end(), test=_version_test(match, limit)
        )


def _version_test(match: re.Match[str], limit: tuple[int, ...]) -> _Test:
    def test(unit: SourceUnit) -> bool | None:
        versions = [_parts(found[1] or found[2]) for found in _VERSION.finditer(unit.text)]
        if match["before"]:
            verdicts = [version < limit for version in versions]
        elif match["after"]:
            verdicts = [version > limit for version in versions]
        elif match["least"] or match["up"]:
            verdicts = [version >= limit for version in versions]
        else:
            verdicts = [version[: len(limit)] == limit for version in versions]
        return any(verdicts) if verdicts else None

    return test


def _parts(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))
