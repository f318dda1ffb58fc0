"""A trigger phrase as phrases are compared: whole words, folded, whatever stands between them."""

from __future__ import annotations

import re
import unicodedata

_WORD = re.compile(r"[^\W_]+")


def trigger_words(text: str) -> list[str]:
    """The words of `text` in order, in the form in which phrases match; stop words count, nothing is stemmed."""
    return _WORD.findall(unicodedata.normalize("NFC", text).casefold())


def trigger_key(phrase: str) -> str:
    """The form under which a phrase is stored and looked up; empty where it has no word."""
    return " ".join(trigger_words(phrase))[:200]
