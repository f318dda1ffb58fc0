"""Numbers that are written as words in English and the larger languages of Western Europe. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from text_to_num import find_numbers

from frasier.kernel.language import function_words
from frasier.kernel.language_words import LANGUAGE_CODES
from frasier.kernel.text import word_set

LANGUAGES = {language: code for language, code in LANGUAGE_CODES.items() if code != "pl"}
"""The languages whose number words are read, with their codes."""

_ARTICLES = {
    "english": frozenset({"a", "an"}),
    "german": frozenset({"eine", "einen", "einem", "einer", "eines"}),
}
"""The articles that count one ("an hour"), but for those that text2num reads as the number."""
ONES_AND_ARTICLES = frozenset(
    {"one", "ein", "eins", "un", "une", "una", "uno", "um", "uma", "een", "één"}.union(*_ARTICLES.values())
)
"""Words that are an article or a pronoun as often as the number one."""

_OTHER_NUMBERS = {
    "anderthalb": "1.5", "eineinhalb": "1.5", "anderhalf": "1.5", "anderhalve": "1.5", "dozen": "12",
    "dutzend": "12", "dozijn": "12", "docena": "12", "douzaine": "12", "dozzina": "12", "dúzia": "12",
    "vingtaine": "20", "veintena": "20", "ventina": "20", "trentaine": "30", "treintena": "30", "trentina": "30",
    "quarantaine": "40", "cinquantaine": "50", "cinquantina": "50", "soixantaine": "60", "centaine": "100",
    "centenar": "100", "centinaio": "100", "zweier": "2", "dreier": "3", "duas": "2",
}  # fmt: skip
_HALVES = re.compile(r"(?P<whole>\w+?)(?:(?:und)?einhalb|[eë]n(?:een)?half)e?")
_ALSO_OTHER_WORDS = word_set("once null half ten cent due sei nul onze mille mil tre")
"""Number words of one language that are common words of another ("once a year", "half of it")."""
_ONLY_MULTIPLY = word_set(
    "hundred thousand million millions billion millionen milliarde milliarden millón millones milione milioni miliardo"
    " miliardi miljoen miljard milliard milliards milhão milhões"
)
"""Words that are a number only behind another, or behind an article."""
_HUNDREDS = word_set("cent ciento cento cien")
_PER = re.compile(r"\bp(?:er|or|our)\s$", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*|\d[\d.,]*|\s+|[^\w\s]|_")
_SENTENCE_BEGINS = re.compile(r"(?:^|[.!?:;|\n])[\W_]*\Z")
_NEXT_WORD = re.compile(r"\s+([^\W\d_])")


@dataclass(frozen=True, slots=True)
class NumberWords:
    """A number of one or more words: text[start:end]."""

    start: int
    end: int
    value: Decimal
    is_ordinal: bool = False


class _Token(str):
    """A word, mark or blank of a text, as text2num reads them."""

    __slots__ = ()

    def text(self) -> str:
        return str(self)

    def text_lowercase(self) -> str:
        return self.lower()

    def nt_separated(self, _previous: _Token) -> bool:
        return False

    def not_a_number_part(self) -> bool:
        return False


def find_number_words(text: str, language: str | None = None) -> list[NumberWords]:
    """Find the numbers of `text` that are written as words, in their order.

    Words of the text's `language` are read first. A word that is a number in one language only, and a common word in
    another, is one where the text is in that language; a name ("Otto") is one in its own language alone.
    """
    matches = list(_WORD.finditer(text))
    own = LANGUAGES.get(language or "")
    codes = frozenset().union(*(_codes_of(match[0]) for match in matches))
    readings = [
        (code != own, number.start - number.end, number)
        for code in sorted(codes)
        for number in _numbers_of(matches, code, is_own=code == own)
        if own is None or code == own or not _is_name(text, number)
    ]
    found: list[NumberWords] = []
    for _, _, number in sorted(readings, key=lambda reading: reading[:2]):  # of other languages the longest
        if not any(one.start < number.end and number.start < one.end for one in found):
            found.append(number)
    taken = [(one.start, one.end) for one in found]
    for match in matches:
        if match[0][0].isalpha() and not any(start <= match.start() < end for start, end in taken):
            found.extend(_other_number(match, language, own))
    return sorted((one for one in found if not one.is_ordinal), key=lambda one: one.start)


def _is_name(text: str, number: NumberWords) -> bool:
    """Whether words are written like a name: with a capital within a sentence, or before another capital."""
    if not text[number.start].isupper():
        return False
    following = _NEXT_WORD.match(text, number.end)
    return _SENTENCE_BEGINS.search(text, 0, number.start) is None or (
        following is not None and following[1].isupper()
    )


def ordinals_in(text: str, language: str | None) -> set[Decimal]:
    """Return the numbers of the ordinals that a text of a language has as words ("third")."""
    code = LANGUAGES.get(language or "")
    numbers = _numbers_of(list(_WORD.finditer(text)), code, is_own=True) if code else ()
    return {number.value for number in numbers if number.is_ordinal}


def _numbers_of(matches: Sequence[re.Match[str]], code: str, *, is_own: bool) -> Iterator[NumberWords]:
    tokens = [_Token(match[0]) for match in matches]
    for one in find_numbers(tokens, code, threshold=0.0):
        words = [token for token in tokens[one.start : one.end] if not token.isspace()]
        first = words[0].lower()
        is_other_word = len(words) == 1 and (
            first in _ONLY_MULTIPLY
            or (not is_own and (first in _ALSO_OTHER_WORDS or first in function_words(None)))
        )
        is_percent = first in _HUNDREDS and _PER.search("".join(tokens[: one.start])[-5:])
        if not is_other_word and not is_percent and not first[0].isdigit():
            yield NumberWords(
                matches[one.start].start(),
                matches[one.end - 1].end(),
                Decimal(str(one.value)),
                is_ordinal=one.is_ordinal,
            )


@lru_cache(maxsize=1 << 16)
def _codes_of(word: str) -> frozenset[str]:
    """The codes of the languages in which a word alone is a number, so that one may begin with it."""
    if not word[:1].isalpha():
        return frozenset()
    return frozenset(code for code in LANGUAGES.values() if find_numbers([_Token(word)], code, threshold=0.0))


def _other_number(match: re.Match[str], language: str | None, code: str | None) -> Iterator[NumberWords]:
    """The number that a word names in a way of its own ("dozen", "zweieinhalb"), or that begins a compound."""
    word = match[0].casefold()
    articles = _ARTICLES.get(language, ()) if language else frozenset().union(*_ARTICLES.values())
    if word in articles:
        yield NumberWords(match.start(), match.end(), Decimal(1))
    elif word in _OTHER_NUMBERS:
        yield NumberWords(match.start(), match.end(), Decimal(_OTHER_NUMBERS[word]))
    elif (half := _HALVES.fullmatch(word)) and (whole := value_of_word(half["whole"])):
        yield NumberWords(match.start(), match.end(), whole + Decimal("0.5"))
    elif "-" in word and (value := value_of_word(word.partition("-")[0], code)):  # "two-year"
        yield NumberWords(match.start(), match.start() + word.index("-"), value)


def value_of_word(word: str, code: str | None = None) -> Decimal | None:
    """Return the number that a single word names, in the language of a code or in any."""
    for one in sorted(_codes_of(word) & {code} if code else _codes_of(word)):
        [number, *_] = find_numbers([_Token(word)], one, threshold=0.0)
        if not number.is_ordinal:
            return Decimal(str(number.value))
    return None
