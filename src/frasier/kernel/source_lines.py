"""The lines of a source, with those of a wrapped paragraph joined, and where each part of them stands. Pure."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from frasier.kernel.records import Cell, cells_of, named_cells

HEADING = re.compile(r"^(?P<marks>#{1,6})\s+(?P<text>.+)$")
LIST_ITEM = re.compile(r"^(?:[-*+•]|\d{1,3}[.)]|§{1,2} ?\d{1,4}[a-z]?\.?)\s+")
_NAMED_VALUE = re.compile(
    r"^(?P<head>[^\W\d_][\w ()/.-]{0,40})(?::\s+(?P<text>\S.*)?|;(?P<value>[^\s;][^;]*))$"
)  # also "Price;12 EUR" of a file of two columns
_LABEL = re.compile(r"^[^\W\d_][\w (),/.-]{0,40}:\s+\S")  # "Lot 2, fence, 84 m: …"
_OPENS_LIST = re.compile(r"[^\W\d_][\w -]{0,30}:")  # "lines:" below "counted: 2026-02-27"
_ALIGNED_VALUE = re.compile(r"(?<=\S)(?: {3,}(?=\S)|\t+(?=\S*\d)| ?\.{3,} ?(?=\S*\d))")
_EMPHASIS = re.compile(r"\*\*|__")
_TIMESTAMP = re.compile(
    r"^\[?(?:(?:\d{4}-\d{2}-\d{2}|\d{2}[./]\d{2}[./]\d{4})(?:[T ,:;\]]|$)|\d{2}:\d{2}(?::\d{2})?\]?\s"
    r"|[^\]\n]{0,24}\d:\d{2}(?::\d{2})?(?: ?[AaPp]\.?[Mm]\.?)?\]\s"
    r"|(?:[^\W\d_a-zß-öø-ÿ][\w.-]*\s){1,3}(?:\([^)]+\)\s)?\d{2}:\d{2}\s)"
)  # of a line of a log, or of what somebody wrote in a chat
_QUOTED = re.compile(
    r"^(?:>\s?)+(?![\s>]*[\d€$£])"
)  # a mail that another one answers; "> 50 kg" is an amount
_OPEN_BRACKET = re.compile(r"\([^()]*$")
_FENCE = re.compile(r"^(?:```|~~~)")
_WRAPPED_CHARS_MIN = 50  # a shorter line was ended on purpose
_OPEN_CHARS_MIN = 20  # "Deliver to" stands above an address
_OPEN_ENDING = re.compile(
    r"(?<!\d)\s(?:der|die|das|den|dem|des|eine?[mnr]?|und|oder|sowie|für|mit|von|vom|bei|beim|zum|zur|im|in|am|bis|durch"
    r"|gegen|ohne|nach|zwischen|je|pro|the|an?|of|and|or|for|with|by|at|from|to|per|le|la|les|une?|du|de|et|ou|pour|avec"
    r"|par|sur|el|los|las|una|del|y|o|con|para|por|il|di|e|het|een|van|voor|met|os|as|do|da|em|com)(?: \d[\d.,]*)?$"
)  # a word behind which no line ends on purpose, and the number of what follows
_INDENTED_MAX = 8  # what begins further to the right is aligned with something
_JOINED_CHARS_MAX = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceLine:
    """A line, or the lines of a wrapped paragraph or item joined by blanks; `starts` tells where each begins.

    `under` is the line above that is indented less, of a line that is indented.
    """

    text: str
    first: int
    starts: Sequence[int] = field(default=(0,))
    under: str = ""

    def lines_of(self, start: int, end: int) -> tuple[int, int]:
        """Return the first and the last line, counted from one, of what stands from `start` to `end`."""
        return (
            self.first + bisect_right(self.starts, start) - 1,
            self.first + bisect_right(self.starts, max(start, end - 1)) - 1,
        )


def joined_lines(text: str) -> Iterator[SourceLine]:
    """Yield the lines of a text, with those of a wrapped paragraph or item as one; a blank one ends each block.

    Lines of code between fences stay apart; the marks of a quoted mail or block (">") are left out.
    """
    in_code = False
    outer = _Indentation()
    parts: list[str] = []
    starts: list[int] = []
    length = first = 0
    depth = 0
    under = ""
    for number, raw in enumerate(text.splitlines(), 1):
        before, depth = depth, 0 if in_code else _depth(raw)
        line = _QUOTED.sub("", raw.strip()) if depth else raw
        following = line.strip()
        is_code = in_code or is_fence(following)
        in_code ^= is_fence(following)
        can_go_on = bool(parts and parts[0] and following) and length < _JOINED_CHARS_MAX and not is_code
        can_go_on &= depth == before
        if can_go_on and not is_fence(parts[0]) and _continues(parts, length, line):
            starts.append(length + 1)
            length += 1 + len(following)
            parts.append(following)
            continue
        if parts:
            yield SourceLine(text=" ".join(parts), first=first, starts=tuple(starts), under=under)
        parts, starts, length, first = [following], [0], len(following), number
        under = outer.line_above(line)
    if parts:
        yield SourceLine(text=" ".join(parts), first=first, starts=tuple(starts), under=under)


class _Indentation:
    """The lines that a line stands under, each indented less than the next one; a blank line ends them."""

    def __init__(self) -> None:
        self._lines: list[tuple[int, str]] = []

    def line_above(self, line: str) -> str:
        """Return the nearest line above that is indented less than this one, if any, and remember this one."""
        depth = len(line) - len(line.lstrip())
        self._lines = [one for one in self._lines if one[0] < depth] if line.strip() else []
        above = self._lines[-1][1] if self._lines else ""
        if line.strip():
            self._lines.append((depth, line.strip()))
        return above if depth <= _INDENTED_MAX else ""


def named_values(line: str) -> list[Cell]:
    """Return the values with their names of a line such as "Price: 12 EUR", "- **Price**: 12" or "Price ..... 12 EUR".

    Several, if a line has some side by side: "Sum: 850 EUR      Excess: 20 EUR".
    """
    text = _EMPHASIS.sub("", LIST_ITEM.sub("", line.strip()))
    head, *values = (part.strip() for part in _ALIGNED_VALUE.split(text))
    matches = [_NAMED_VALUE.match(part) for part in (head, *values)]
    if values and not all(matches) and head and not matches[0]:
        return [Cell(head=head, text="; ".join(values))]
    if not values or not all(matches):
        matches = [_NAMED_VALUE.match(text)]
    return [
        Cell(head=match["head"].strip(), text=value.strip())
        for match in matches
        if match and (value := match["text"] or match["value"])
    ]


def _continues(parts: Sequence[str], length: int, raw: str) -> bool:
    """Return whether the line `raw` goes on with what `parts` began: full lines, or one that ends within a sentence."""
    begin, last, following = parts[0], parts[-1], raw.strip()
    is_ended = last.endswith((".", "!", "?", ":", ";"))
    is_sentence = length >= _WRAPPED_CHARS_MIN and not is_ended and not _LABEL.match(begin)
    is_label_within = is_sentence and following[:1].islower() and _LABEL.match(following) is not None
    is_open = length >= _OPEN_CHARS_MIN and _OPEN_ENDING.search(last) is not None
    is_item = LIST_ITEM.match(following) and not (
        is_open and following[:1].isdigit()
    )  # "until the" "15. July"
    if (is_own_line(following) and not is_label_within) or is_item:
        return False
    if HEADING.match(begin) or cells_of(begin):
        return False
    if _TIMESTAMP.match(begin) or _ALIGNED_VALUE.search(last) or named_cells(begin):
        return False
    if _LABEL.match(begin) and _OPENS_LIST.fullmatch(following):
        return False
    is_in_brackets = _OPEN_BRACKET.search(last) is not None and ")" in following
    goes_on = raw[:1].isspace() or following[:1].islower() or following.startswith("(") or is_in_brackets
    is_within = not is_ended and (goes_on or is_open)
    return (length >= _WRAPPED_CHARS_MIN and not _NAMED_VALUE.match(begin)) or is_within


def _depth(line: str) -> int:
    """The number of marks by which a line is quoted."""
    quoted = _QUOTED.match(line.strip())
    return quoted[0].count(">") if quoted else 0


def is_fence(line: str) -> bool:
    """Return whether the line begins or ends a block of code."""
    return bool(_FENCE.match(line))


def is_own_line(line: str) -> bool:
    """Return whether the line is a heading, a row, one of name and value, or one of a log."""
    patterns = (HEADING, _NAMED_VALUE, _LABEL, _TIMESTAMP)
    is_record = cells_of(line) or named_cells(line)
    return bool(is_record or any(one.match(line) for one in patterns) or _ALIGNED_VALUE.search(line))
