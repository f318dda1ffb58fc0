"""Equality of texts by their words: without case, space, punctuation and invisible characters. Pure."""

from __future__ import annotations

import hashlib
import unicodedata

from frasier.kernel.text import strip_hidden

_IGNORED = frozenset("PZCS")
"""Ignored characters by the first letter of their category: punctuation, space, control characters, symbols."""


def words_digest(text: str) -> str:
    """Return the SHA-256 of a text's words; of the text itself if it has none."""
    whole = unicodedata.normalize("NFKC", strip_hidden(text)).casefold()
    bare = "".join(char for char in whole if unicodedata.category(char)[0] not in _IGNORED)
    return hashlib.sha256((bare or "".join(whole.split())).encode("utf-8", "replace")).hexdigest()
