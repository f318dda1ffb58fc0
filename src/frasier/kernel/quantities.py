"""Numbers in texts with their units, currencies and percent signs, in the formats of several languages. Pure."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum
from types import MappingProxyType

from frasier.kernel.clock_times import find_clock_times, find_worded_times
from frasier.kernel.number_words import ONES_AND_ARTICLES, value_of_word
from frasier.kernel.unit_names import (
    CLOCK,
    MULTIPLIERS,
    SHORT_MULTIPLIERS,
    MeasureUnit,
    currency_of,
    two_word_unit,
    unit_of,
)


def _listed(words: str) -> list[str]:
    return words.split()


class Bound(StrEnum):
    """The way in which a number limits the quantity that it states."""

    EXACT = "exact"
    ABOUT = "about"
    AT_LEAST = "at least"
    AT_MOST = "at most"


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberMention:
    """A number in a text. `values` has two where a separator may group or divide ("1.234").

    `precision` is the unit of its last written digit (0.01 for 41.80, 1000000 for "5 million"). `is_word` marks a
    number that is written as a word.
    """

    start: int
    end: int
    text: str
    values: tuple[Decimal, ...]
    unit: MeasureUnit | None
    precision: Decimal
    bound: Bound = Bound.EXACT
    is_word: bool = False
    is_fraction: bool = False

    @property
    def factor(self) -> Decimal:
        """The amount of the base unit that one of its unit is."""
        return self.unit.factor if self.unit else Decimal(1)

    @property
    def base_values(self) -> tuple[Decimal, ...]:
        """The values in the base unit of the dimension."""
        return tuple(value * self.factor for value in self.values)

    @property
    def dimension(self) -> str:
        """The dimension of the unit; empty without one."""
        return self.unit.dimension if self.unit else ""

    def comparable(self, other: NumberMention) -> bool:
        """Return whether both have units of one dimension, or one of them has none."""
        return self.unit is None or other.unit is None or self.unit.comparable(other.unit)


def find_quantities(
    text: str, *, decimal_mark: str | None = None, language: str | None = None
) -> list[NumberMention]:
    """Find the numbers of `text` in their order: figures, numbers as words ("twelve", "zwölf") and times of day.

    Digits inside of identifiers ("v2.10.3", "A4", "GPL-3.0") are no numbers. Durations of two parts ("6 h 52 min") are
    one number. With a `decimal_mark` the other mark only groups: "1.234" has one value. In a known `language` words are
    read that are numbers in it alone.
    """
    times = list(_clock_times(text))
    found = times
    for quantity in (*_numerals(text, decimal_mark), *_number_words(text, language)):
        if not any(one.start <= quantity.start < one.end for one in found):
            found = [*found, quantity]
    ordered = sorted(found, key=lambda quantity: quantity.start)
    return _merged_parts(text, _with_units_of_ranges(text, ordered))


def units_in(text: str) -> list[MeasureUnit]:
    """Return the units that `text` names anywhere, as in the head of a table ("price_eur")."""
    found: list[MeasureUnit] = []
    last_end = 0
    for word in re.finditer(r"°?[^\W\d_]+(?:[²³]|[23](?!\w))?|[%‰€$£¥]+", text):
        if word.start() < last_end:
            continue
        unit, last_end = two_word_unit(text, word.start()) or (unit_of(word[0]), word.end())
        if unit is not None:
            found.append(unit)
    return list(dict.fromkeys(found))


def compound_units_in(text: str) -> list[MeasureUnit]:
    """Return the units that end the compounds of a text ("Öffnungstage")."""
    words = re.findall(r"[^\W\d_]+", text)
    ends = (unit_of(word[at:]) for word in words for at in range(2, len(word) - _COMPOUND_UNIT_MIN + 1))
    return list(dict.fromkeys(unit for unit in ends if unit is not None))


# A group separator is a blank, an apostrophe, a full stop or a comma before three digits.
_NUMBER = re.compile(
    r"(?<![\w.,])(?<!\d[/:])(?P<sign>(?<!\w)[-−–+](?=\d))?"
    r"(?P<digits>\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?:[.,]\d+)?(?!\d)|\d+(?:[.,'’]\d+)*)"
    r"(?![\d])"
)
_RANGE = re.compile(
    r"^\s*(?:-|–|to|and|bis|und|à|a|et|y|e|tot|until|or|oder|ou|o|/)\s*(?:[€$£¥]|[A-Z]{3})?\s*$"
)
_COMPOUND_UNIT_MIN = 4  # letters of a unit at the end of a compound
_INSTEAD = re.compile(
    r"\s*(?:instead of|rather than|statt|au lieu de|plutôt que|en lugar de|en vez de|invece di|in plaats van)\s*",
    re.IGNORECASE,
)
_PART_OF_DURATION = re.compile(r"^\s*,?\s*(?:and|und|et|y|e)?\s*$")
_AFTER_NUMBER = re.compile(
    r"(?:[ \u00a0\u202f]|-(?=[^\W\d_]{3}))?([^\W\d_]+\.?|[%‰€$£¥]+|°\s?[CF]|µ?[^\W\d_]+[²³23]?)"
)
_SQUARED = re.compile(r"(?:[ \u00a0\u202f])?([^\W\d_]{1,2}[²³23])(?!\w)")
_CURRENCY_BEFORE = re.compile(r"([€$£¥]|\b[A-Z]{3}|\bFr\.)[ \u00a0\u202f]?[-−–]?$")
_MULTIPLIER = re.compile(r"[ \u00a0\u202f]?(miles de|[^\W\d_]+)\b\.?")
_BOUNDS: Mapping[Bound, frozenset[str]] = MappingProxyType(
    {
        Bound.ABOUT: frozenset(
            _listed(
                "about around approximately approx roughly nearly almost some circa ca rund etwa ungefähr knapp fast"
                " gut environ près quasiment presque alrededor aproximadamente casi unos unas cerca ongeveer ~ ≈ c"
                " shortly kurz bijna zo'n omstreeks quasi verso perto"
            )
        ),
        Bound.AT_LEAST: frozenset(
            _listed(
                "over above exceeding least minimum mindestens über plus más ab from > ≥ minimal besser"
                " more mehr meer after nach après ruim minstens méér oltre almeno più mínimo"
            )
        ),
        Bound.AT_MOST: frozenset(
            _listed(
                "below under most maximum höchstens unter maximal bis less fewer < ≤ within binnen innerhalb to"
                " weniger moins menos máximo como before vor avant hooguit maximaal minder onder meno massimo entro"
            )
        ),
    }
)
_COMPARATIVES = frozenset(
    _listed(
        "more less fewer over above exceeding below under mehr weniger über unter plus moins más menos meer minder più"
        " meno"
    )
)
# Before a comparative: "no more than", "au moins", "a lo más".
_REVERSING = re.compile(r"\b(?:no|not|nicht|pas|au|al|lo|niet|non)\s+$", re.IGNORECASE)
_WORD_BEFORE = re.compile(
    r"([^\W\d_]+|[~≈<>≤≥])[.:]?\s*"
    r"(?:(?:of|than|als|to|de|que|the|at|von|un|une|after|nach|dan|di)\s+)?(?:[€$£¥]|[A-Z]{3}\s)?\s*$"
)
_ORDINALS_AND_FACTORS = frozenset(
    {"x", "st", "nd", "rd", "th", "er", "e", "k", "m", "b", "bn", "mn", "mio", "mrd"}
)
_WORD = re.compile(r"(?<![\w-])[^\W\d_]+(?:-[^\W\d_]+)*(?: [ye] [^\W\d_]+| et un\b| cents?\b)?(?!\w)")
_CLOCK_WORD = re.compile(r"\s(?:Uhr|o['’]clock)\b")
_AMOUNT_BEHIND = re.compile(r"[€$£¥]\d")  # "lot 1 £500"
_ELISION = re.compile(r"['’]\w{2}")  # "2026 l'azienda"
_OF = re.compile(r" (?:de|of|d['’])(?=\s?\w)")
_FRACTION = re.compile(
    r"[ -]?(?:(?P<half>halves|halben?|demies?|medios|medias)|(?P<third>thirds?|drittel|tiers|tercios?|terzi|derde)"
    r"|(?P<quarter>quarters?|viertel|quarts?|cuartos?|quarti|kwart)|(?P<fifth>fifths?|fünftel|cinquièmes?|quintos?|quinti)"
    r"|(?P<tenth>tenths?|zehntel|dixièmes?|décimas?|décimos?|decimi))\b(?! (?:of|del) (?:20|19))"
    r"(?:(?: of an?| d['’]| de| di)(?= ?(?:hour|year|day|heure|hora|año|ora|anno)))?",
    re.IGNORECASE,
)
_PARTS: Mapping[str, int] = {"half": 2, "third": 3, "quarter": 4, "fifth": 5, "tenth": 10}
_ONES = {"one", "ein", "un", "una", "uno"}
_HALF_OF = re.compile(r"\bhalf\s$")  # "half a million"
_AND_A_HALF = re.compile(r"^\s+(?:and a half|et demie?|y medi[ao])\b")


def _clock_times(text: str) -> Iterator[NumberMention]:
    for start, end, seconds, precision in find_clock_times(text):
        yield NumberMention(
            start=start,
            end=end,
            text=text[start:end],
            values=(Decimal(seconds),),
            unit=CLOCK,
            precision=Decimal(precision),
            bound=_bound_before(text, start),
        )
    for start, end, seconds_of_day in find_worded_times(text):
        yield NumberMention(
            start=start,
            end=end,
            text=text[start:end],
            values=tuple(Decimal(seconds) for seconds in seconds_of_day),
            unit=CLOCK,
            precision=Decimal(60),
            is_word=True,
        )


def _with_units_of_ranges(text: str, quantities: list[NumberMention]) -> list[NumberMention]:
    """Give the first number of a range ("from 18.2 to 21.6 million EUR") the unit and the multiplier of the second."""
    for at, (first, second) in reversed(list(enumerate(itertools.pairwise(quantities)))):
        between = text[first.end : second.start]
        if second.unit is None and first.unit and _INSTEAD.fullmatch(between) and first.unit != CLOCK:
            quantities[at + 1] = replace(second, unit=first.unit)
        if first.unit is None and second.unit and (_RANGE.match(between) or _INSTEAD.fullmatch(between)):
            scale = 3600 if second.unit == CLOCK else _scale(second)
            values = tuple(dict.fromkeys([*(value * scale for value in first.values), *first.values]))
            if scale > 1 and second.unit != CLOCK and first.values[0] >= scale:
                values = first.values
            quantities[at] = replace(first, values=values, unit=second.unit)
    return quantities


def _merged_parts(text: str, quantities: list[NumberMention]) -> list[NumberMention]:
    """Join the parts of durations and weights ("5 hours and 40 minutes") into the smaller unit."""
    merged: list[NumberMention] = []
    for quantity in quantities:
        last = merged[-1] if merged else None
        if (
            last is not None
            and last.unit is not None
            and quantity.unit is not None
            and last.dimension == quantity.dimension
            and last.dimension in {"time", "months"}
            and last.unit.factor > quantity.unit.factor
            and quantity.values[0] * quantity.factor < last.unit.factor
            and _PART_OF_DURATION.match(text[last.end : quantity.start])
        ):
            value = last.values[0] * last.factor / quantity.factor + quantity.values[0]
            merged[-1] = replace(
                quantity,
                start=last.start,
                text=text[last.start : quantity.end],
                values=(value,),
                bound=last.bound,
            )
        else:
            merged.append(quantity)
    return merged


def _scale(quantity: NumberMention) -> int:
    """The multiplier that a number is written with: 1000000 of "5 million"."""
    word = re.search(r"[^\W\d_]+", quantity.text)
    return MULTIPLIERS.get(word[0].casefold(), 1) if word and len(word[0]) > 1 else 1


def _numerals(text: str, decimal_mark: str | None) -> Iterator[NumberMention]:
    for match in _NUMBER.finditer(text):
        values, precision = _read_digits(match["digits"], decimal_mark)
        if not values or _is_part_of_identifier(text, match):
            continue
        start, end = match.start(), match.end()
        before = _CURRENCY_BEFORE.search(text, max(0, start - 8), start + len(match["sign"] or ""))
        unit = currency_of(before[1]) if before else None
        if unit is not None and before is not None:
            start = before.start()
        multiplier, end = _multiplier(text, end, is_money=unit is not None)
        if multiplier > 1 and (of := _OF.match(text, end)) and _unit_after(text, of.end())[0]:
            end = of.end()
        if unit is None:
            unit, end = _unit_after(text, end)
        sign = -1 if match["sign"] in {"-", "−"} and _is_minus(text, match.start()) else 1
        yield NumberMention(
            start=start,
            end=end,
            text=text[start:end],
            values=tuple(sign * value * multiplier for value in values),
            unit=unit,
            precision=precision * multiplier,
            bound=_bound_before(text, start),
        )


def _read_digits(digits: str, decimal_mark: str | None) -> tuple[tuple[Decimal, ...], Decimal]:
    """Return the values that the digits may have, and the unit of the last; no value where they are no number."""
    plain = re.sub("[ \u00a0\u202f'’]", "", digits)
    marks = [character for character in plain if character in ".,"]
    if not marks:
        return (Decimal(plain),), Decimal(1)
    groups = re.split("[.,]", plain)
    grouped = all(len(group) == 3 for group in groups[1:]) and 1 <= len(groups[0]) <= 3 and groups[0] != "0"
    if len(set(marks)) == 1 and len(marks) > 1:
        return ((Decimal("".join(groups)),), Decimal(1)) if grouped else ((), Decimal(1))
    if len(set(marks)) == 2:
        if plain.count(marks[-1]) > 1 or not all(len(group) == 3 for group in groups[1:-1]):
            return (), Decimal(1)
        return (Decimal("".join(groups[:-1]) + "." + groups[-1]),), Decimal(1).scaleb(-len(groups[-1]))
    decimal = Decimal(".".join(groups))
    fraction = Decimal(1).scaleb(-len(groups[-1]))
    if grouped and decimal_mark == marks[0]:
        return (decimal,), fraction
    if grouped:
        return (Decimal("".join(groups)), *(() if decimal_mark else (decimal,))), Decimal(1)
    return (decimal,), fraction


def _is_part_of_identifier(text: str, match: re.Match[str]) -> bool:
    """Return whether letters before or after make the digits a part of a name ("B-12", "3DES")."""
    before, after = text[max(0, match.start() - 8) : match.start()], text[match.end() : match.end() + 14]
    if re.search(r"[^\W\d_]-$", before) and not re.search(r"\bmid-$", before):
        return True
    # "26-4471" is a number of a file, "300-350 t" a range.
    if re.search(r"\d-$", before) and _unit_after(text, match.end())[0] is None:
        return True
    if (second := re.match(r"-\d+(?:[.,]\d+)*", after)) and _unit_after(text, match.end() + second.end())[
        0
    ] is None:
        return True
    attached = re.match(r"[^\W\d_]+[²³23]?(?!\w)", after)
    if attached is None:
        return bool(re.match(r"[_#@\w]|\.\d|/\d{3,}", after))
    return unit_of(attached[0]) is None and attached[0].casefold() not in _ORDINALS_AND_FACTORS


def _is_minus(text: str, start: int) -> bool:
    return start == 0 or text[start - 1] in " \t(|:;=\n"


def _multiplier(text: str, end: int, *, is_money: bool) -> tuple[int, int]:
    match = _MULTIPLIER.match(text, end)
    if match is None:
        return 1, end
    word = match[1].casefold()
    if word not in MULTIPLIERS:
        return 1, end
    if word in SHORT_MULTIPLIERS:
        has_sign_behind = text[match.end() : match.end() + 1] in {"€", "$", "£"}
        is_attached_k = word == "k" and match.start(1) == end
        if not (is_money or has_sign_behind or is_attached_k):
            return 1, end
    return MULTIPLIERS[word], match.end() - (match[0].endswith(".") and word not in {"mio", "mrd", "tsd"})


def _unit_after(text: str, end: int) -> tuple[MeasureUnit | None, int]:
    if (pair := two_word_unit(text, end)) is not None:
        return pair
    if (squared := _SQUARED.match(text, end)) and (unit := unit_of(squared[1])):
        return unit, squared.end()
    match = _AFTER_NUMBER.match(text, end)
    if match is None or _ELISION.match(text, match.end()) or _AMOUNT_BEHIND.match(text, match.start(1)):
        return None, end
    unit = unit_of(match[1].rstrip(".").replace(" ", ""))
    return (unit, match.end() - match[1].endswith(".")) if unit else (None, end)


def _bound_before(text: str, start: int) -> Bound:
    match = _WORD_BEFORE.search(text, max(0, start - 40), start)
    if match is None:
        return Bound.EXACT
    word = match[1].casefold()
    bound = next((bound for bound, words in _BOUNDS.items() if word in words), Bound.EXACT)
    if word in _COMPARATIVES and _REVERSING.search(text, max(0, match.start() - 10), match.start()):
        return Bound.AT_MOST if bound is Bound.AT_LEAST else Bound.AT_LEAST
    return bound


def _parts(fraction: re.Match[str]) -> int:
    """The number of parts that the word behind a number makes of the whole."""
    return next((parts for name, parts in _PARTS.items() if fraction[name]), 0)


def _number_words(text: str, language: str | None) -> Iterator[NumberMention]:
    last_end = 0
    for match in _WORD.finditer(text):
        word, end = match[0].casefold(), match.end()
        if match.start() < last_end:
            continue
        value = value_of_word(word, language)
        if value is None and " " in word:
            word = word.partition(" ")[0]
            value, end = value_of_word(word, language), match.start() + len(word)
        if value is None and "-" in word:  # "two-year"
            value, end = value_of_word(word.partition("-")[0], language), match.start() + word.index("-")
        if value is None:
            continue
        precision = Decimal(1)
        if word in ONES_AND_ARTICLES and _HALF_OF.search(text, max(0, match.start() - 8), match.start()):
            value, precision = Decimal("0.5"), Decimal("0.1")
        if half := _AND_A_HALF.match(text[end:]):
            value, end, precision = value + Decimal("0.5"), end + half.end(), Decimal("0.5")
        fraction = _FRACTION.match(text, end)
        if fraction is not None and (part := _parts(fraction)):
            value, end, precision = value / part, fraction.end(), Decimal("0.01")
        multiplier, end = _multiplier(text, end, is_money=False)
        unit, end = _unit_after(text, end)
        if unit is not None and (half := _AND_A_HALF.match(text[end:])):  # "deux heures et demie"
            value, end, precision = value + Decimal("0.5"), end + half.end(), Decimal("0.5")
        if (clock := _CLOCK_WORD.match(text, end)) and unit is None:
            value, unit, end = value * 3600, CLOCK, clock.end()
        is_share = fraction is not None and word in _ONES  # "one third", but not "a third party"
        if word in ONES_AND_ARTICLES and unit is None and not is_share:
            continue
        last_end = end
        yield NumberMention(
            start=match.start(),
            end=end,
            text=text[match.start() : end],
            values=(value * multiplier,),
            unit=unit,
            precision=precision * multiplier,
            bound=_bound_before(text, match.start()),
            is_word=True,
            is_fraction=fraction is not None,
        )
