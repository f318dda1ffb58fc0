"""The decisive words of a statement. Two texts that differ in one of them do not say the same. Pure.

They are identities (numbers, dates, names) and bindings (not, before, from, you …): a text can share every other word
with its opposite. All other words may be paraphrased.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass

from frasier.kernel.stopwords import STOP_WORDS
from frasier.kernel.tokenizer import tokenize
from frasier.memory.admission.opposites import SIDES

# Numbers with sign, points and commas, words with their apostrophes, and signs of currency and percentage.
_WORD = re.compile(r"(?:(?<!\S)[-+\u2212])?\d[\d.,:]*(?<=\d)[^\W\d_]*|[^\W_]+(?:['\u2019][^\W_]+)*|[$€£¥%]")
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
_TURNING = (STOP_WORDS | SIDES.keys() | set(_NUMERALS.split())) - set(_FILLERS.split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """The decisive words of a text: `identities` are numbers, dates and names, `bindings` the small words."""

    identities: tuple[str, ...]
    bindings: tuple[str, ...]


def facts_of(text: str) -> Facts:
    """Return the decisive words of `text` in order, with repetitions."""
    identities: list[str] = []
    bindings: list[str] = []
    for word in _WORD.findall(unicodedata.normalize("NFKC", text)):
        folded = word.casefold().replace("\u2019", "'")
        if word in _SIGNS or any(character.isdigit() for character in word):
            identities.append(folded.replace(",", ""))
        elif small := _small_words(folded):
            bindings += small
        elif folded not in STOP_WORDS and not word[0].islower():
            # A capital, or a script without capitals, where any word may be a name.
            identities += tokenize(folded) or [folded]
    return Facts(identities=tuple(identities), bindings=tuple(bindings))


def differing_facts(a: str, b: str) -> frozenset[str]:
    """Return the decisive words that only one of the texts has, or that they have in different places.

    A name that the other text writes without its capital is not a difference.
    """
    mine, theirs = facts_of(a), facts_of(b)
    return differing_identities(a, b) | _differing(mine.bindings, theirs.bindings)


def differing_identities(a: str, b: str) -> frozenset[str]:
    """Return the differing facts that are numbers, dates and names."""
    mine, theirs = facts_of(a).identities, facts_of(b).identities
    return _differing(_missing_or_shared(mine, theirs, b), _missing_or_shared(theirs, mine, a))


def lost_identities(old: str, new: str) -> frozenset[str]:
    """Return the numbers, dates and names of `old` that `new` mentions less often."""
    mine, theirs = facts_of(old).identities, facts_of(new).identities
    lost = Counter(_missing_or_shared(mine, theirs, new)) - Counter(theirs)
    return frozenset(lost)


def _small_words(folded: str) -> list[str]:
    """Return the binding words in a word: don't is do not, cannot is can not."""
    if folded.endswith("n't"):
        stem = _SHORTENED.get(folded, folded[:-3])
        return [*([stem] if stem in _TURNING else []), "not"]
    if folded == "cannot":
        return ["can", "not"]
    return [folded] if folded in _TURNING else []


def _missing_or_shared(identities: tuple[str, ...], others: tuple[str, ...], other: str) -> tuple[str, ...]:
    """Return `identities` without the names that `other` writes as ordinary words."""
    if identities == others:
        return identities
    named = set(others)
    ordinary = set(tokenize(other)) - named
    return tuple(identity for identity in identities if identity not in ordinary)


def _differing(mine: tuple[str, ...], theirs: tuple[str, ...]) -> frozenset[str]:
    if mine == theirs:
        return frozenset()
    counted, others = Counter(mine), Counter(theirs)
    if counted != others:
        return frozenset((counted - others) | (others - counted))
    return frozenset(
        word for left, other in zip(mine, theirs, strict=True) if left != other for word in (left, other)
    )
