"""Places in a source, as a reader finds them: pages, lines, rows, headings, and fragments of an HTML page. Pure."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceMark:
    """The line of a text, counted from one, where a page of a PDF or a fragment of an HTML page begins.

    What has neither page nor fragment begins a part of an HTML page to which no link leads.
    """

    line: int
    page: int = 0
    fragment: str = ""


def describe_place(
    lines: tuple[int, int], *, row: int = 0, path: Sequence[str] = (), marks: Sequence[PlaceMark] = ()
) -> str:
    """Describe a place, such as "row 3, lines 12–14, under Licences", "page 2" or "#fees, under Fees".

    `marks` are those of the text, by line. What has no lines (0) is a record of JSON. The lines of a text that was made
    from pages or from HTML are not those that its reader sees, so page and fragment stand in their place.
    """
    first, last = lines
    parts = [f"row {row}" if first else f"record {row}"] if row else []
    if first:
        parts.append(
            _mark_at(first, last, marks) or (f"lines {first}–{last}" if last > first else f"line {first}")
        )
    if path:
        parts.append(f"under {' › '.join(path)}")
    return ", ".join(parts)


def _mark_at(first: int, last: int, marks: Sequence[PlaceMark]) -> str:
    at = bisect_right(marks, first, key=lambda mark: mark.line) - 1
    if at < 0:
        return ""
    begin = marks[at]
    if not begin.page:
        return f"#{begin.fragment}" if begin.fragment else ""
    end = marks[bisect_right(marks, last, key=lambda mark: mark.line) - 1]
    return f"pages {begin.page}–{end.page}" if end.page > begin.page else f"page {begin.page}"


def shift_marks(marks: Sequence[PlaceMark], lines: int) -> tuple[PlaceMark, ...]:
    """Return the marks of a text without its first `lines`; one of these now begins it."""
    return tuple(
        PlaceMark(line=max(1, mark.line - lines), page=mark.page, fragment=mark.fragment) for mark in marks
    )
