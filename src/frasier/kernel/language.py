"""The language of a text by its function words, with stems of that language. Pure."""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence

import Stemmer

from frasier.kernel.language_words import load_words

_WORDS = load_words(__package__)
_SETS = _WORDS["function_words"].by_language
_TELLING = {
    **_SETS,
    **{one: _SETS[one] | words for one, words in _WORDS["telling_words"].by_language.items()},
}
_REQUESTING = {one: _TELLING[one] | words for one, words in _WORDS["requests"].by_language.items()}
_STEMMED = ("english", "german", "french", "spanish", "italian", "dutch", "portuguese")
ALL_FUNCTION_WORDS = frozenset().union(*_SETS.values())
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_WHOLE_WORD = re.compile(rf"(?<![^\W_]){_WORD.pattern}(?![^\W_])")  # no letter of "2026-08-27T06:02:11Z"
_FEW = 2
_CLEAR = 3  # function words of one language, and half as many of any other
_FEW_WORDS = 5  # of a short text one function word has to do
_WORDS_A_FUNCTION_WORD = 5  # prose has one in three words, a table hardly any


class _Stemmers(threading.local):
    def __init__(self) -> None:
        self.by_language = {language: Stemmer.Stemmer(language, 0) for language in _STEMMED}


_stemmers = _Stemmers()


def words_of(text: str) -> list[str]:
    """Return the words of `text` in their order, without numbers."""
    return _WORD.findall(text)


def language_of(text: str, likely: Collection[str] = ()) -> str | None:
    """Return the language of `text`, or None where its function words do not tell.

    Where they hardly do, it is the one of the `likely` languages that has most of them.
    """
    words = _folded_words(text)
    counts = _counts(words, _TELLING)
    best, second, *_ = sorted(counts, key=lambda language: -counts[language])
    enough = max(min(_FEW, len(words) // _FEW_WORDS), len(words) // _WORDS_A_FUNCTION_WORD)
    is_clear = counts[best] >= _CLEAR and counts[best] >= 2 * counts[second]
    near = [
        one for one in likely if one in counts and (2 * counts[one] >= counts[best] or counts[best] < _FEW)
    ]
    if near and not is_clear:
        return max(near, key=lambda language: counts[language])
    return best if counts[best] > counts[second] and (counts[best] >= enough or is_clear) else None


def language_of_request(text: str, likely: str | None = None) -> str | None:
    """Return the language of a question or directive, however short.

    Where several languages have as many of its words, it is the `likely` one of them, such as that of its documents.
    """
    counts = _counts(_folded_words(text), _REQUESTING)
    most = max(counts.values())
    first = [language for language, count in counts.items() if count == most]
    return first[0] if len(first) == 1 else likely if likely in first else None


def _folded_words(text: str) -> list[str]:
    """Return the words of a text in lower case, and what is elided before an apostrophe, such as "l'"."""
    words = [word.casefold().replace("’", "'") for word in _WHOLE_WORD.findall(text)]
    return words + [word[: word.index("'") + 1] for word in words if "'" in word]


def _counts(words: Sequence[str], known: Mapping[str, Collection[str]]) -> dict[str, int]:
    return {language: sum(word in own for word in words) for language, own in known.items()}


def language_named(name: str) -> str | None:
    """Return the language that a name such as "British English" is of; None if it is of none or of several."""
    words = {word.casefold() for word in words_of(name)}
    all_names = _WORDS["language_names"].by_language
    named = [language for language, names in all_names.items() if not words.isdisjoint(names)]
    return named[0] if len(named) == 1 else None


def function_words(language: str | None) -> frozenset[str]:
    """Return the function words of a language; of all of them where it is unknown."""
    return _TELLING[language] if language in _TELLING else ALL_FUNCTION_WORDS.union(*_TELLING.values())


def stem_of(word: str, language: str | None) -> str:
    """Return the stem of a word in lower case, without accents; by the rules of English where none are known."""
    stemmer = _stemmers.by_language.get(language or "english", _stemmers.by_language["english"])
    return without_accents(stemmer.stemWord(word))


def content_stems(words: Iterable[str], language: str | None) -> list[str]:
    """Return the stems of the words that are no function words, without accents and in lower case."""
    stemmer = _stemmers.by_language.get(language or "english", _stemmers.by_language["english"])
    plain = [word.casefold() for word in words]
    kept = [word for word in plain if len(word) > 1 and word not in ALL_FUNCTION_WORDS]
    return [without_accents(stem) for stem in stemmer.stemWords(kept)]


def without_accents(text: str) -> str:
    """Return a text with its letters without their accents: "dias" for "días"."""
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(character for character in decomposed if not unicodedata.combining(character))
