"""Dates in texts of several languages: each mention with the parts that it gives. Pure."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import TypeAlias

from frasier.kernel.text import word_set

LANGUAGES = ("en", "de", "fr", "es", "it", "nl", "pt", "sv", "da", "nb", "fi", "pl", "cs")
"""The languages whose month names are read."""

_YEAR_MIN, _YEAR_MAX = 1000, 2999
_REMEMBERED_CHARS_MAX = 1_000  # a sentence is read again and again, a long text once
_CENTURY = 2000  # of a year of two digits
_ORDINAL = r"(?:st|nd|rd|th|er|ère|º|ª|°|\.)?"
_EDGE = re.compile(
    r"(?P<end>\b(?:the end of|end of|end|Ende|fin|fin de|finales de|final de))\s+(?:(?:of|de|d['’]|du|mois de)\s*)?$",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    r"\b(?:before|vor|avant|antes de|antes del|prima di|voor)\s+(?:dem\s+|le\s+|el\s+)?$", re.IGNORECASE
)
_BEFORE_MONTH = re.compile(
    r"\b(?:early|mid|late|end of|in|since|until|from|by|of|Anfang|Mitte|Ende|im|seit|bis|ab"
    r"|début|fin|mi|en|depuis)[\s-]+$"
)
_GERMAN_LEAD = (  # "ab dem 1.4."; "So 7.6."
    r"(?:(?<=\bam\s)|(?<=\bab\s)|(?<=\bvom\s)|(?<=\bbis\s)|(?<=\bzum\s)|(?<=\bde[mn]\s)"
    r"|(?<=\b(?:Mo|Di|Mi|Do|Fr|Sa|So)\s))"
)
_LONG_MONTHS, _SHORT_MONTH = frozenset({1, 3, 5, 7, 8, 10, 12}), 2
_OF = r"(?:\s*(?:of|de|del|di|d['’]|van)?\s*)"
# From one day to another of the same month.
_TO_DAY = (
    r"-|–|/|to|to the|bis|bis zum|a|à|al|fino al|au|jusqu['’]au|ao|até|hasta el|tot|and|and the|und|et|y|e|en"
)
_QUARTERS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4,
    "erstes": 1, "erste": 1, "ersten": 1, "zweites": 2, "zweite": 2, "zweiten": 2,
    "drittes": 3, "dritte": 3, "dritten": 3, "viertes": 4, "vierte": 4, "vierten": 4,
    "premier": 1, "deuxième": 2, "troisième": 3, "quatrième": 4,
    "primer": 1, "segundo": 2, "tercer": 3, "cuarto": 4, "primo": 1, "secondo": 2, "terzo": 3, "quarto": 4,
    "eerste": 1, "tweede": 2, "derde": 3, "vierde": 4, "primeiro": 1, "terceiro": 3,
}  # fmt: skip
# Month names of one language that are words of another where they begin with a small letter, have no full stop behind
# them and no year: "12 out of 30", "5 pro Stück", "30 des 60".
_WORDS_IN_LOWER_CASE = frozenset(
    {
        "may",
        "march",
        "mar",
        "dec",
        "sept",
        "august",
        "leden",
        "des",
        "out",
        "set",
        "mag",
        "ago",
        "pro",
        "led",
        "lip",
    }
    | {"lis", "sie", "dub", "elo", "lut", "gen", "sty"}
)
_NAMES_OF_COLUMNS = frozenset(
    {"out", "set", "pro", "led", "des"}
)  # rather than October, September or December
_ABBREVIATION_MAX = 4
# Month names that are also words in some language; without a day or a year they are no date.
_ALSO_WORDS = frozenset(
    {"may", "march", "mars", "mai", "mar", "mag", "set", "out", "dec", "jan", "sep", "oct"}
)
_HOLIDAYS = {
    (
        1,
        1,
    ): "New Year['’]?s Day|Neujahr(?:stag)?|jour de l['’]An|Año Nuevo|Capodanno|Nieuwjaarsdag|Dia de Ano Novo",
    (
        12,
        24,
    ): "Christmas Eve|Heilig(?:er |en )?abend|Nochebuena|[Vv]igilia di Natale|Kerstavond|Véspera de Natal",
    (12, 25): "Christmas Day|jour de Noël|Navidad|giorno di Natale",
    (12, 26): "Boxing Day",
    (12, 31): "New Year['’]?s Eve|Silvester|Saint-Sylvestre|Nochevieja|San Silvestro|oudejaarsdag",
}
"""Days by the names that are always those of one day of the year."""


_DIGIT = re.compile(r"\d")
_WORD = re.compile(r"[^\W\d_]+")
_SIGN_OF_QUARTER = re.compile(r"[QT][1-4]|quart|trimestre|kwartaal", re.IGNORECASE)
DATE_NAMES = word_set(
    "date dated datum fecha issued issue sent stand ausgestellt gesendet émis envoyé data emessa emitida enviado"
    " inviato published updated"
)
"""The names of the field that dates a document."""
_END_OF_YEAR = re.compile(
    r"\b(?:end of|Ende|fin|finales de|fin de)\s+(?P<year>20\d{2})\b(?![.,]?\d)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PartialDate:
    """A date of which some parts may be left open (None)."""

    year: int | None = None
    quarter: int | None = None
    month: int | None = None
    day: int | None = None

    def is_within(self, other: PartialDate) -> bool:
        """Return whether `other` gives the same value for each part that this date gives."""
        quarter = other.quarter or (None if other.month is None else (other.month + 2) // 3)
        return (
            self.year in {None, other.year}
            and self.quarter in {None, quarter}
            and self.month in {None, other.month}
            and self.day in {None, other.day}
        )

    def has_parts_of(self, other: PartialDate) -> bool:
        """Return whether this date gives each part that `other` gives; a year may be understood."""
        pairs = [(self.quarter, other.quarter), (self.month, other.month), (self.day, other.day)]
        return all((mine is not None) or theirs is None for mine, theirs in pairs)


@dataclass(frozen=True, slots=True, kw_only=True)
class DateMention:
    """A date in a text. `readings` has several values where the order of day and month is open."""

    start: int
    end: int
    text: str
    readings: tuple[PartialDate, ...]

    def agrees_with(self, other: DateMention) -> bool:
        """Return whether some reading of this date lies within some reading of `other`."""
        return any(mine.is_within(theirs) for mine in self.readings for theirs in other.readings)


_Reader: TypeAlias = Callable[[re.Match[str]], Iterator[PartialDate]]


def find_dates(text: str) -> Sequence[DateMention]:
    """Find the dates of `text` in their order; of overlapping ones the first and longest.

    Read are ISO dates, numeric dates, days and years with month names of LANGUAGES, quarters, and months alone. A year
    alone is a number.
    """
    return _find_dates_once(text) if len(text) <= _REMEMBERED_CHARS_MAX else _find_dates(text)


@lru_cache(maxsize=16_384)
def _find_dates_once(text: str) -> Sequence[DateMention]:
    return tuple(_find_dates(text))


def masked_dates(text: str, dates: Sequence[DateMention]) -> str:
    """Return `text` with blanks in the place of its dates, so that their digits are no quantities."""
    for date in dates:
        text = text[: date.start] + " " * (date.end - date.start) + text[date.end :]
    return text


def _find_dates(text: str) -> list[DateMention]:
    found = sorted(_candidates(text), key=lambda mention: (mention.start, -mention.end))
    mentions: list[DateMention] = []
    for mention in found:
        if not mentions or mention.start >= mentions[-1].end:
            mentions.append(mention)
    return mentions


def _candidates(text: str) -> Iterator[DateMention]:
    for pattern, read in _readers_for(text):
        for match in pattern.finditer(text):
            readings = [one for one in read(match) if _is_possible(one)]
            if _EDGE.search(text, max(0, match.start() - 20), match.start()):
                readings += [last for one in readings if (last := _last_day(one)) is not None]
            if _BEFORE.search(text, max(0, match.start() - 20), match.start()):
                readings += [last for one in readings if (last := _day_before(one)) is not None]
            yield from _earlier_days(match, readings)
            if readings:
                yield DateMention(
                    start=match.start("day" if "earlier" in match.groupdict() else 0),
                    end=match.end(),
                    text=match[0].rstrip("., "),
                    readings=tuple(dict.fromkeys(readings)),
                )
    for match in _END_OF_YEAR.finditer(text):
        year = PartialDate(year=int(match["year"]), month=12, day=31)
        yield DateMention(
            start=match.start("year"),
            end=match.end(),
            text=match["year"],
            readings=(PartialDate(year=year.year), year),
        )


def _earlier_days(match: re.Match[str], readings: Sequence[PartialDate]) -> Iterator[DateMention]:
    """The days before the one that has the month: 12 and 13 of "12, 13 and 14 June"."""
    if "earlier" not in match.groupdict():
        return
    for number in re.finditer(r"\d+", match["earlier"]):
        days = tuple(day for one in readings if _is_possible(day := replace(one, day=int(number[0]))))
        start = match.start("earlier") + number.start()
        if days:
            yield DateMention(start=start, end=start + len(number[0]), text=number[0], readings=days)


def _day_before(date: PartialDate) -> PartialDate | None:
    """Return the last day of the month before a month that is given without a day."""
    if date.month is None or date.day is not None:
        return None
    if date.month == 1:
        return PartialDate(year=date.year and date.year - 1, month=12, day=31)
    return _last_day(PartialDate(year=date.year, month=date.month - 1))


def _last_day(date: PartialDate) -> PartialDate | None:
    """Return the last day of a month that is given without a day."""
    if date.month is None or date.day is not None:
        return None
    if date.month == _SHORT_MONTH:
        is_leap = date.year is not None and date.year % 4 == 0
        return replace(date, day=29 if is_leap else 28)
    return replace(date, day=31 if date.month in _LONG_MONTHS else 30)


def _is_possible(date: PartialDate) -> bool:
    return (
        (date.year is None or _YEAR_MIN <= date.year <= _YEAR_MAX)
        and (date.month is None or 1 <= date.month <= 12)
        and (date.day is None or 1 <= date.day <= 31)
        and (date.quarter is None or 1 <= date.quarter <= 4)
    )


@cache
def _months(languages: Sequence[str] = tuple(LANGUAGES)) -> dict[str, int]:
    """The number of each month by its names in languages, in lower case and without a full stop."""
    from babel import Locale  # noqa: PLC0415  takes long to load; few commands read dates

    months: dict[str, int] = {}
    for language in languages:
        names = Locale(language).months
        for context in ("format", "stand-alone"):
            for width in ("wide", "abbreviated"):
                for number, name in names[context][width].items():
                    if not name.isdigit():
                        months.setdefault(name.casefold().rstrip("."), number)
    months |= {"sept": 9, "märz": 3, "maerz": 3, "mrz": 3, "jänner": 1}
    return {name: number for name, number in months.items() if name.isalpha() and len(name) > 2}


def month_called(label: str) -> Sequence[DateMention]:
    """Return the month that a label such as the name of a column is: "Jul", "Mar."."""
    name = label.strip(" .").casefold()
    number = _months().get(name)
    if number is None or not label[:1].isupper() or name in _NAMES_OF_COLUMNS:
        return ()
    return (DateMention(start=0, end=len(label), text=label, readings=(PartialDate(month=number),)),)


def _month(name: str) -> int:
    return _months()[name.casefold().rstrip(".")]


def _full_year(digits: str) -> int:
    return int(digits) if len(digits) > 2 else _CENTURY + int(digits)


def _readers_for(text: str) -> Iterator[tuple[re.Pattern[str], _Reader]]:
    """Yield the readers of which a text has the digits or the words: most texts have few."""
    if _DIGIT.search(text):
        yield from _numeric_readers()
    if not _months().keys().isdisjoint(_WORD.findall(text.casefold())):
        yield from _month_readers()
    if _SIGN_OF_QUARTER.search(text):
        yield from _quarter_readers()
    yield from _holiday_readers()


@cache
def _month_readers() -> Sequence[tuple[re.Pattern[str], _Reader]]:
    names = _alternatives(_months())
    month = rf"(?P<month>{names})\b\.?"
    # Only English writes the day behind the month, which has a capital there: "in september 9 leden" is Dutch.
    month_first = _alternatives(_months(("en",)))
    year = r"(?P<year>[12]\d{3})(?![\d.,]*\d)"
    flags = re.IGNORECASE
    return (
        (
            re.compile(
                rf"(?<![\w.,])(?P<earlier>\d{{1,2}}{_ORDINAL}(?:,\s?\d{{1,2}}{_ORDINAL})*)\s*(?:{_TO_DAY})\s*"
                rf"(?:[^\W\d_]{{4,}},?\s+(?:(?:den|le|el|the)\s+)?)?"
                rf"(?P<day>\d{{1,2}}){_ORDINAL}{_OF}{month}(?:(?:,|{_OF})\s*{year})?",
                flags,
            ),
            _named,
        ),
        (
            re.compile(
                rf"(?<![\w.,])(?P<day>\d{{1,2}})[. -]\s?{month}[ -]['’]?(?P<year>\d{{2}})"
                r"(?=\s*(?:$|[,;)|\]]|\.\s|\.$))",
                flags,
            ),
            _named,
        ),
        (
            re.compile(rf"(?<![\w.,])(?P<day>\d{{1,2}}){_ORDINAL}{_OF}[ -]?{month}(?:(?:,|-|{_OF})\s*{year})?", flags),
            _named,
        ),
        (
            re.compile(
                rf"\b(?-i:(?=[A-Z]))(?P<month>{month_first})\b\.?\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?!\d|[.:,]\d|\s?%)"
                rf"(?:,?\s+{year})?",
                flags,
            ),
            _named,
        ),
        (re.compile(rf"\b{month}(?:,|{_OF}|[ -])\s*{year}", flags), _named),
        (re.compile(rf"\b(?-i:(?=[A-Z])){month}(?:-| ['’])(?P<year>\d{{2}})(?![\w-]|[.,:]\d)", flags), _named),
        (re.compile(rf"\b{month}", flags), _month_alone),
    )  # fmt: skip


def _alternatives(names: Iterable[str]) -> str:
    """Return a pattern of the longest of names of letters, by their first letter so that few are tried at a place."""
    ordered = sorted(names, key=lambda name: (name[0], -len(name)))
    groups = itertools.groupby(ordered, key=lambda name: name[0])
    return "|".join(f"{first}(?:{'|'.join(name[1:] for name in group)})" for first, group in groups)


@cache
def _numeric_readers() -> Sequence[tuple[re.Pattern[str], _Reader]]:
    return (
        (re.compile(r"(?<![\w.-])(?P<year>[12]\d{3})[-/.](?P<month>\d{2})[-/.](?P<day>\d{2})(?![\d-])"), _numeric),
        (
            re.compile(
                r"(?<![\w.-])(?P<year>20\d{2})(?P<month>0[1-9]|1[0-2])(?P<day>[0-3]\d)(?:(?=T\d{6})|(?![\w-]))"
            ),
            _numeric,
        ),
        (re.compile(r"(?<![\w.-])(?P<year>[12]\d{3})-(?P<month>0[1-9]|1[0-2])(?![\w-])"), _numeric),
        (
            re.compile(r"(?<![\w.-])(?P<day>\d{1,2})\.\s?(?P<month>\d{1,2})\.\s?(?P<year>\d{4}|\d{2}\b)(?!\.?\d)"),
            _numeric,
        ),
        (re.compile(r"(?:(?<![\w.-])|(?<=\d\.-))(?P<day>\d{2})\.(?P<month>\d{2})\.(?!\d)"), _numeric),
        (re.compile(rf"{_GERMAN_LEAD}(?P<day>\d{{1,2}})\.\s?(?P<month>\d{{1,2}})\.(?!\s?\d)", re.IGNORECASE), _numeric),
        (re.compile(r"(?<![\w/.-])(?P<month>0[1-9]|1[0-2])/(?P<year>[12]\d{3})(?![\w/-])"), _numeric),
        (
            re.compile(r"(?<![\w/.-])(?P<a>\d{1,2})(?P<by>[/-])(?P<b>\d{1,2})(?P=by)(?P<year>\d{4}|\d{2})(?![\w/-])"),
            _either,
        ),
        # Of a line of a statement or a chat: "17/04  Assurance", "Ronja 21/04 09:40", "au 30/04".
        (
            re.compile(
                r"(?:^|(?<=\n)|(?<=\b(?:au|al|am|on|du|el|do|op)\s))(?P<a>\d{2})/(?P<b>\d{2})(?=\s|$)"
                r"|(?<![\w/.,-])(?P<c>\d{2})/(?P<d>\d{2})(?= \d{2}:\d{2}(?!\d))"
            ),
            _either,
        ),
        (re.compile(r"(?<=\[)(?P<a>\d{2})(?P<by>[/.])(?P<b>\d{2})(?= \d{2}:\d{2}[^\]]*\])"), _either),
    )  # fmt: skip


@cache
def _holiday_readers() -> Sequence[tuple[re.Pattern[str], _Reader]]:
    names = "|".join(f"(?P<on_{month}_{day}>{names})" for (month, day), names in _HOLIDAYS.items())
    return ((re.compile(rf"\b(?:{names})\b(?:,?{_OF}(?P<year>[12]\d{{3}}))?", re.IGNORECASE), _holiday),)


def _holiday(match: re.Match[str]) -> Iterator[PartialDate]:
    month, day = next(on for on in _HOLIDAYS if match["on_{}_{}".format(*on)])
    yield PartialDate(year=int(match["year"]) if match["year"] else None, month=month, day=day)


@cache
def _quarter_readers() -> Sequence[tuple[re.Pattern[str], _Reader]]:
    quarter = rf"(?:quarter|quartal|trimestre|kwartaal)s?(?:{_OF}(?P<year>[12]\d{{3}}))?\b"
    patterns = (
        r"\bQ(?P<quarter>[1-4])[ /-]*(?:of\s+|FY\s?)?(?P<year>[12]\d{3})?\b",
        r"\bT(?P<quarter>[1-4])[ /-]+(?:de\s+)?(?P<year>[12]\d{3})\b",
        r"\b(?P<year>[12]\d{3})[ /-]?[QT](?P<quarter>[1-4])\b",
        rf"\b(?P<quarter>[1-4])\.?(?:er|e|º|°)?\s?{quarter}",
        rf"\b(?P<word>{'|'.join(_QUARTERS)})\s+{quarter}",
    )
    return [(re.compile(pattern, re.IGNORECASE), _quarter) for pattern in patterns]


def _part(match: re.Match[str], name: str) -> str | None:
    return match.groupdict().get(name)


def _numeric(match: re.Match[str]) -> Iterator[PartialDate]:
    year, day = _part(match, "year"), _part(match, "day")
    yield PartialDate(
        year=_full_year(year) if year else None, month=int(match["month"]), day=int(day) if day else None
    )


def _either(match: re.Match[str]) -> Iterator[PartialDate]:
    written = match.groupdict().get("year")
    year = _full_year(written) if written else None
    first, second = int(_part(match, "c") or match["a"]), int(_part(match, "d") or match["b"])
    for day, month in ((first, second), (second, first)):
        yield PartialDate(year=year, month=month, day=day)


def _named(match: re.Match[str]) -> Iterator[PartialDate]:
    name, year, day = match["month"], _part(match, "year"), _part(match, "day")
    is_abbreviated = match.string[match.end("month") :][:1] == "." and len(name) <= _ABBREVIATION_MAX
    if year or is_abbreviated or name.rstrip(".") not in _WORDS_IN_LOWER_CASE:
        yield PartialDate(
            year=_full_year(year) if year else None, month=_month(name), day=int(day) if day else None
        )


def _month_alone(match: re.Match[str]) -> Iterator[PartialDate]:
    name = match["month"].rstrip(".")
    is_certain = len(name) > 3 and name.casefold() not in _ALSO_WORDS | _WORDS_IN_LOWER_CASE
    # "May's usage", "the May meeting"
    is_owner = match.string.startswith(("'s ", "’s "), match.end()) or (
        match.string[: match.start()].endswith(" the ") and match.string[match.end() :][1:2].islower()
    )
    if is_certain or (
        name[0].isupper() and (is_owner or _BEFORE_MONTH.search(match.string, 0, match.start()))
    ):
        yield PartialDate(month=_month(name))


def _quarter(match: re.Match[str]) -> Iterator[PartialDate]:
    word, year = _part(match, "word"), _part(match, "year")
    quarter = _QUARTERS[word.casefold()] if word else int(match["quarter"])
    yield PartialDate(year=int(year) if year else None, quarter=quarter)
