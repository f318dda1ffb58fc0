"""Numbers that are written as words in English, German, French and Spanish. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import cache


def _listed(words: str) -> list[str]:
    return words.split()


ONES_AND_ARTICLES = frozenset(
    {"a", "an", "one", "ein", "eine", "einen", "einem", "einer", "eines", "un", "une", "una", "uno"}
)
"""Words that are an article or a pronoun as often as the number one."""

_EN = _listed(
    "zero _ two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
    " seventeen eighteen nineteen"
)
_EN_TENS = _listed("twenty thirty forty fifty sixty seventy eighty ninety")
_DE = _listed(
    "null ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn"
    " sechzehn siebzehn achtzehn neunzehn"
)
_DE_TENS = _listed("zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig")
_FR = _listed(
    "zéro _ deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize"
    " dix-sept dix-huit dix-neuf"
)
_FR_TENS = _listed("vingt trente quarante cinquante soixante soixante quatre-vingt quatre-vingt")
_ES = _listed(
    "cero _ dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis"
    " diecisiete dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro veinticinco"
    " veintiséis veintisiete veintiocho veintinueve"
)
_ES_TENS = _listed("treinta cuarenta cincuenta sesenta setenta ochenta noventa")
_OTHERS: Mapping[str, str] = {
    "anderthalb": "1.5", "eineinhalb": "1.5", "half": "0.5", "dozen": "12", "dutzend": "12", "docena": "12",
    "douzaine": "12", "cent": "100", "cien": "100", "ciento": "100", "quatre-vingts": "80",
}  # fmt: skip
_ALSO_OTHER_WORDS = frozenset({"_", "once", "null", "half", "cent"})
"""Number words of one language that are common words of another ("once a year", "half of it")."""


def value_of_word(word: str) -> Decimal | None:
    """Return the number that `word` names, in lower case; of two words ("treinta y seis") with blanks between them."""
    if word in ONES_AND_ARTICLES:
        return Decimal(1)
    values = _values()
    if word in values:
        return values[word]
    if word.endswith("einhalb") and (whole := values.get(word.removesuffix("einhalb"))):
        return whole + Decimal("0.5")
    for multiplier, amount in (
        ("tausend", 1000),
        ("hundert", 100),
        (" cents", 100),
        (" cent", 100),
        ("cientos", 100),
    ):
        head = word.removesuffix(multiplier)
        if head != word and (not head or head in values):
            return values.get(head, Decimal(1)) * amount
    return None


@cache
def _values() -> Mapping[str, Decimal]:
    words = {word: Decimal(value) for word, value in _all_words()}
    words |= {word: Decimal(value) for word, value in _OTHERS.items()}
    return {word.casefold(): value for word, value in words.items() if word not in _ALSO_OTHER_WORDS}


def _all_words() -> Iterator[tuple[str, int]]:
    for language in (_EN, _DE, _FR, _ES):
        yield from ((word, value) for value, word in enumerate(language) if word != "ein")
    for at, ten in enumerate(_EN_TENS, 2):
        yield ten, 10 * at
        yield from ((f"{ten}-{one}", 10 * at + value) for value, one in enumerate(["one", *_EN[2:10]], 1))
    for at, ten in enumerate(_DE_TENS, 2):
        yield ten, 10 * at
        yield from ((f"{one}und{ten}", 10 * at + value) for value, one in enumerate(_DE[1:10], 1))
    for at, ten in enumerate(_FR_TENS, 2):
        base = 10 * at if at in {2, 3, 4, 5, 6, 8} else 10 * at - 10
        last = 20 if at in {6, 8} else 10
        if at in {2, 3, 4, 5, 6, 8}:
            yield ten, base
            yield from ((f"{ten}-{_FR[value]}", base + value) for value in range(2, last))
            yield f"{ten} et un", base + 1
    for at, ten in enumerate(_ES_TENS, 3):
        yield ten, 10 * at
        yield from ((f"{ten} y {one}", 10 * at + value) for value, one in enumerate(["uno", *_ES[2:10]], 1))
