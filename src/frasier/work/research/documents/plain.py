"""Text as it is kept: one spelling of newlines and letters, and nothing that hides or breaks."""

from __future__ import annotations

import re
import unicodedata

_NEWLINES = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")

# Control characters break terminals and PostgreSQL. Directional overrides, tag characters and zero-width
# breaks let a page say one thing to a person and another to a model. Soft hyphens break the search for words.
_UNWANTED = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x9f\xad\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ud800-\udfff"
    "\ufdd0-\ufdef\ufeff\ufff9-\ufffb\ufffe\uffff\U000e0000-\U000e0fff]"
)


def plain_text(text: str) -> str:
    """`text` in NFC, with line feeds for newlines, without control, hidden or unpaired characters."""
    return unicodedata.normalize("NFC", _UNWANTED.sub("", _NEWLINES.sub("\n", text)))


def one_line(text: str) -> str:
    """`text` as a single line with single blanks."""
    return " ".join(plain_text(text).split())


def heading_title(text: str) -> str:
    """What a Markdown heading says, without the number signs that may close it."""
    return text.rstrip().rstrip("#").rstrip()


def cut_text(text: str, chars_max: int) -> tuple[str, tuple[str, ...]]:
    """`text` within its bound, and the note that says so where something was cut."""
    if len(text) <= chars_max:
        return text, ()
    return text[:chars_max], (f"text cut at {chars_max:,} characters",)
