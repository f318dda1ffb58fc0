"""Where a Markdown text is prose, where it is code and where it is a comment: one pass, linear in any input.

Only what matters for reading a memory is told apart: fenced code, code within a line, and HTML comments.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})(.*)", re.DOTALL)
_MARK = re.compile(r"`+|<!--")
_BLANK_LINE = re.compile(r"\n[ \t]*\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment:
    """An HTML comment outside code: text[start:end] with its marks, `inner` without."""

    start: int
    end: int
    inner: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Fence:
    """A fenced block: `language` is the first word behind the opening marks, in lower case."""

    language: str
    start: int
    line: int
    content_start: int
    content_end: int
    closed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class VisibleLine:
    """A line of prose without the comments in it. `start` is where the whole line begins."""

    text: str
    start: int
    line: int


@dataclass(slots=True)
class Outline:
    """What a text consists of, each in the order of the text."""

    comments: list[Comment] = field(default_factory=list)
    fences: list[Fence] = field(default_factory=list)
    lines: list[VisibleLine] = field(default_factory=list)


def outline(text: str, *, first_line: int = 1) -> Outline:
    """The comments, fenced blocks and visible lines of `text`, whose lines end in a line feed.

    `first_line` is what its first line is called.
    """
    return _Reader(text).read(first_line)


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._found = Outline()
        self._close_at = 0  # where the next `-->` is, and the next blank line: looked for once, not again
        self._blank_at = 0

    def read(self, number: int) -> Outline:
        position = 0
        while position < len(self._text):
            end = self._line_end(position)
            opened = _FENCE.fullmatch(self._text, position, end)
            # A backtick behind backticks means that this is code within a line.
            if opened and not (opened[1].startswith("`") and "`" in opened[2]):
                after = self._fence(position, end, number, opened)
            else:
                after = self._prose(position, end, number)
            number += self._text.count("\n", position, after)
            position = after
        return self._found

    def _line_end(self, position: int) -> int:
        end = self._text.find("\n", position)
        return len(self._text) if end < 0 else end

    def _fence(self, start: int, line_end: int, number: int, opened: re.Match[str]) -> int:
        """Notes the block that begins here; returns where the next line begins."""
        mark, words = opened[1], opened[2].split()
        content_start = position = min(line_end + 1, len(self._text))
        content_end, after, closed = len(self._text), len(self._text), False
        while position < len(self._text):
            end = self._line_end(position)
            line = self._text[position:end].strip()
            if len(line) >= len(mark) and not line.strip(mark[0]):
                content_end, after, closed = position, min(end + 1, len(self._text)), True
                break
            position = end + 1
        self._found.fences.append(
            Fence(
                language=words[0].lower() if words else "",
                start=start,
                line=number,
                content_start=content_start,
                content_end=content_end,
                closed=closed,
            )
        )
        return after

    def _prose(self, start: int, end: int, number: int) -> int:
        """Notes a line and its comments; returns where the next line begins, behind a comment of many lines."""
        marks = list(_MARK.finditer(self._text, start, end))
        first = end - len(self._text[start:end].lstrip())
        closing = _closing_runs(marks)
        visible: list[str] = []
        position = shown_from = start
        for mark in marks:
            if mark.start() < position:
                continue
            if mark[0] != "<!--":
                position = closing.get(mark.start(), mark.end())
                continue
            comment_end = self._comment_end(mark.start(), begins_line=mark.start() == first)
            if comment_end is None:
                position = mark.end()
                continue
            visible.append(self._text[shown_from : mark.start()])
            self._found.comments.append(
                Comment(
                    start=mark.start(),
                    end=comment_end,
                    inner=self._text[mark.end() : comment_end - 3],
                    line=number,
                )
            )
            position = shown_from = comment_end
            if comment_end > end:
                break
        if position <= end:
            visible.append(self._text[shown_from:end])
        self._found.lines.append(VisibleLine(text="".join(visible), start=start, line=number))
        # What stands behind a comment of many lines, on its last one, is read like a line of its own.
        return position if position > end else min(end + 1, len(self._text))

    def _comment_end(self, start: int, *, begins_line: bool) -> int | None:
        """Where the comment that opens at `start` ends, or None where these are just characters."""
        inner = start + 4
        if 0 <= self._close_at < inner:
            self._close_at = self._text.find("-->", inner)
        if self._close_at < 0:
            return None
        if not begins_line:  # within a paragraph: it cannot reach beyond it
            if 0 <= self._blank_at < inner:
                blank = _BLANK_LINE.search(self._text, inner)
                self._blank_at = blank.start() if blank else -1
            if 0 <= self._blank_at < self._close_at:
                return None
        return self._close_at + 3


def _closing_runs(marks: list[re.Match[str]]) -> dict[int, int]:
    """For each run of backticks that opens code within a line: where that code ends."""
    closing: dict[int, int] = {}
    ends: dict[int, int] = {}
    for mark in reversed(marks):
        if mark[0] != "<!--":
            length = len(mark[0])
            if length in ends:
                closing[mark.start()] = ends[length]
            ends[length] = mark.end()
    return closing
