"""Quantities that are written as words: times, durations and numbers, and the signs of fractions such as ½. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping
from decimal import Decimal

from frasier.kernel.clock_times import find_clock_times, find_worded_times
from frasier.kernel.number_mentions import NumberMention, bound_before, multiplier_after, unit_after
from frasier.kernel.number_words import ONES_AND_ARTICLES, find_number_words
from frasier.kernel.text import word_set
from frasier.kernel.unit_names import CLOCK, MULTIPLIERS, unit_of

_DURATIONS = tuple(
    (
        re.compile(rf"\b(?<!\d )(?:(?:an?|eine[rnm]?|une?|una|een|uma?) )?(?:{names})\b", re.IGNORECASE),
        amount,
        unit,
    )
    for names, amount, unit in (
        (
            r"three[ -]quarters of an hour|dreiviertelstunde|trois quarts d['’]heure|tres cuartos de hora",
            45,
            "min",
        ),
        (
            r"half(?: an)?[ -]hour|halben? stunde|demi-heure|media hora|mezz['’]?\s?ora|half ?uur|meia hora",
            30,
            "min",
        ),
        (
            (
                r"(?<!quarters )quarter(?: of an)?[ -]hour|viertelstunde|quart d['’]heure|cuarto de hora"
                r"|quarto d['’]ora|kwartier|quarto de hora"
            ),
            15,
            "min",
        ),
        (r"half a year|halbe[sn]? jahr|medio año|mezz['’]anno|half jaar|meio ano", 6, "month"),
        (r"vierteljahr", 3, "month"),
    )
)
_WORDS_OF_DURATIONS = word_set(
    "half halbe halben halbes dreiviertelstunde viertelstunde vierteljahr quarter quarters quart quarts demi media"
    " medio cuarto cuartos mezz mezzora quarto kwartier halfuur meia meio"
)
"""The words of which each of these durations has one: few texts have any."""
_VULGAR = re.compile(r"(?<![\w.,])(?P<whole>\d{1,4})?[ \u00a0]?(?P<part>[¼½¾⅐-⅞])")
_FRACTION = re.compile(
    r"[ -]?(?:(?P<half>halves|halben?|demies?|medios|medias)|(?P<third>thirds?|drittel|tiers|tercios?|terzi|derde)"
    r"|(?P<quarter>quarters?|viertel|quarts?|cuartos?|quarti|kwart)|(?P<fifth>fifths?|fünftel|cinquièmes?|quintos?|quinti)"
    r"|(?P<tenth>tenths?|zehntel|dixièmes?|décimas?|décimos?|decimi))\b(?! (?:of|del) (?:20|19))"
    r"(?:(?: of an?| d['’]| de| di)(?= ?(?:hour|year|day|heure|hora|año|ora|anno)))?",
    re.IGNORECASE,
)
_PARTS: Mapping[str, int] = {"half": 2, "third": 3, "quarter": 4, "fifth": 5, "tenth": 10}
_FRACTION_ALONE = re.compile(
    r"\b(?:(?P<half>half(?! an?\b|-| past)|hälfte|moitié|mitad|metà|helft|metade)"
    r"|(?:an?|one|ein|une?|un[ao]|um|een)\s"
    r"(?:(?P<third>third|drittel|tiers|tercio|terzo|terço|derde)|(?P<quarter>quarter|viertel|quart|cuarto|quarto|kwart)"
    r"|(?P<fifth>fifth|fünftel|cinquième|quinto|vijfde)|(?P<tenth>tenth|zehntel|dixième|décimo|decimo|tiende)))"
    r"(?=\s(?:of|der|des|von|de|du|di|del\w*|van|do|da|dos|das|them|the|its|their)\b|[,.;:)]|$)",
    re.IGNORECASE,
)
_ONES = {"one", "ein", "un", "una", "uno", "um", "uma", "een"}
_HALF_OF = re.compile(r"\bhalf\s$")  # "half a million"
_AND_A_HALF = re.compile(r"^\s+(?:and a half|et demie?|y medi[ao]|e mezz[ao]|e mei[ao]|en een half)\b")
_CLOCK_WORD = re.compile(r"\s(?:Uhr|o['’]clock)\b")


def clock_times(text: str, words: Collection[str], language: str | None = None) -> Iterator[NumberMention]:
    """Yield the times of day of a text in a language; `words` are its words in lower case."""
    worded = list(find_worded_times(text, words))
    for start, end, seconds, precision in find_clock_times(text, language):
        if any(first <= start < last for first, last, _ in worded):  # "five past midnight"
            continue
        yield NumberMention(
            start=start,
            end=end,
            text=text[start:end],
            values=(Decimal(seconds),),
            unit=CLOCK,
            precision=Decimal(precision),
            bound=bound_before(text, start),
        )
    for start, end, seconds_of_day in worded:
        yield NumberMention(
            start=start,
            end=end,
            text=text[start:end],
            values=tuple(Decimal(seconds) for seconds in seconds_of_day),
            unit=CLOCK,
            precision=Decimal(60),
            is_word=True,
        )


def worded_durations(text: str, words: Collection[str]) -> Iterator[NumberMention]:
    """Yield the durations that have a word of their own: "half an hour", "Viertelstunde", "medio año"."""
    if _WORDS_OF_DURATIONS.isdisjoint(words):
        return
    for pattern, amount, unit in _DURATIONS:
        for match in pattern.finditer(text):
            yield NumberMention(
                start=match.start(),
                end=match.end(),
                text=match[0],
                values=(Decimal(amount),),
                unit=unit_of(unit),
                precision=Decimal(1),
                bound=bound_before(text, match.start()),
                is_word=True,
            )


def vulgar_fractions(text: str) -> Iterator[NumberMention]:
    """Yield the numbers with a sign such as ½: "4½ points", "¾ cup"."""
    for match in _VULGAR.finditer(text):
        value = Decimal(match["whole"] or 0) + Decimal(str(unicodedata.numeric(match["part"])))
        unit, end = unit_after(text, match.end())
        yield NumberMention(
            start=match.start(),
            end=end,
            text=text[match.start() : end],
            values=(value,),
            unit=unit,
            precision=Decimal("0.01"),
            bound=bound_before(text, match.start()),
            is_fraction=not match["whole"],
        )


def fractions_in(text: str) -> Iterator[Decimal]:
    """Yield the parts that a text names without a number beside them: "half of it", "a quarter", "die Hälfte"."""
    for match in _FRACTION_ALONE.finditer(text):
        yield Decimal(1) / next(parts for name, parts in _PARTS.items() if match[name])


def _parts(fraction: re.Match[str]) -> int:
    """The number of parts that the word behind a number makes of the whole."""
    return next((parts for name, parts in _PARTS.items() if fraction[name]), 0)


def numbers_in_words(text: str, language: str | None) -> Iterator[NumberMention]:
    """Yield the numbers of a text that are written as words, with their fractions, multipliers and units."""
    last_end = 0
    for number in find_number_words(text, language):
        if number.start < last_end:
            continue
        value, end = number.value, number.end
        *_, last = (word := text[number.start : end].casefold()).split()
        precision = Decimal(MULTIPLIERS.get(last, 1))
        if word in ONES_AND_ARTICLES and _HALF_OF.search(text, max(0, number.start - 8), number.start):
            value, precision = Decimal("0.5"), Decimal("0.1")
        if half := _AND_A_HALF.match(text[end:]):
            value, end, precision = value + Decimal("0.5"), end + half.end(), Decimal("0.5")
        fraction = _FRACTION.match(text, end)
        if fraction is not None and (part := _parts(fraction)):
            value, end, precision = value / part, fraction.end(), Decimal("0.01")
        multiplier, end = multiplier_after(text, end, is_money=False)
        unit, end = unit_after(text, end)
        if unit is not None and (half := _AND_A_HALF.match(text[end:])):  # "deux heures et demie"
            value, end, precision = value + Decimal("0.5"), end + half.end(), Decimal("0.5")
        if (clock := _CLOCK_WORD.match(text, end)) and unit is None:
            value, unit, end = value * 3600, CLOCK, clock.end()
        is_share = fraction is not None and word in _ONES  # "one third", but not "a third party"
        if word in ONES_AND_ARTICLES and unit is None and multiplier == 1 and not is_share:
            continue
        last_end = end
        yield NumberMention(
            start=number.start,
            end=end,
            text=text[number.start : end],
            values=(value * multiplier,),
            unit=unit,
            precision=precision * multiplier,
            bound=bound_before(text, number.start),
            is_word=True,
            is_fraction=fraction is not None,
        )


def is_clock_word(text: str, at: int) -> bool:
    """Return whether "Uhr" or "o'clock" stands at a place of a text."""
    return bool(_CLOCK_WORD.match(text, at))
