"""The normalised form of trigger phrases: whole words, case-folded, whatever stands between them."""

from __future__ import annotations

import re
import unicodedata

_WORD = re.compile(r"[^\W_]+")


def trigger_words(text: str) -> list[str]:
    """Return the words of `text` in order, normalised for matching; stop words count, nothing is stemmed."""
    return _WORD.findall(unicodedata.normalize("NFC", text).casefold())


def trigger_key(phrase: str) -> str:
    """Return the form in which a phrase is stored and looked up; empty if it has no word."""
    return " ".join(trigger_words(phrase))[:200]
