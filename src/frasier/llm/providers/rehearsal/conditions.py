"""Conditions in a question that can be computed: on dates, on numbers with units, and on versions."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from frasier.kernel.dates import DateMention, PartialDate, find_dates
from frasier.kernel.quantities import Bound, NumberMention, find_quantities
from frasier.kernel.source_units import SourceUnit, masked_dates
from frasier.llm.providers.rehearsal.stems import content_stems

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
        if unit.cells:
            named = [
                SourceUnit(
                    number=unit.number,
                    order=unit.order,
                    text=cell.text,
                    context="",
                    language=unit.language,
                    cells=(cell,),
                )
                for cell in unit.cells
                if not set(words).isdisjoint(content_stems(cell.head, language))
            ]
            verdicts = [verdict for cell in named if (verdict := self.test(cell)) is not None]
            if verdicts:
                return any(verdicts)
        return self.test(unit)


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
    r"before|earlier than|prior to|vor(?: dem)?|avant(?: le)?|antes del?": (
        lambda span, limit: span[1] < limit[0]
    ),
    r"until|till|by|no later than|up to|bis(?: zum)?|spätestens(?: am)?|jusqu['’](?:à|au)|au plus tard(?: le)?|"
    r"hasta(?: el)?|a más tardar(?: el)?": lambda span, limit: span[1] <= limit[1],
    r"after|later than|nach(?: dem)?|après(?: le)?|después del?": lambda span, limit: span[0] > limit[1],
    r"since|from|ab(?: dem)?|seit(?: dem)?|depuis(?: le)?|à partir du?|desde(?: el)?|a partir del?": (
        lambda span, limit: span[0] >= limit[0]
    ),
    r"in|on|during|im|am|en|au|el": lambda span, limit: limit[0] <= span[0] and span[1] <= limit[1],
}
_YEAR_ALONE = re.compile(rf"\b(?:{'|'.join(_RELATIONS)})\s+((?:19|20)\d\d)\b(?![.,-]?\d)", re.IGNORECASE)
_RANGE_BEGINS = re.compile(
    r"\b(?:between|from|zwischen|von|vom|entre|du|del)\s+(?:the\s+|dem\s+)?$", re.IGNORECASE
)
_RANGE_GOES_ON = re.compile(r"\s*(?:and|to|until|und|bis|bis zum|et|au|y|al|–|-)\s*", re.IGNORECASE)


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
            for mention in unit.dates
            for date in mention.readings
            if date.month or date.quarter
        ]
        return any(verdicts) if verdicts else None

    return test


def _span(date: PartialDate, *, year: int | None) -> _Span:
    """The first and the last day of a date, without its year where the other date has none."""
    of_year = date.year if date.year and year else 0
    first = date.month or (date.quarter or 1) * 3 - 2
    last = date.month or (date.quarter or 4) * 3
    return (of_year, first, date.day or 1), (of_year, last, date.day or 31)


_STRICT = re.compile(
    r"(?:more than|over|above|exceed\w*|less than|fewer than|below|under|cheaper than|mehr als|über|weniger als|unter|"
    r"plus de|au-dessus de|moins de|más de|menos de|[<>])\s*(?:[€$£¥]|[A-Z]{3})?\s*$",
    re.IGNORECASE,
)


def _quantity_conditions(question: str) -> Iterator[ValueCondition]:
    for limit in find_quantities(question):
        if limit.bound in {Bound.AT_LEAST, Bound.AT_MOST} and not limit.is_word:
            before = question[: limit.start]
            words = re.search(r"(?:[\w-]+\s+){1,2}$|[<>≤≥]\s*$", before)
            start = words.start() if words else limit.start
            is_strict = _STRICT.search(before) is not None
            yield ValueCondition(
                text=question[start : limit.end].strip(),
                start=start,
                end=limit.end,
                test=_quantity_test(limit, is_strict=is_strict),
            )


def _quantity_test(limit: NumberMention, *, is_strict: bool) -> _Test:
    bound = limit.base_values[0]

    def holds(value: Decimal) -> bool:
        if value == bound:
            return not is_strict
        return value > bound if limit.bound is Bound.AT_LEAST else value < bound

    def test(unit: SourceUnit) -> bool | None:
        # A number without a unit is compared with a condition that has none, either.
        comparable = [
            quantity
            for quantity in unit.quantities
            if (quantity.unit is None) == (limit.unit is None) and quantity.comparable(limit)
        ]
        return any(holds(quantity.base_values[0]) for quantity in comparable) if comparable else None

    return test


_VERSION_LIMIT = re.compile(
    r"(?:(?P<before>before|older than|below|lower than|vor|unter|avant|antes de|anterior(?:es)? a)|"
    r"(?P<after>after|newer than|above|higher than|nach|über|après|después de|posterior(?:es)? a)|"
    r"(?P<least>at least|from|since|ab|mindestens|à partir de|desde))?\s*"
    r"\b(?:(?:version|release|versión)s?\s+v?(?P<named>\d+(?:\.\d+)*)|v?(?P<dotted>\d+\.\d+\.\d+))\b"
    r"(?:\s+(?P<up>or (?:later|newer|higher|above)|oder (?:neuer|höher|später)|"
    r"ou (?:plus|ultérieure)\w*|o (?:posterior|superior)\w*))?",
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
