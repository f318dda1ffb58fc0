"""Names and identifiers in a text: words with a capital inside of a sentence, letters mixed with digits. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from frasier.kernel.language import ALL_FUNCTION_WORDS
from frasier.kernel.unit_names import unit_of


def _listed(words: str) -> list[str]:
    return words.split()


_CAPITALISED = r"[^\W\d_a-zß-öø-ÿ][\w'’&-]*"
_NAME = re.compile(
    rf"(?<![\w@./-]){_CAPITALISED}(?:\s+(?:(?:van|von|de|der|del|di|la|of|&)\s+)?{_CAPITALISED})*"
)
_IDENTIFIER = re.compile(
    r"(?<![\w])(?:[\w.+-]+@[\w-]+(?:\.[\w-]+)+|https?://\S+|(?=[\w./-]*\d)(?=[\w./-]*[^\W\d_])[^\W_][\w]*(?:[./-]\w+)*)"
)
_STARTS_SENTENCE = re.compile(r"(?:^|[.!?:;|]\s+|^[-*•]\s+|[“„\"«(]\s*)$")
_QUOTATION = re.compile(r"“([^“”]+)”|„([^„“”]+)[“”]|\"([^\"]+)\"|«\s?([^«»]+?)\s?»")
_QUOTED_WORDS_MIN = 3
# Capitalised, and no name: the beginnings of common words that English and German write with a capital.
_NO_NAMES = frozenset(
    _listed(
        "beim vom zum zur im am je pro anfang mitte ende mme mlle m sr sra utc cet cest gmt january february"
        " march april may june july august september october november december monday tuesday wednesday"
        " thursday friday saturday sunday i english german french spanish italian dutch polish european"
        " american eur usd gbp chf mr mrs ms dr prof herr frau no nr note yes"
    )
)


def names_in(text: str, *, german: bool) -> list[str]:
    """Return the names in `text`, each once. Of a single word at the beginning of a sentence nothing is known.

    German writes every noun with a capital: there only names of several words, and words with capitals inside, are
    certain to be names.
    """
    return list(dict.fromkeys(_names(text, german=german)))


def _names(text: str, *, german: bool) -> Iterator[str]:
    for match in _NAME.finditer(text):
        words = match[0].split()
        begins = bool(_STARTS_SENTENCE.search(text[: match.start()]))
        if (
            begins
            and (words[0].casefold() in ALL_FUNCTION_WORDS or len(words) == 1)
            and not _has_inner_capital(words[0])
        ):
            words = words[1:]
        words = [
            word
            for word in words
            if word.rstrip(".").casefold() not in _NO_NAMES and unit_of(word.rstrip(".")) is None
        ]
        kept = [word for word in words if word[:1].isupper() and len(word) > 1]
        if german and len(kept) == 1 and not _has_inner_capital(kept[0]):
            continue
        yield from kept


def _has_inner_capital(word: str) -> bool:
    return any(character.isupper() for character in word[1:])


def identifiers_in(text: str) -> list[str]:
    """Return addresses and the words of `text` that mix letters and digits, such as "v2.10.3", "GPL-3.0" or "B-12"."""
    return list(dict.fromkeys(match[0].rstrip(".,;:)") for match in _IDENTIFIER.finditer(text)))


def quotations_in(text: str) -> list[str]:
    """Return the quotations in `text` of at least three words."""
    found = (next(group for group in match.groups() if group) for match in _QUOTATION.finditer(text))
    return [quotation for quotation in found if len(quotation.split()) >= _QUOTED_WORDS_MIN]
