"""Equality of texts by their words: without case, space, punctuation and invisible characters. Pure."""

from __future__ import annotations

import hashlib
import re
import unicodedata

_IGNORED = frozenset("PZCS")
"""Ignored characters by the first letter of their category: punctuation, space, control characters, symbols."""
_INVISIBLE = re.compile(
    "[\N{COMBINING GRAPHEME JOINER}\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Invisible characters in categories of accents or letters: joiners, fillers, variation selectors."""


def words_digest(text: str) -> str:
    """Return the SHA-256 of a text's words; of the text itself if it has none."""
    whole = unicodedata.normalize("NFKC", _INVISIBLE.sub("", text)).casefold()
    bare = "".join(char for char in whole if unicodedata.category(char)[0] not in _IGNORED)
    return hashlib.sha256((bare or "".join(whole.split())).encode("utf-8", "replace")).hexdigest()
