"""The words of instructions that set others aside, hide something or send secrets away, by language."""

from __future__ import annotations

import tomllib
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

_UNSPACED = frozenset({"chinese", "japanese", "korean", "thai", "lao", "khmer", "arabic"})


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguagePatterns:
    """The words of a language, each list as alternatives of a regular expression; "" for an empty list."""

    language: str
    verbs: str
    former: str
    all: str
    orders: str
    rules: str
    secrets: str
    send: str
    hide: tuple[str, ...]

    @property
    def start(self) -> str:
        """A pattern for the start of a word, in languages that put blanks between words."""
        return "" if self.language in _UNSPACED else r"(?<!\w)"


@cache
def language_patterns() -> tuple[LanguagePatterns, ...]:
    """Return the patterns of all languages that are known."""
    text = files("frasier.kernel.hostile_text").joinpath("language_patterns.toml").read_text("utf-8")
    return tuple(_patterns_of(language, lists) for language, lists in tomllib.loads(text).items())


def alternatives(patterns: Sequence[str]) -> str:
    """Return a pattern that matches any of some; "" for none."""
    return f"(?:{'|'.join(patterns)})" if patterns else ""


def _patterns_of(language: str, lists: Mapping[str, Sequence[str]]) -> LanguagePatterns:
    plain = {
        name: [unicodedata.normalize("NFKC", word).casefold() for word in words]
        for name, words in lists.items()
    }
    return LanguagePatterns(
        language=language,
        hide=tuple(plain.pop("hide")),
        **{name: alternatives(words) for name, words in plain.items()},
    )
