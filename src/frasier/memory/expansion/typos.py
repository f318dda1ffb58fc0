"""Which words a misspelt one may stand for. Pure.

There is no list of the words that a scope holds, only hashes of their stems: so the words that are one or two
edits away are made, and the hashes tell which of them exist.
"""

from __future__ import annotations

from frasier.kernel.stopwords import STOP_WORDS

WORD_CHARS_MIN = 4
TWO_EDITS_FROM = 7
NEIGHBOURS_MAX = 2_000

_WORD_CHARS_MAX = 30  # longer ones are no words

_ALPHABET = "abcdefghijklmnopqrstuvwxyz"


def can_be_misspelt(word: str) -> bool:
    """Whether a word that nobody wrote may be a mistake: not a short one, a number, an id or a stop word."""
    return (
        WORD_CHARS_MIN <= len(word) <= _WORD_CHARS_MAX
        and word.isascii()
        and word.isalpha()
        and word not in STOP_WORDS
    )


def one_edit_away(word: str) -> set[str]:
    """Every word that is one letter less, more or other, or two neighbours swapped: 53 n + 25 of them at most."""
    return (_deleted(word) | _swapped(word) | _replaced(word) | _inserted(word)) - {word}


def two_edits_away(word: str) -> set[str]:
    """Words that are two edits away, of those kinds that people make twice: letters too many and letters swapped.

    All of them would be a million. Empty where there would still be more than NEIGHBOURS_MAX.
    """
    once = _deleted(word) | _swapped(word)
    twice = {farther for nearer in once for farther in _deleted(nearer) | _swapped(nearer)}
    twice -= {word} | one_edit_away(word)
    return twice if len(twice) <= NEIGHBOURS_MAX else set()


def _deleted(word: str) -> set[str]:
    return {word[:at] + word[at + 1 :] for at in range(len(word))}


def _swapped(word: str) -> set[str]:
    return {word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in range(len(word) - 1)}


def _replaced(word: str) -> set[str]:
    return {word[:at] + letter + word[at + 1 :] for at in range(len(word)) for letter in _ALPHABET}


def _inserted(word: str) -> set[str]:
    return {word[:at] + letter + word[at:] for at in range(len(word) + 1) for letter in _ALPHABET}
