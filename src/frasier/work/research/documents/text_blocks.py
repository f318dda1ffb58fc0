"""The indivisible units of a text: a short paragraph, a sentence of a long one, an item, a row, a line of code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from frasier.kernel.text import shorten
from frasier.work.research.documents.text_cleanup import heading_title

_WORDS_MAX = 220
_SENTENCE_CHARS_MAX = 1_500
_CHARS_PER_WORD_MAX = 7  # scripts without blanks, and long words, count by their length
_TITLE_CHARS_MAX = 90
_COLUMNS_CHARS_MAX = 200
_RECORD_SHARE_MIN = 0.8
_ABBREVIATION_CHARS = 12

_HEADING = re.compile(r"(#{1,6})[ \t]+(\S.*)")
_FENCE = re.compile(r"[ ]{0,3}(```|~~~)")
_ITEM = re.compile(r"[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+\S")
_TABLE_RULE = re.compile(r"\|[\s:|-]+")
_RECORD = re.compile(r"[ \t]*\S[^:\n]{0,80}:\s")
_WORD = re.compile(r"\S+")
_SENTENCE_END = re.compile(r"""[.!?…]["'”’»)\]]*(?=\s)|[。！？][」』”’）]*""")
_ABBREVIATION = re.compile(
    r"\b(?:(?-i:[A-Z])|e\.g|i\.e|cf|vs|al|approx|ca|nos?|vol|pp?|figs?|eq|sec|ch|eds?|dr|mrs?|ms|prof|st|inc|ltd|corp|"
    r"u\.s|bzw|z\.b|d\.h|vgl|nr)\.\Z",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """text[start:end], without blanks at its ends. `words` counts at least one for every seven characters."""

    start: int
    end: int
    words: int
    heading: str
    begins_block: bool
    begins_section: bool = False


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    text: str

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def divide(text: str) -> Iterator[Unit]:
    """Divide `text` into units, in order. A heading belongs to the unit that follows it."""
    path: list[tuple[int, str]] = []
    section_start: int | None = None
    section_end = 0
    for block in _blocks(text):
        match = _HEADING.fullmatch(block[0].text)
        if match:
            level = len(match[1])
            above = (heading for heading in path if heading[0] < level)
            path = [*above, (level, shorten(heading_title(match[2]), _TITLE_CHARS_MAX))]
            section_start = block[0].start if section_start is None else section_start
            section_end = block[0].end
            continue
        heading = " > ".join(title for _, title in path)
        for unit in _units_of_block(text, block, heading):
            if section_start is None:
                yield unit
            else:
                yield _measured(text, section_start, unit.end, replace(unit, begins_section=True))
                section_start = None
    if section_start is not None:  # headings with nothing below them
        heading = " > ".join(title for _, title in path)
        yield from _pieces(text, section_start, section_end, heading)


def _blocks(text: str) -> Iterator[list[_Line]]:
    """Group lines into blocks: a heading, a fenced listing, a table, a list item, or a paragraph."""
    run: list[_Line] = []
    fence = ""
    for line in _lines(text):
        mark = _FENCE.match(line.text)
        if fence:
            run.append(line)
            if mark and mark[1] == fence:
                yield run
                run, fence = [], ""
            continue
        blank = not line.text.strip()
        alone = blank or mark is not None or _HEADING.fullmatch(line.text) is not None
        if run and (alone or _is_table(run[-1]) != _is_table(line) or _ITEM.match(line.text)):
            yield run
            run = []
        if mark:
            run, fence = [line], mark[1]
        elif not blank:
            run.append(line)
            if alone:
                yield run
                run = []
    if any(line.text.strip() for line in run):
        yield run


def _lines(text: str) -> Iterator[_Line]:
    start = 0
    for line in text.split("\n"):
        yield _Line(start, line)
        start += len(line) + 1


def _is_table(line: _Line) -> bool:
    return line.text.startswith("|")


def _units_of_block(text: str, block: list[_Line], heading: str) -> Iterator[Unit]:
    if _is_table(block[0]):
        yield from _rows(text, block, heading)
        return
    records = sum(1 for line in block if _RECORD.match(line.text))
    if _FENCE.match(block[0].text) or (len(block) > 1 and records >= _RECORD_SHARE_MIN * len(block)):
        parts = [part for line in block for part in _pieces(text, line.start, line.end, heading)]
    else:
        parts = list(_pieces(text, block[0].start, block[-1].end, heading))
    follows_item = _ITEM.match(block[0].text) is not None
    for number, part in enumerate(parts):
        yield replace(part, begins_block=number == 0 and not follows_item)


def _rows(text: str, block: list[_Line], heading: str) -> Iterator[Unit]:
    """Yield the first row with the rule below it, then each row, under a heading that repeats the columns."""
    has_rule = len(block) > 1 and _TABLE_RULE.fullmatch(block[1].text.rstrip()) is not None
    first = block[: 2 if has_rule else 1]
    columns = " | ".join(cell.strip() for cell in block[0].text.strip().strip("|").split("|"))
    below = " > ".join(filter(None, (heading, shorten(f"columns: {columns}", _COLUMNS_CHARS_MAX))))
    for number, part in enumerate(_pieces(text, first[0].start, first[-1].end, heading)):
        yield replace(part, begins_block=number == 0)
    for line in block[len(first) :]:
        for part in _pieces(text, line.start, line.end, below):
            yield replace(part, begins_block=False)


def _pieces(text: str, start: int, end: int, heading: str) -> Iterator[Unit]:
    """Yield text[start:end] whole if it is short, else sentence by sentence."""
    whole = _unit(text, start, end, heading)
    if whole is None:
        return
    if whole.words <= _WORDS_MAX:
        yield whole
        return
    for sentence_start, sentence_end in _sentences(text, whole.start, whole.end):
        for piece_start, piece_end in _cut(text, sentence_start, sentence_end):
            unit = _unit(text, piece_start, piece_end, heading)
            if unit is not None:
                yield replace(unit, begins_block=sentence_start == whole.start)


def _sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for match in _SENTENCE_END.finditer(text, start, end):
        follows = text[match.end() : match.end() + 40].lstrip()[:1]
        before = text[max(start, match.end() - _ABBREVIATION_CHARS) : match.end()]
        if follows.islower() or _ABBREVIATION.search(before):
            continue
        yield start, match.end()
        start = match.end()
    if start < end:
        yield start, end


def _cut(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Cut an overlong sentence at lines, else at blanks, else anywhere."""
    while end - start > _SENTENCE_CHARS_MAX:
        limit = start + _SENTENCE_CHARS_MAX
        at = max(text.rfind("\n", start + 1, limit), start)
        if at == start:
            at = max(text.rfind(" ", start + 1, limit), start)
        if at == start:
            at = limit
        yield start, at
        start = at
    yield start, end


def _unit(text: str, start: int, end: int, heading: str) -> Unit | None:
    """Build the unit text[start:end] without its outer blanks, or None if nothing is left."""
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    end -= len(piece) - len(piece.rstrip())
    if start >= end:
        return None
    return _measured(
        text, start, end, Unit(start=start, end=end, words=0, heading=heading, begins_block=True)
    )


def _measured(text: str, start: int, end: int, unit: Unit) -> Unit:
    words = sum(1 for _ in _WORD.finditer(text, start, end))
    return replace(unit, start=start, end=end, words=max(words, -(-(end - start) // _CHARS_PER_WORD_MAX)))
