"""The part of a long text that the words of a query stand in, beside its beginning. Pure."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator
from functools import cache
from itertools import islice

from frasier.kernel.language import without_accents
from frasier.kernel.tokenizer import stem

_ENDING_CHARS = 2  # of a stem, which its other forms may spell otherwise: city and cities
_LEAD_SHARE = 0.3  # of an excerpt, which is behind the beginning of the text
_WORDS_MAX = 32
_PLACES_MAX = 20  # of a word
_GAP = "\n…\n"


def fold(text: str) -> str:
    """Return a text in lower case and without accents, of the same length: each character at its place."""
    return text.lower() if text.isascii() else "".join(map(_folded, text))


@cache
def _folded(character: str) -> str:
    return (without_accents(character) or character)[0].lower()[0]


def places_of(word: str, folded: str) -> Iterator[int]:
    """Yield where a folded text has a word of the index, in any form, as a word of its own."""
    wanted = stem(word)
    beginning = wanted[: max(len(wanted) - _ENDING_CHARS, 1)]
    if beginning in folded:  # to search for it is faster than to match
        for match in re.finditer(rf"(?<!\w){re.escape(beginning)}\w*", folded):
            if stem(match[0]) == wanted:
                yield match.start()


def excerpt(text: str, words: Collection[str], chars: int) -> str:
    """Return at most about so many characters of a text: its beginning, and where most other words of a query stand.

    A text whose beginning has all words that it has anywhere is cut behind it.
    """
    folded = fold(text)
    found = sorted(
        (place, word)
        for word in sorted(words)[:_WORDS_MAX]
        for place in islice(places_of(word, folded), _PLACES_MAX)
    )
    if not {word for _, word in found} - {word for place, word in found if place < chars}:
        return text[:chars]
    lead = int(chars * _LEAD_SHARE)
    room = chars - lead - len(_GAP)
    begun = {word for place, word in found if place < lead}
    later = [place for place, word in found if place >= lead and word not in begun]
    named = [word for place, word in found if place >= lead and word not in begun]
    start = max(
        later, key=lambda place: len(set(named[bisect_left(later, place) : bisect_left(later, place + room)]))
    )
    # From the beginning of the line or sentence, where that is not far.
    begins = max(text.rfind(mark, start - room // 3, start) + len(mark) for mark in ("\n", ". ", "! ", "? "))
    # Else from the word's own beginning: a text may have no spaces.
    near = start - room // 3
    start = begins if near < begins <= start else text.rfind(" ", max(near, 0), start) + 1 or start
    return f"{text[:lead].rstrip()}{_GAP}{text[max(start, lead) : start + room]}"
