"""A table of sources against findings: what each source says on each subject, in its own words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from frasier.kernel.sentences import split_sentences
from frasier.kernel.text import shorten
from frasier.llm.providers.rehearsal.draft import Line
from frasier.llm.providers.rehearsal.findings import StepFindings
from frasier.llm.providers.rehearsal.page import Group, plain_title

_ROWS_MAX = 10
_CELL_CHARS = {2: 120, 3: 90}
_NARROW_CELL_CHARS = 70
_COLUMN_CHARS = 32
_SENTENCE_CHARS_MIN = 25
_HEAD_ROWS = 2
_HEADING = "Comparison by source"


def comparison(findings: Sequence[StepFindings], titles: Mapping[int, str]) -> Group | None:
    """The table; none where no two findings share a source."""
    per_source = [number for finding in findings for number in finding.sources]
    if not any(per_source.count(number) > 1 for number in per_source):
        return None
    numbers = sorted(set(per_source), key=lambda number: (-per_source.count(number), number))[:_ROWS_MAX]
    chars = _CELL_CHARS.get(len(findings), _NARROW_CELL_CHARS)
    head = "| Source | " + " | ".join(_cell_text(finding.label, _COLUMN_CHARS) for finding in findings) + " |"
    rows = [head, "|---" * (len(findings) + 1) + "|"]
    for number in sorted(numbers):
        cells = [_best(finding.lines, number) for finding in findings]
        if any(cells):
            rows.append(_row(number, cells, titles.get(number, ""), chars))
    if len(rows) <= _HEAD_ROWS:
        return None
    return Group(heading=_HEADING, lines=tuple(rows))


def _row(number: int, cells: Sequence[Line | None], title: str, chars: int) -> str:
    texts = [f"{clipped(line.quote, chars)} [{number}]" if line else "–" for line in cells]
    named = next((line.source for line in cells if line and line.source), "")
    return f"| {plain_title(title or named, number)} | {' | '.join(texts)} |"


def _best(lines: Sequence[Line], number: int) -> Line | None:
    """The first line that cites this source alone and can stand in a cell."""
    return next((line for line in lines if line.cited == (number,) and "|" not in line.quote), None)


def _cell_text(text: str, chars: int) -> str:
    return shorten(text.replace("|", "/"), chars)


def clipped(quote: str, chars: int) -> str:
    """A quote cut to `chars` after a sentence or else at a word, without leaving a code span or bold text open."""
    if len(quote) <= chars:
        return quote
    sentence = next(iter(split_sentences(quote)), quote)
    cut = f"{sentence} …" if _SENTENCE_CHARS_MIN <= len(sentence) <= chars - 2 else shorten(quote, chars)
    for mark in ("`", "**"):
        if cut.count(mark) % 2:
            cut = cut[: cut.rindex(mark)].rstrip() + "…"
    return cut
