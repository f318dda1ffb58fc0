"""The removal of statements from a text, and of what is left empty by that. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from frasier.llm import CheckedStatement
from frasier.work.verification.verify import locate_statements, without_marks

_HEADING = re.compile(r"(#{1,6})\s")
_EMPTY_ITEM = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s*(?:\[[ xX]\]\s*)?")
_TABLE_RULE = re.compile(r"\s*\|?[\s:|-]*-[\s:|-]*")
_WHOLE_LINES = ("#", "|", ">")


def remove_statements(
    markdown: str, statements: Sequence[CheckedStatement], removed: Collection[CheckedStatement]
) -> str:
    """Remove some of the statements of a text; items, tables and sections without any other go with them."""
    text = without_marks(markdown)
    for place in reversed(locate_statements(text, statements)):
        if any(place.statement is one for one in removed):
            before, after = _around(text, place.start, place.end)
            text = before + after
    return _without_empty_parts(text)


def _around(text: str, start: int, end: int) -> tuple[str, str]:
    """The text before and after a statement, with one blank between sentences; rows and headings go as whole lines."""
    if text[start:end].startswith(_WHOLE_LINES):
        line_end = text.find("\n", end)
        return text[: text.rfind("\n", 0, start) + 1], text[line_end + 1 :] if line_end >= 0 else ""
    before, after = text[:start].rstrip(" "), text[end:].lstrip(" ")
    is_between = bool(before) and not before.endswith("\n") and bool(after) and not after.startswith("\n")
    is_item = bool(_EMPTY_ITEM.fullmatch(before.rpartition("\n")[2]))
    return f"{before} " if is_between or is_item else before, after


def _without_empty_parts(text: str) -> str:
    lines = [line.rstrip() for line in text.split("\n") if not (line.strip() and _EMPTY_ITEM.fullmatch(line))]
    lines = [line for at, line in enumerate(lines) if not _is_empty_table(lines, at)]
    kept: list[str] = []
    # From the end, so that a heading over empty ones only is empty, too.
    for line in reversed(lines):
        heading = _HEADING.match(line)
        if heading is None or not _is_empty_section(heading[1], kept):
            kept.append(line)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(reversed(kept))).strip() + "\n"


def _is_empty_table(lines: Sequence[str], at: int) -> bool:
    """Whether the line is of the head of a table that has no row."""
    rule = at + 1 if _is_rule(lines, at + 1) else at
    if not _is_rule(lines, rule):
        return False
    return rule + 1 >= len(lines) or not lines[rule + 1].lstrip().startswith("|")


def _is_rule(lines: Sequence[str], at: int) -> bool:
    return 0 < at < len(lines) and "|" in lines[at] and bool(_TABLE_RULE.fullmatch(lines[at]))


def _is_empty_section(marks: str, following: Sequence[str]) -> bool:
    """Whether nothing stands below a heading that is no title; `following` are the lines after it, backwards."""
    if len(marks) == 1:
        return False
    below = next((line for line in reversed(following) if line.strip()), "")
    heading = _HEADING.match(below)
    return not below or (heading is not None and len(heading[1]) <= len(marks))
