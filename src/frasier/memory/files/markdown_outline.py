"""Split a Markdown text into prose, code and comments in one pass, linear in any input.

Only the constructs that matter for memories are recognised: fenced code, inline code, and HTML comments.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})(.*)", re.DOTALL)
_MARK = re.compile(r"`+|<!--")
_BLANK_LINE = re.compile(r"\n[ \t]*\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment:
    """An HTML comment outside code: text[start:end] with its delimiters, `inner` without."""

    start: int
    end: int
    inner: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Fence:
    """A fenced code block; `language` is the first word after the opening fence, in lower case."""

    language: str
    start: int
    line: int
    content_start: int
    content_end: int
    closed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class VisibleLine:
    """A line of prose without its comments. `start` is the offset of the whole line."""

    text: str
    start: int
    line: int


@dataclass(slots=True)
class Outline:
    """The comments, fenced blocks and visible lines of a text, each in order."""

    comments: list[Comment] = field(default_factory=list)
    fences: list[Fence] = field(default_factory=list)
    lines: list[VisibleLine] = field(default_factory=list)


def outline(text: str, *, first_line: int = 1) -> Outline:
    """Split `text`, whose lines end in line feeds, into comments, fenced blocks and visible lines.

    `first_line` is the number of its first line.
    """
    return _OutlineReader(text).read(first_line)


class _OutlineReader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._outline = Outline()
        self._close_at = (
            0  # cached offsets of the next `-->` and the next blank line, so that each is searched once
        )
        self._blank_at = 0

    def read(self, number: int) -> Outline:
        position = 0
        while position < len(self._text):
            end = self._line_end(position)
            opened = _FENCE.fullmatch(self._text, position, end)
            # Another backtick after the opening backticks makes this inline code.
            if opened and not (opened[1].startswith("`") and "`" in opened[2]):
                after = self._fence(position, end, number, opened)
            else:
                after = self._prose(position, end, number)
            number += self._text.count("\n", position, after)
            position = after
        return self._outline

    def _line_end(self, position: int) -> int:
        end = self._text.find("\n", position)
        return len(self._text) if end < 0 else end

    def _fence(self, start: int, line_end: int, number: int, opened: re.Match[str]) -> int:
        """Record the block that begins here; returns the offset of the next line."""
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
        self._outline.fences.append(
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
        """Record a line and its comments; returns the offset of the next line, after a multi-line comment."""
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
            self._outline.comments.append(
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
        self._outline.lines.append(VisibleLine(text="".join(visible), start=start, line=number))
        # Text after a multi-line comment, on its last line, is read like a line of its own.
        return position if position > end else min(end + 1, len(self._text))

    def _comment_end(self, start: int, *, begins_line: bool) -> int | None:
        """The end offset of the comment that opens at `start`; None if it is not a comment."""
        inner = start + 4
        if 0 <= self._close_at < inner:
            self._close_at = self._text.find("-->", inner)
        if self._close_at < 0:
            return None
        if not begins_line:  # a comment inside a paragraph cannot extend beyond it
            if 0 <= self._blank_at < inner:
                blank = _BLANK_LINE.search(self._text, inner)
                self._blank_at = blank.start() if blank else -1
            if 0 <= self._blank_at < self._close_at:
                return None
        return self._close_at + 3


def _closing_runs(marks: list[re.Match[str]]) -> dict[int, int]:
    """The end offset of inline code for each run of backticks that opens one, by the offset of the run."""
    closing: dict[int, int] = {}
    ends: dict[int, int] = {}
    for mark in reversed(marks):
        if mark[0] != "<!--":
            length = len(mark[0])
            if length in ends:
                closing[mark.start()] = ends[length]
            ends[length] = mark.end()
    return closing
