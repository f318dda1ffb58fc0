"""Numbers that are written as words in English and the larger languages of Western Europe. Pure."""

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
_IT = _listed(
    "_ _ due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici"
    " diciassette diciotto diciannove"
)
_IT_TENS = _listed("venti trenta quaranta cinquanta sessanta settanta ottanta novanta")
_NL = _listed(
    "nul een twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien"
    " zeventien achttien negentien"
)
_NL_TENS = _listed("twintig dertig veertig vijftig zestig zeventig tachtig negentig")
_PT = _listed(
    "_ _ dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezasseis dezassete"
    " dezoito dezanove"
)
_PT_TENS = _listed("vinte trinta quarenta cinquenta sessenta setenta oitenta noventa")
_OTHERS: Mapping[str, str] = {
    "anderthalb": "1.5", "eineinhalb": "1.5", "half": "0.5", "dozen": "12", "dutzend": "12", "docena": "12",
    "douzaine": "12", "cent": "100", "cien": "100", "ciento": "100", "quatre-vingts": "80", "duas": "2",
    "zweier": "2", "dreier": "3",
}  # fmt: skip
_ALSO_OTHER_WORDS = frozenset({"_", "once", "null", "half", "cent", "due", "sei", "nul", "een"})
"""Number words of one language that are common words of another ("once a year", "half of it")."""
_BY_LANGUAGE: Mapping[str, Mapping[str, Decimal]] = {
    "spanish": {"once": Decimal(11)},
    "french": {"cent": Decimal(100)},
    "italian": {"due": Decimal(2), "sei": Decimal(6)},
    "german": {"null": Decimal(0)},
    "dutch": {"nul": Decimal(0)},
}
"""Those of them that are nothing else in their own language."""


def value_of_word(word: str, language: str | None = None) -> Decimal | None:
    """Return the number that `word` names, in lower case; of two words ("treinta y seis") with blanks between them.

    A word that is a number in one language only is one where the text is in that `language`.
    """
    if word in ONES_AND_ARTICLES:
        return Decimal(1)
    if word in (own := _BY_LANGUAGE.get(language or "", {})):
        return own[word]
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
    for language in (_EN, _DE, _FR, _ES, _IT, _NL, _PT):
        yield from ((word, value) for value, word in enumerate(language) if word != "ein")
    for at, ten in enumerate(_EN_TENS, 2):
        yield ten, 10 * at
        yield from ((f"{ten}-{one}", 10 * at + value) for value, one in enumerate(["one", *_EN[2:10]], 1))
    for at, ten in enumerate(_IT_TENS, 2):
        yield ten, 10 * at
        yield from ((f"{ten}{_IT[one]}", 10 * at + one) for one in (2, 3, 4, 5, 6, 7, 9))
        yield f"{ten[:-1]}otto", 10 * at + 8
    for at, ten in enumerate(_NL_TENS, 2):
        yield ten, 10 * at
        yield from (
            (f"{one}{'ën' if one[-1] == 'e' else 'en'}{ten}", 10 * at + value)
            for value, one in enumerate(_NL[1:10], 1)
        )
    for at, ten in enumerate(_PT_TENS, 2):
        yield ten, 10 * at
        yield from ((f"{ten} e {one}", 10 * at + value) for value, one in enumerate(_PT[2:10], 2))
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
