"""When two texts are the same words: without case, space and punctuation. Pure."""

from __future__ import annotations

import hashlib
import unicodedata

_BESIDE = frozenset("PZCS")
"""What does not count, by the first letter of its category: punctuation, space, control characters, symbols."""


def words_digest(text: str) -> str:
    """The SHA-256 of a text's words; of the text itself where it has none."""
    whole = unicodedata.normalize("NFKC", text).casefold()
    bare = "".join(char for char in whole if unicodedata.category(char)[0] not in _BESIDE)
    return hashlib.sha256((bare or "".join(whole.split())).encode("utf-8", "replace")).hexdigest()
