"""The decisive words of a statement. Two texts that differ in one of them do not say the same. Pure.

They are identities (numbers with sign and unit, dates, names), bindings (not, before, from, you …) and the operators of
code: a text can share every other word with its opposite. All other words may be paraphrased.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache

from frasier.kernel.stopwords import STOP_WORDS
from frasier.kernel.tokenizer import stem, tokenize
from frasier.memory.admission.negations import NEGATIONS
from frasier.memory.admission.opposites import SIDES
from frasier.memory.admission.units import UNITS

_FORMS = "|".join(re.escape(form) for form in sorted(UNITS, key=len, reverse=True) if len(form) > 1)
# In this order: dates; numbers with sign, points, commas and a unit; words with their apostrophes, and names such as
# C++ and C#; signs of currency and percentage; operators. A dash between words, a bullet and a quotation mark are no
# operators.
_WORD = re.compile(
    rf"""
    \d{{4}}-\d\d-\d\d(?!\d)
    |(?:(?<![\w.)\]+\-\u2212])[-+\u2212])?\d[\d.,:]*(?<=\d)(?:[\s-]?(?:{_FORMS})(?![^\W_])|[^\W\d_]*)
    |[^\W_]+(?:['\u2019][^\W_]+)*(?:\+\+(?!\w)|[+\#](?![\w=+\#]))?
    |[$€£¥%]
    |[=!]==?|[<>]=|[-=]>|<-|&&|\|\||[-+*/%]=
    |(?<=.)[<>=]|[≠≤≥±×÷¬]
    |!(?=[\w(])
    |(?<=[\w)\]])[+*](?=[\w(\[])|(?<=[\w)\]]\ )[+*](?=\ [\w(\[])
    |(?<=[\d)\]]\ )[-/](?=\ [\w(\[])|(?<=[\w)\]]\ )[-/](?=\ [\d(\[])
    """,
    re.VERBOSE | re.IGNORECASE,
)
_NUMBER = re.compile(r"(.*\d)[\s-]?(\D*)", re.DOTALL)
_SIGNS = frozenset("$€£¥%")

# These do not change the meaning of a sentence.
_FILLERS = """
a an the that very really quite rather also so then am is are be being has have having do does doing such of as per
yet ll re ve it its it's that's here's there's
"""
_NUMERALS = """
zero one two three four five six seven eight nine ten eleven twelve hundred thousand million billion first second third
half twice once minimum maximum least most
"""
_SHORTENED = {"can't": "can", "won't": "will", "shan't": "shall"}
_FILLER_WORDS = frozenset(_FILLERS.split())
_TURNING = (STOP_WORDS | SIDES.keys() | NEGATIONS | set(_NUMERALS.split())) - _FILLER_WORDS
_FACTS_CACHED = 32  # texts; a new one is compared with several in turn
_WORDS_CACHED = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """The decisive words of a text: `identities` are numbers, dates and names, `bindings` the small words.

    `symbols` are the operators, and names that end with one. `ordinary` are the stems of the other words, `sequence`
    all of these in order.
    """

    identities: tuple[str, ...]
    bindings: tuple[str, ...]
    symbols: tuple[str, ...]
    ordinary: frozenset[str]
    sequence: tuple[str, ...]


class _Kind(Enum):
    IDENTITY = auto()
    BINDING = auto()
    SYMBOL = auto()
    ORDINARY = auto()


@lru_cache(maxsize=_FACTS_CACHED)
def facts_of(text: str) -> Facts:
    """Return the decisive words of `text` in order, with repetitions."""
    words = [_classify(word) for word in _WORD.findall(unicodedata.normalize("NFKC", text))]
    return Facts(
        identities=_of_kind(words, _Kind.IDENTITY),
        bindings=_of_kind(words, _Kind.BINDING),
        symbols=_of_kind(words, _Kind.SYMBOL),
        ordinary=frozenset(_of_kind(words, _Kind.ORDINARY)),
        sequence=tuple(part for _, parts in words for part in parts),
    )


def _of_kind(words: Sequence[tuple[_Kind, tuple[str, ...]]], kind: _Kind) -> tuple[str, ...]:
    return tuple(part for word_kind, parts in words if word_kind is kind for part in parts)


@lru_cache(maxsize=_WORDS_CACHED)
def _classify(word: str) -> tuple[_Kind, tuple[str, ...]]:
    """Return the kind of a word, and the word as it is compared."""
    folded = word.casefold().replace("\u2019", "'")
    if word in _SIGNS:
        return _Kind.IDENTITY, (word,)
    if any(map(str.isdigit, word)):
        return _Kind.IDENTITY, (_number(folded),)
    if not word[0].isalpha():
        return _Kind.SYMBOL, (word,)
    if small := _small_words(folded):
        return _Kind.BINDING, tuple(small)
    if word[-1] in "+#":
        return _Kind.SYMBOL, (folded,)
    if folded in STOP_WORDS or word[0].islower():
        return _Kind.ORDINARY, (stem(folded),)
    # A capital, or a script without capitals, where any word may be a name.
    return _Kind.IDENTITY, tuple(tokenize(folded)) or (folded,)


def differing_facts(a: str, b: str) -> frozenset[str]:
    """Return the decisive words that only one of the texts has, or that they have in different places.

    A name that the other text writes without its capital is not a difference.
    """
    mine, theirs = facts_of(a), facts_of(b)
    return (
        differing_identities(a, b)
        | _differing(mine.bindings, theirs.bindings)
        | _differing(mine.symbols, theirs.symbols)
    )


def differing_identities(a: str, b: str) -> frozenset[str]:
    """Return the differing facts that are numbers, dates and names."""
    mine, theirs = facts_of(a), facts_of(b)
    return _differing(_missing_or_shared(mine, theirs), _missing_or_shared(theirs, mine))


def lost_identities(old: str, new: str) -> frozenset[str]:
    """Return the numbers, dates and names of `old` that `new` mentions less often."""
    mine, theirs = facts_of(old), facts_of(new)
    return frozenset(Counter(_missing_or_shared(mine, theirs)) - Counter(theirs.identities))


def _number(folded: str) -> str:
    """Return a number in its usual form: without separators, and with the name of its unit."""
    plain = folded.replace(",", "").replace("\u2212", "-")
    parts = _NUMBER.fullmatch(plain)
    if parts is None or parts[2] not in UNITS:
        return plain
    return f"{parts[1]} {UNITS[parts[2]]}"


def _small_words(folded: str) -> list[str]:
    """Return the binding words in a word: don't is do not, cannot is can not, n'est is ne and est."""
    if folded.endswith("n't"):
        verb = _SHORTENED.get(folded, folded[:-3])
        return [*([verb] if verb in _TURNING else []), "not"]
    if folded == "cannot":
        return ["can", "not"]
    if folded.startswith("n'"):
        return ["ne", folded[2:]]
    return [folded] if folded in _TURNING else []


def _missing_or_shared(mine: Facts, theirs: Facts) -> tuple[str, ...]:
    """Return the identities of `mine` without the names that `theirs` writes as ordinary words."""
    if mine.identities == theirs.identities:
        return mine.identities
    ordinary = theirs.ordinary - set(theirs.identities)
    return tuple(identity for identity in mine.identities if identity not in ordinary)


def _differing(mine: tuple[str, ...], theirs: tuple[str, ...]) -> frozenset[str]:
    if mine == theirs:
        return frozenset()
    counted, others = Counter(mine), Counter(theirs)
    if counted != others:
        return frozenset((counted - others) | (others - counted))
    return frozenset(
        word for left, other in zip(mine, theirs, strict=True) if left != other for word in (left, other)
    )
