"""When two texts are the same words: without case, space and punctuation, and what nobody sees. Pure."""

from __future__ import annotations

import hashlib
import re
import unicodedata

_BESIDE = frozenset("PZCS")
"""What does not count, by the first letter of its category: punctuation, space, control characters, symbols."""
_UNSEEN = re.compile(
    "[\N{COMBINING GRAPHEME JOINER}\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""What nobody sees, though its category is that of accents or letters: joiners, fillers, choices of a shape."""


def words_digest(text: str) -> str:
    """The SHA-256 of a text's words; of the text itself where it has none."""
    whole = unicodedata.normalize("NFKC", _UNSEEN.sub("", text)).casefold()
    bare = "".join(char for char in whole if unicodedata.category(char)[0] not in _BESIDE)
    return hashlib.sha256((bare or "".join(whole.split())).encode("utf-8", "replace")).hexdigest()
