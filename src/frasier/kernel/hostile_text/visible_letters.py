"""The visible letters of a line of Markdown: hidden characters removed, lookalikes folded. Pure."""

from __future__ import annotations

import html
import re
import unicodedata

from frasier.kernel.hostile_text.lookalikes import fold_mixed_words
from frasier.kernel.text import strip_hidden

_STYLED = {
    code: chr(plain)
    for code in (*range(0xFF01, 0xFF5F), *range(0x1D400, 0x1D800))
    if len(form := unicodedata.normalize("NFKC", chr(code))) == 1 and (plain := ord(form)) != code
} | {0x2800: " "}  # the blank of Braille
_ESCAPED = re.compile(r"\\(?=[^\w\s])")
_SCRIPT_WITH_JOINERS = "[\u0590-\u1fff\u2e80-\U0010ffff]"
_NEEDLESS_JOINERS = re.compile(
    f"(?<!{_SCRIPT_WITH_JOINERS})[\u200c\u200d]+|[\u200c\u200d]+(?!{_SCRIPT_WITH_JOINERS})"
)
# What no letter is composed with strikes it through, or stands above nothing.
_STRAY_MARKS = re.compile(
    "(?<=[\0-\u024f])[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]+"
)


def fold_letters(text: str) -> str:
    """Replace full-width and mathematical letters and digits, and those of another script within a Latin word, by
    those that they look like; the length stays the same.
    """
    return text if text.isascii() else fold_mixed_words(text.translate(_STYLED))


def read_letters(markdown: str) -> str:
    """Return a line with its references and escapes of characters resolved, and its hidden characters removed."""
    text = _ESCAPED.sub("", html.unescape(markdown))
    if text.isascii():
        return text
    visible = _NEEDLESS_JOINERS.sub("", strip_hidden(text))
    return fold_letters(_STRAY_MARKS.sub("", unicodedata.normalize("NFC", visible)))
