"""Normalisation of stored text: newlines, Unicode form, and no hidden characters."""

from __future__ import annotations

import re
import unicodedata

from frasier.kernel.text import strip_hidden

_NEWLINES = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")

# Control characters break terminals and PostgreSQL; a lone surrogate has no UTF-8.
_UNWANTED = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")


def plain_text(text: str) -> str:
    """Normalise `text` to NFC with line feeds, without control, hidden or unpaired characters."""
    return unicodedata.normalize("NFC", strip_hidden(_UNWANTED.sub("", _NEWLINES.sub("\n", text))))


def one_line(text: str) -> str:
    """Join `text` into a single line with single blanks."""
    return " ".join(plain_text(text).split())


def heading_title(text: str) -> str:
    """Return the text of a Markdown heading, without closing number signs."""
    return text.rstrip().rstrip("#").rstrip()


def cut_text(text: str, chars_max: int) -> tuple[str, tuple[str, ...]]:
    """Cut `text` to its bound; return it with a note if something was cut."""
    if len(text) <= chars_max:
        return text, ()
    return text[:chars_max], (f"text cut at {chars_max:,} characters",)
