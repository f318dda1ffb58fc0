"""Split a message into its author's own sentences, without quoted text."""

from __future__ import annotations

import re
from dataclasses import dataclass

_APOSTROPHES = str.maketrans("‘’", "''")
_QUOTED = re.compile(
    r"```.*?(?:```|\Z)|`[^`\n]*`|^[ \t]*>.*?$|“[^”]*(?:”|\Z)|„[^“”]*(?:[“”]|\Z)|«[^»]*(?:»|\Z)|»[^«]*(?:«|\Z)|"
    r'"[^"]*(?:"|\Z)|(?<!\w)\'(?=\w)[^\n]{1,500}?\'(?!\w)',
    re.MULTILINE | re.DOTALL,
)
_MARKER = r"(?:[-*•–]|\d{1,2}[.)])[ \t]+"
# A line break ends a sentence only if the line above or below marks it; any other wraps it.
_BREAK = re.compile(
    r"(?:(?<=[.!?…])|(?<=[.!?…][)\]\"”»']))(?<!\.[^\W\d]\.)\s+|(?<=[:;])[ \t]*\n\s*|(?<!\s)\s*\n[ \t]*\n\s*|"
    rf"(?<!\s)\s*\n[ \t]*(?={_MARKER}|[A-ZÀ-ÖØ-Þ>])"
)
_LEAD = re.compile(rf"\s*(?:{_MARKER})?(?:(?:and|also|und|et|y)[,\s]+)?", re.IGNORECASE)
_QUOTE_MARKS = tuple("\"'“„«»`>")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a message and its span; `lead` is where its words begin, after a list marker."""

    text: str
    start: int
    lead: int
    end: int


def straighten_apostrophes(message: str) -> str:
    """Straighten the apostrophes, keeping every position."""
    return message.translate(_APOSTROPHES)


def sentences_of(message: str) -> list[Sentence]:
    """Return the sentences of a message in order, without those that open with a quotation mark."""
    plain = straighten_apostrophes(message)
    quoted = [match.span() for match in _QUOTED.finditer(plain)]
    sentences: list[Sentence] = []
    start = 0
    for begin, end in [*_breaks_outside(plain, quoted), (len(plain.rstrip()), len(plain))]:
        lead = _LEAD.match(plain, start)
        words_at = lead.end() if lead else start
        if words_at < begin and not plain.startswith(_QUOTE_MARKS, words_at):
            sentences.append(Sentence(message[words_at:begin], start, words_at, begin))
        start = end
    return sentences


def _breaks_outside(plain: str, quoted: list[tuple[int, int]]) -> list[tuple[int, int]]:
    breaks: list[tuple[int, int]] = []
    upcoming = iter([*quoted, (len(plain), len(plain))])
    opened, closed = next(upcoming)
    for match in _BREAK.finditer(plain):
        while closed <= match.start() < len(plain):
            opened, closed = next(upcoming, (len(plain), len(plain) + 1))
        if match.start() <= opened:
            breaks.append(match.span())
    return breaks
