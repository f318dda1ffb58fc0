"""Pure functions on text that several slices share."""

from __future__ import annotations

import hashlib
import html
import json
import re
from collections.abc import Iterable
from typing import Any

# Roman-script prose measures 4.0 to 4.6 characters a token; code and other scripts need more tokens.
_CHARS_PER_TOKEN = 4
_WIDE = re.compile("[\u2e80-\U0010ffff]+")  # CJK and beyond: about one token a character
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]+")
# Nobody sees these: they part words and numbers for a program, or hide instructions from people but not from models.
# The two joiners are none of them, because Persian, the Indic scripts and emoji need them.
_HIDDEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]"
)
_DECEIVING = re.compile("[\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]")
_REFERENCE = re.compile(r"&#(?:\d{4,9}|[xX][0-9a-fA-F]{4,8});")


def estimate_tokens(text: str) -> int:
    """Estimate the tokens of `text`, rather too high than too low; never zero for non-empty text."""
    if text.isascii():
        return -(-len(text) // _CHARS_PER_TOKEN)
    wide = sum(map(len, _WIDE.findall(text)))
    return wide + -(-(len(text) - wide) // _CHARS_PER_TOKEN)


def shorten(text: str, chars: int) -> str:
    """Cut `text` to at most `chars` characters, with an ellipsis if something was cut: at a word, unless that would
    remove more than half of it, as in languages that put no space between words.
    """
    if len(text) <= chars:
        return text
    cut = text[: max(chars - 1, 0)]
    at_word = cut.rsplit(None, 1)[0] if " " in cut else cut
    return (at_word if 2 * len(at_word) >= len(cut) else cut) + "…"


def fit_tokens(text: str, tokens: int) -> str:
    """Cut `text` to about `tokens`, keeping head and tail, because conclusions come at the end."""
    if tokens <= 0:
        return ""
    if estimate_tokens(text) <= tokens:
        return text
    ratio = len(text) / max(estimate_tokens(text), 1)
    budget = int(tokens * ratio) - 40
    if budget <= 0:
        return shorten(text, int(tokens * ratio))
    head = text[: budget * 2 // 3]
    tail = text[len(text) - budget // 3 :]
    cut = len(text) - len(head) - len(tail)
    return f"{head}\n[… {cut} characters left out …]\n{tail}"


def compile_words(words: Iterable[str]) -> re.Pattern[str]:
    """Compile a pattern that matches any of `words` as a whole word in any case ("api" is not in "capital")."""
    longest_first = sorted(set(words), key=len, reverse=True)
    body = "|".join(r"[\s-]+".join(map(re.escape, re.split(r"[\s-]+", word))) for word in longest_first)
    return re.compile(rf"(?<!\w)(?:{body})(?!\w)", re.IGNORECASE)


_CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=str)


def canonical_json(value: Any) -> str:
    """Serialise `value` as JSON with sorted keys and no blanks; equal values give equal text."""
    return _CANONICAL.encode(value)


def fingerprint(*parts: Any) -> str:
    """SHA-256 in hex over the canonical JSON of `parts`: equal inputs, equal fingerprint."""
    return hashlib.sha256(canonical_json(parts).encode()).hexdigest()


def digest(text: str) -> str:
    """SHA-256 of the UTF-8 text, in hex."""
    return hashlib.sha256(text.encode()).hexdigest()


def hash_secret(secret: str) -> bytes:
    """SHA-256 of a secret that was drawn at random, as it is stored; lone surrogates match none.

    Such a secret has 256 random bits, so a slow hash would add no protection.
    """
    return hashlib.sha256(secret.encode("utf-8", "replace")).digest()


def strip_control(text: str) -> str:
    """Remove NUL, which PostgreSQL cannot store, and terminal control characters."""
    return _CONTROL.sub("", text)


def strip_hidden(text: str) -> str:
    """Remove the characters that nobody sees, but for the joiners that scripts need."""
    return text if text.isascii() else _HIDDEN.sub("", text)


def strip_deceiving(text: str) -> str:
    """Remove the characters that hide a part of `text` or turn its writing direction, so that people would read
    something else than what stands there. A reference to one, which Markdown and HTML resolve, is replaced.
    """
    return _REFERENCE.sub(_without_deceiving, _DECEIVING.sub("", text))


def _without_deceiving(reference: re.Match[str]) -> str:
    return "\ufffd" if _DECEIVING.search(html.unescape(reference[0])) else reference[0]


def word_set(words: str) -> frozenset[str]:
    """Return the words of a text that lists them with blanks between."""
    return frozenset(words.split())
