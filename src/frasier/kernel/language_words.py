"""The words of languages by their meaning, from the `words.toml` of a package. Pure."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache, cached_property
from importlib.resources import files

LANGUAGE_CODES: Mapping[str, str] = {
    "english": "en",
    "german": "de",
    "french": "fr",
    "spanish": "es",
    "italian": "it",
    "dutch": "nl",
    "portuguese": "pt",
    "polish": "pl",
}
"""The code of each language that texts are recognised in."""


class WordList:
    """The words of one meaning by the code of their language, as alternatives of a regular expression.

    A word of one language may be another word in the next ("non" answers a question in French and negates in Italian):
    a text is searched for those of its own language, or of all of them where its language is unknown.
    """

    def __init__(self, by_code: Mapping[str, str]) -> None:
        self._by_code = by_code
        self._patterns: dict[str | None, re.Pattern[str]] = {}

    @cached_property
    def alternatives(self) -> str:
        """The words of all languages, separated by "|"."""
        return "|".join(self._by_code.values())

    @cached_property
    def by_language(self) -> Mapping[str, frozenset[str]]:
        """The words of each language, where they are no patterns."""
        return {
            language: frozenset(self._by_code[code].split("|"))
            for language, code in LANGUAGE_CODES.items()
            if code in self._by_code
        }

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of all languages, where they are no patterns."""
        return frozenset(self.alternatives.split("|"))

    def pattern(self, language: str | None = None) -> re.Pattern[str]:
        """Return the pattern of the whole words of a language in any case; of all languages where it is unknown."""
        if language not in self._patterns:
            self._patterns[language] = word_pattern(self.alternatives_of(language))
        return self._patterns[language]

    def alternatives_of(self, language: str | None) -> str:
        """Return the words of a language, separated by "|"; those of all languages where it is unknown."""
        return self._by_code.get(LANGUAGE_CODES.get(language or "", ""), self.alternatives)

    def is_in(self, text: str, language: str | None) -> bool:
        """Return whether a text in a language has one of the words."""
        return self.pattern(language).search(text) is not None


def word_pattern(words: str) -> re.Pattern[str]:
    """Return a pattern of whole words, separated by "|", in any case."""
    return re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE)


@cache
def load_words(package: str) -> Mapping[str, WordList]:
    """Return the words of a package by meaning."""
    tables = tomllib.loads(files(package).joinpath("words.toml").read_text("utf-8"))
    return {meaning: WordList(by_code) for meaning, by_code in tables.items()}
