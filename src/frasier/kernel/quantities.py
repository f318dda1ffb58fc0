"""Numbers in texts with their units, currencies and percent signs, in the formats of several languages. Pure."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache

from frasier.kernel.clock_times import HALF_DAY
from frasier.kernel.number_mentions import NumberMention, bound_before, multiplier_after, unit_after
from frasier.kernel.unit_names import CLOCK, MULTIPLIERS, MeasureUnit, currency_of, two_word_unit, unit_of
from frasier.kernel.worded_quantities import (
    clock_times,
    is_clock_word,
    numbers_in_words,
    vulgar_fractions,
    worded_durations,
)

_REMEMBERED_CHARS_MAX = 1_000  # a sentence is read again and again, a long text once


def find_quantities(
    text: str, *, decimal_mark: str | None = None, language: str | None = None
) -> Sequence[NumberMention]:
    """Find the numbers of `text` in their order: figures, numbers as words ("twelve", "zwölf") and times of day.

    Digits inside of identifiers ("v2.10.3", "A4", "GPL-3.0") are no numbers. Durations of two parts ("6 h 52 min") are
    one number. With a `decimal_mark` the other mark only groups: "1.234" has one value. In a known `language` words are
    read that are numbers in it alone.
    """
    if len(text) > _REMEMBERED_CHARS_MAX:
        return _find_quantities(text, decimal_mark, language)
    return _find_quantities_once(text, decimal_mark, language)


@lru_cache(maxsize=16_384)
def _find_quantities_once(
    text: str, decimal_mark: str | None, language: str | None
) -> Sequence[NumberMention]:
    return tuple(_find_quantities(text, decimal_mark, language))


def _find_quantities(text: str, decimal_mark: str | None, language: str | None) -> list[NumberMention]:
    words = frozenset(re.findall(r"[^\W\d_]+", text.casefold()))
    found = list(clock_times(text, words, language))
    taken = {place for time in found for place in range(time.start, time.end)}
    for quantity in (
        *worded_durations(text, words),
        *vulgar_fractions(text),
        *_numerals(text, decimal_mark),
        *numbers_in_words(text, language),
    ):
        if quantity.start not in taken:
            found.append(quantity)
            taken.update(range(quantity.start, quantity.end))
    ordered = sorted(found, key=lambda quantity: quantity.start)
    return _merged_parts(text, _with_units_of_ranges(text, ordered))


def units_in(text: str) -> list[MeasureUnit]:
    """Return the units that `text` names anywhere, as in the head of a table ("price_eur")."""
    found: list[MeasureUnit] = []
    last_end = 0
    for word in re.finditer(r"(?<!\w)(?:R|US|A|C|NZ|HK|S)\$|°?[^\W\d_]+(?:[²³]|[23](?!\w))?|[%‰€$£¥]+", text):
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
    r"(?:(?<![\w.,])(?<!\d[/:])|(?<=\dx))(?P<sign>(?<!\w)[-−–+](?=\d))?"
    r"(?P<digits>\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?:[.,]\d+)?(?!\d)|\d+(?:(?:[.'’]|\\?,)\d+)*)"
    r"(?![\d])"
)
_RANGE = re.compile(
    r"^\s*(?:-|–|to|and|bis|auf|und|à|a|al|et|y|e|tot|naar|until|or|oder|ou|o|/)\s*(?:[€$£¥]|[A-Z]{3})?\s*$"
)
_RANGE_FACTOR = 5  # a range may fall; "310 tonnes at 4.80 €" is none
_COMPOUND_UNIT_MIN = 4  # letters of a unit at the end of a compound
_INSTEAD = re.compile(
    r"\s*(?:instead of|rather than|statt|au lieu de|plutôt que|en lugar de|en vez de|invece di|in plaats van)\s*",
    re.IGNORECASE,
)
_PART_OF_DURATION = re.compile(r"^\s*,?\s*(?:and|und|et|y|e)?\s*$")
_ABBREVIATED = re.compile(r"(?<![^\W\d_])[^\W\d_]{1,4}$")  # "2 Std. 14 Min."
_CURRENCY_BEFORE = re.compile(
    r"((?<!\w)(?:R|US|A|C|NZ|HK|S)\$|[€$£¥]|\b[A-Z]{3}|\bFr\.)[ \u00a0\u202f]?[-−–]?$"
)
_ORDINALS_AND_FACTORS = frozenset(
    {"x", "st", "nd", "rd", "th", "er", "e", "k", "m", "b", "bn", "mn", "mio", "mrd"}
)
_RESULT = re.compile(r"(?<![\w-])\d{1,2}-\d{1,2}(?![\w-]|[.,/:]\w)")
_RESULT_BEFORE = re.compile(r"(?<![\w-])\d{1,2}-\d{1,2}$")
_LETTER_BEFORE = re.compile(r"[^\W\d_]-$(?<!\bmid-)(?<!\bunder-)(?<!\bover-)")
_DIGIT_BEFORE = re.compile(r"\d-$")
_NUMBER_BEHIND = re.compile(r"-\d+(?:[.,]\d+)*")
_FACTOR_BEHIND = re.compile(r"x\d")
_ATTACHED = re.compile(r"[^\W\d_]+[²³23]?(?!\w)")
_IDENTIFIER_BEHIND = re.compile(r"[_#@\w]|\.\d|/\d{3,}")
_OF = re.compile(r" (?:de|of|d['’])(?=\s?\w)")


def _with_units_of_ranges(text: str, quantities: list[NumberMention]) -> list[NumberMention]:
    """Give the first number of a range ("from 18.2 to 21.6 million EUR") the unit and the multiplier of the second."""
    for at, (first, second) in reversed(list(enumerate(itertools.pairwise(quantities)))):
        between = text[first.end : second.start]
        if second.unit is None and first.unit and _INSTEAD.fullmatch(between) and first.unit != CLOCK:
            quantities[at + 1] = replace(second, unit=first.unit)
        is_range = _RANGE.match(between) and first.values[0] <= _RANGE_FACTOR * second.values[0]
        is_measured = second.unit is not None or _scale(second) > 1
        if is_range and _scale(second) > 1 == _scale(first) and _is_amount_before(first, second):
            values = tuple(value * _scale(second) for value in first.values)  # "€1.2-1.5 million"
            quantities[at] = replace(first, values=(*values, *first.values))
            quantities[at + 1] = replace(second, unit=first.unit)
            continue
        if first.unit is None and is_measured and (is_range or _INSTEAD.fullmatch(between)):
            scale = 3600 if second.unit == CLOCK else _scale(second)
            scaled = [value * scale for value in first.values]
            if second.unit == CLOCK:  # "from 7 to 9 in the evening"
                scaled += [value + HALF_DAY for value in scaled if value <= HALF_DAY]
            values = tuple(dict.fromkeys([*scaled, *first.values]))
            if scale > 1 and second.unit != CLOCK and first.values[0] >= scale:
                values = first.values
            quantities[at] = replace(first, values=values, unit=second.unit)
    return quantities


def _merged_parts(text: str, quantities: list[NumberMention]) -> list[NumberMention]:
    """Join the parts of durations and weights ("5 hours and 40 minutes") into the smaller unit."""
    merged: list[NumberMention] = []
    for read in quantities:
        last = merged[-1] if merged else None
        are_minutes = last is not None and _are_minutes(text, last, read)  # "1 h 48 de voyage"
        quantity = replace(read, unit=unit_of("min")) if are_minutes else read
        if (
            last is not None
            and last.unit is not None
            and quantity.unit is not None
            and last.dimension == quantity.dimension
            and last.dimension in {"time", "months"}
            and last.unit.factor > quantity.unit.factor
            and quantity.values[0] * quantity.factor < last.unit.factor
            and _PART_OF_DURATION.match(_between(text, last, quantity))
        ):
            value = last.values[0] * last.factor / quantity.factor + quantity.values[0]
            merged[-1] = replace(
                quantity,
                start=last.start,
                text=text[last.start : quantity.end],
                values=(value,),
                bound=last.bound,
            )
        elif last is not None and _are_cents(text, last, quantity):
            merged[-1] = replace(
                last,
                end=quantity.end,
                text=text[last.start : quantity.end],
                values=(last.values[0] + quantity.values[0] / 100,),
                precision=Decimal("0.01"),
            )
        else:
            merged.append(quantity)
    return merged


def _between(text: str, last: NumberMention, quantity: NumberMention) -> str:
    """Return what stands between two numbers, without the full stop of an abbreviated unit."""
    between = text[last.end : quantity.start]
    return between.removeprefix(".") if _ABBREVIATED.search(last.text) else between


def _are_minutes(text: str, hours: NumberMention, quantity: NumberMention) -> bool:
    """Whether a number of two digits stands right behind one of hours."""
    return (
        hours.unit is not None
        and hours.unit.name == "h"
        and quantity.unit is None
        and quantity.text.isdigit()
        and len(quantity.text) == 2
        and text[hours.end : quantity.start].strip() == ""
    )


def _are_cents(text: str, whole: NumberMention, quantity: NumberMention) -> bool:
    """Whether a number behind an amount is its cents, as in "12 Euro 50"."""
    return (
        whole.dimension.startswith("currency ")
        and whole.precision == 1
        and text[whole.end - 1].isalpha()
        and quantity.unit is None
        and quantity.precision == 1
        and 10 <= quantity.values[0] < 100
        and text[whole.end : quantity.start] == " "
        and not re.match(r"\s?[^\W\d_%]", text[quantity.end :])
    )


def _scale(quantity: NumberMention) -> int:
    """The multiplier that a number is written with: 1000000 of "5 million"."""
    word = re.search(r"[^\W\d_]+", quantity.text)
    is_letter = word is not None and len(word[0]) == 1
    if word is None or (is_letter and not quantity.dimension.startswith("currency")):
        return 1
    return 1000 if word[0] == "T" else MULTIPLIERS.get(word[0].casefold(), 1)


def _is_amount_before(first: NumberMention, second: NumberMention) -> bool:
    """Whether only the first of two numbers has the sign of their currency, or both have it."""
    return first.dimension.startswith("currency") and second.unit in {None, first.unit}


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
        multiplier, end = multiplier_after(text, end, is_money=unit is not None)
        if multiplier > 1 and (of := _OF.match(text, end)) and unit_after(text, of.end())[0]:
            end = of.end()
        if unit is None:
            unit, end = unit_after(text, end)
        sign = -1 if match["sign"] in {"-", "−"} and _is_minus(text, match.start()) else 1
        yield NumberMention(
            start=start,
            end=end,
            text=text[start:end],
            values=tuple(sign * value * multiplier for value in values),
            unit=unit,
            precision=precision * multiplier,
            bound=bound_before(text, start),
        )


def _read_digits(digits: str, decimal_mark: str | None) -> tuple[tuple[Decimal, ...], Decimal]:
    """Return the values that the digits may have, and the unit of the last; no value where they are no number."""
    plain = re.sub(r"[ \u00a0\u202f'’\\]", "", digits)
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
    start, end = match.span()
    if _LETTER_BEFORE.search(text, max(0, start - 8), start):
        return True
    # "26-4471" is a number of a file, "300-350 t" and "8-16 Uhr" are ranges, "7-5" is a result.
    if _DIGIT_BEFORE.search(text, max(0, start - 8), start) and not (
        _is_measured(text, end) or _RESULT_BEFORE.search(text[max(0, start - 8) : start] + match["digits"])
    ):
        return True
    if (second := _NUMBER_BEHIND.match(text, end)) and not (
        _is_measured(text, second.end()) or _RESULT.match(text, start)
    ):
        return True
    if _FACTOR_BEHIND.match(text, end) and match["digits"] != "0":  # 12x18 metres, but no 0x1F
        return False
    attached = _ATTACHED.match(text, end)
    if attached is None:
        return bool(_IDENTIFIER_BEHIND.match(text, end))
    return unit_of(attached[0]) is None and attached[0].casefold() not in _ORDINALS_AND_FACTORS


def _is_measured(text: str, end: int) -> bool:
    is_scaled = multiplier_after(text, end, is_money=False)[0] > 1  # "6-7 T€"
    return is_scaled or unit_after(text, end)[0] is not None or is_clock_word(text, end)


def _is_minus(text: str, start: int) -> bool:
    return start == 0 or text[start - 1] in " \t(|:;=\n"
