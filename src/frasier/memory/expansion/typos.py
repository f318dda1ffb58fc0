"""Candidates for the correct spelling of a word. Pure.

There is no list of the words in a scope, only hashes of their stems: so all words one or two edits away are generated,
and the hashes tell which of them exist.
"""

from __future__ import annotations

from frasier.kernel.stopwords import STOP_WORDS

WORD_CHARS_MIN = 4
TWO_EDITS_FROM = 7
NEIGHBOURS_MAX = 2_000

_WORD_CHARS_MAX = 30  # longer strings are not words

_ALPHABET = "abcdefghijklmnopqrstuvwxyz"


def can_be_misspelt(word: str) -> bool:
    """Return whether an unknown word may be a typo: not a short one, a number, an id or a stop word."""
    return (
        WORD_CHARS_MIN <= len(word) <= _WORD_CHARS_MAX
        and word.isascii()
        and word.isalpha()
        and word not in STOP_WORDS
    )


def one_edit_away(word: str) -> set[str]:
    """Return every word with one letter deleted, inserted, replaced, or two neighbours swapped: at most 53 n + 25."""
    return (_deleted(word) | _swapped(word) | _replaced(word) | _inserted(word)) - {word}


def two_edits_away(word: str) -> set[str]:
    """Return words two edits away, of the kinds that people make twice: extra letters and swapped letters.

    All kinds would be a million words. Empty if there are still more than NEIGHBOURS_MAX.
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
