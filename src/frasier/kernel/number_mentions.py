"""Numbers of a text with what stands beside them: unit, multiplier, and words such as "about" or "at least". Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from types import MappingProxyType

from frasier.kernel.text import word_set
from frasier.kernel.unit_names import (
    MULTIPLIERS,
    SHORT_MULTIPLIERS,
    MeasureUnit,
    two_word_unit,
    unit_of,
)


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


_AFTER_NUMBER = re.compile(
    r"(?:[ \u00a0\u202f]|-(?=[^\W\d_]{3}))?([^\W\d_]+(?![^\W_])\.?|[%‰€$£¥]+|°\s?[CF]|µ?[^\W\d_]+[²³23]?(?![^\W_]))"
)
_SQUARED = re.compile(r"(?:[ \u00a0\u202f])?([^\W\d_]{1,2}[²³23])(?!\w)")
_MULTIPLIER = re.compile(r"(?:[ \u00a0\u202f]|[-‐‑–](?=[^\W\d_]{3}))?(miles de|[^\W\d_]+)\b\.?")
_QUOTED_MULTIPLIER = re.compile(r"""\s?[(\["'“‘„«]\s?([^\W\d_]{3,})\s?[)\]"'”’“»]""")  # "EUR 41.80 (million)"
_THOUSANDS_OF = re.compile(r"(?P<thousands>[Tk])(?:EUR|USD|CHF|GBP)")
_BOUNDS: Mapping[Bound, frozenset[str]] = MappingProxyType(
    {
        Bound.ABOUT: word_set(
            "about around approximately approx roughly nearly almost some circa ca rund etwa ungefähr knapp fast"
            " gut environ près quasiment presque alrededor aproximadamente casi unos unas cerca ongeveer ~ ≈ c"
            " shortly kurz bijna zo'n omstreeks quasi verso perto quase"
        ),
        Bound.AT_LEAST: word_set(
            "over above exceeding least minimum mindestens über plus más > ≥ minimal besser"
            " more mehr meer mais ruim minstens méér oltre almeno più mínimo"
        ),
        Bound.AT_MOST: word_set(
            "below under most maximum höchstens unter maximal less fewer < ≤ within binnen innerhalb"
            " weniger moins menos máximo como hooguit maximaal minder onder meno massimo entro"
        ),
    }
)
_COMPARATIVES = word_set(
    "more less fewer over above exceeding below under mehr weniger über unter plus moins más menos meer minder più"
    " meno"
)
# Before a comparative: "no more than", "au moins", "a lo más".
_REVERSING = re.compile(r"\b(?:no|not|nicht|pas|au|al|lo|niet|non)\s+$", re.IGNORECASE)
_WORD_BEFORE = re.compile(
    r"([^\W\d_]+|[~≈<>≤≥])[.:]?\s*"
    r"(?:(?:of|than|als|to|de|que|the|at|von|un|une|after|nach|dan|di)\s+)?(?:[€$£¥]|[A-Z]{3}\s)?\s*$"
)
_AGE = re.compile(r"[ -](?:years?[ -]old|jahre alt|jährig\w*)(?!\w)", re.IGNORECASE)
_AMOUNT_BEHIND = re.compile(r"[€$£¥]\d")  # "lot 1 £500"
_PARTICIPLE = re.compile(r"\s\w+(?:[aiu]t|[ai]d|st|ss|tt|ch|rs|nt)o\b")  # Italian, Spanish "ha fermato"
_ELISION = re.compile(r"['’]\w{2}")  # "2026 l'azienda"


def multiplier_after(text: str, end: int, *, is_money: bool) -> tuple[int, int]:
    """Return the multiplier behind a number ("million"), 1 without one, and where it ends."""
    quoted = _QUOTED_MULTIPLIER.match(text, end)
    if quoted and (multiplier := MULTIPLIERS.get(quoted[1].casefold())):
        return multiplier, quoted.end()
    match = _MULTIPLIER.match(text, end)
    if match is None:
        return 1, end
    word = match[1].casefold()
    if (thousands := _THOUSANDS_OF.fullmatch(match[1])) is not None:  # "850 TEUR"
        return 1000, match.start(1) + thousands.end("thousands")
    if match[1] == "T" and text[match.end() : match.end() + 1] == "€":  # "7 T€"
        return 1000, match.end()
    if word not in MULTIPLIERS:
        return 1, end
    if word in SHORT_MULTIPLIERS:
        has_sign_behind = text[match.end() : match.end() + 1] in {"€", "$", "£"}
        is_attached_k = word == "k" and match.start(1) == end
        if not (is_money or has_sign_behind or is_attached_k):
            return 1, end
    return MULTIPLIERS[word], match.end() - (match[0].endswith(".") and word not in {"mio", "mrd", "tsd"})


def unit_after(text: str, end: int) -> tuple[MeasureUnit | None, int]:
    """Return the unit behind a number, if there is one, and where it ends."""
    if age := _AGE.match(text, end):  # "aged 12" has no unit either
        return None, age.end()
    if (pair := two_word_unit(text, end)) is not None:
        return pair
    if (squared := _SQUARED.match(text, end)) and (unit := unit_of(squared[1])):
        return unit, squared.end()
    match = _AFTER_NUMBER.match(text, end)
    if match is not None and match[1] == "ha" and _PARTICIPLE.match(text, match.end()):
        return None, end
    if match is None or _ELISION.match(text, match.end()) or _AMOUNT_BEHIND.match(text, match.start(1)):
        return None, end
    unit = unit_of(match[1].rstrip(".").replace(" ", "")) or unit_of(match[1])
    return (unit, match.end() - match[1].endswith(".")) if unit else (None, end)


def bound_before(text: str, start: int) -> Bound:
    """Return how the words before a number limit it."""
    match = _WORD_BEFORE.search(text, max(0, start - 40), start)
    if match is None:
        return Bound.EXACT
    word = match[1].casefold()
    if word == "mais" and " de " not in match[0]:  # Portuguese "mais de seis"; in French it says "but"
        return Bound.EXACT
    bound = next((bound for bound, words in _BOUNDS.items() if word in words), Bound.EXACT)
    if word in _COMPARATIVES and _REVERSING.search(text, max(0, match.start() - 10), match.start()):
        return Bound.AT_MOST if bound is Bound.AT_LEAST else Bound.AT_LEAST
    return bound
