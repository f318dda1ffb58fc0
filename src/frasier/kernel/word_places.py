"""The places of words in a text, counted in words, so that it can be measured how near one stands to another. Pure."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence

from frasier.kernel.language import content_stems

_TOKEN = re.compile(r"\w+|(?P<mark>[,;:()–—|](?=\s|$|[^\W\d]|\())")
_MARK_LENGTH = 3  # the words that a comma or bracket counts as: behind it something else begins
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")


def token_starts(text: str) -> Sequence[int]:
    """Return where each word and number of a text begins; the marks between its parts count as several words."""
    return [
        match.start() for match in _TOKEN.finditer(text) for _ in range(_MARK_LENGTH if match["mark"] else 1)
    ]


def place_of(starts: Sequence[int], at: int) -> int:
    """Return the number of the word or number that the character `at` belongs to."""
    return max(0, bisect_right(starts, at) - 1)


def stems_with_places(text: str, language: str | None, starts: Sequence[int]) -> Iterator[tuple[str, int]]:
    """Yield the stem of each content word of a text, with its place."""
    for match in _WORD.finditer(text):
        for stem in content_stems([match[0]], language):
            yield stem, place_of(starts, match.start())


def grouped(pairs: Iterable[tuple[str, tuple[int, int]]]) -> Mapping[str, Sequence[tuple[int, int]]]:
    """Return the places of each stem."""
    places: dict[str, list[tuple[int, int]]] = {}
    for stem, place in pairs:
        places.setdefault(stem, []).append(place)
    return places
