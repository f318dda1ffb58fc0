"""Dictionaries of common words by language, each loaded when a word of it is first looked up. Pure."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache

from spellchecker import SpellChecker

from frasier.kernel.language import stem_of
from frasier.kernel.number_words import LANGUAGES

_COMPOUNDING = {"german", "dutch"}
_PRO_DROP = {"spanish", "italian", "portuguese"}  # their sentences begin with a verb
_PART_MIN = 4
_OCCURRENCES_MIN = 200  # in the texts that a dictionary was made from
_LINKS = ("", "s", "es", "n", "en", "e", "er")  # between the parts of a compound: "Versicherung-s-summe"


def is_common_word(word: str, language: str | None) -> bool:
    """Return whether the dictionary of a language has a word, or the parts of its compound; True without a dictionary.

    A dictionary has names of people and places too; most of them are among the words that it has seen rarely, which
    are none here but in a language that forms compounds.
    """
    code = LANGUAGES.get(language or "")
    if code is None:
        return True
    known = _dictionary(code, 0 if language in _COMPOUNDING else _OCCURRENCES_MIN)
    parts = [part for part in word.casefold().removesuffix("'s").removesuffix("’s").split("-") if part]
    return all(
        part in known
        or (language in _COMPOUNDING and _is_compound(part, known))
        or (language in _PRO_DROP and stem_of(part, language) in _stems(language or ""))
        for part in parts
    )


@cache
def _stems(language: str) -> Collection[str]:
    """The stems of the words of a dictionary, for the forms of verbs that it lacks."""
    return frozenset(stem_of(word, language) for word in _dictionary(LANGUAGES[language], _OCCURRENCES_MIN))


@cache
def _dictionary(code: str, occurrences_min: int) -> Collection[str]:
    words = SpellChecker(language=code, distance=1)
    return frozenset(word for word in words if words[word] >= occurrences_min)


def _is_compound(word: str, known: Collection[str]) -> bool:
    """Whether a word is made of two or more words, with a link between them."""
    for at in range(_PART_MIN, len(word) - _PART_MIN + 1):
        if word[at:] not in known:
            continue
        head = word[:at]
        stems = [head.removesuffix(link) for link in _LINKS if head.endswith(link)]
        if any(len(stem) >= _PART_MIN and (stem in known or _is_compound(stem, known)) for stem in stems):
            return True
    return False
