"""Markdown parsed into blocks: prose, list items, table rows and code, each under its heading.

A block's text is the source's own, with runs of blanks and line breaks as one blank, so that every
quote from it occurs in the source word for word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

_FENCE = re.compile(r"^\s*(```+|~~~+)\s*(\S*)")
_HEADING = re.compile(r"^\s{0,3}#{1,6}\s+(.*?)\s*#*\s*$")
_SETEXT = re.compile(r"^\s{0,3}(=+|-+)\s*$")
_RULE = re.compile(r"^\s{0,3}([-*_]\s*){3,}$")
_ITEM = re.compile(r"^\s*(?:[-*+•–]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?(?=\S)")
_QUOTE = re.compile(r"^\s{0,3}(?:>\s?)+")
_TABLE_DIVIDER = re.compile(r"^(?=.*\|)\s*\|?\s*:?-{2,}:?\s*(\|\s*:?-{2,}:?\s*)*\|?\s*$")
_DEFINITION = re.compile(r"^\s{0,3}\[[^\]]+\]:\s")
_MARKUP_LINE = re.compile(r"^\s*<[^>]*>?\s*$|^\s*<!--|-->\s*$|^\s*\.\.\s|^\s*!\[[^\]]*\]\([^)]*\)\s*$")
_INDENTED = re.compile(r"^(?: {4}|\t)")


class Kind(StrEnum):
    PROSE = "prose"
    ITEM = "item"
    TABLE = "table"
    CODE = "code"


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """`lead` marks the first block under its heading, which usually says what the section is about."""

    kind: Kind
    text: str
    heading: str
    lead: bool


@dataclass(slots=True)
class _Reader:
    """The state of the line parser."""

    heading: str = ""
    fresh: bool = True
    kind: Kind = Kind.PROSE
    lines: list[str] | None = None
    in_list: bool = False

    def open(self, kind: Kind, line: str) -> Iterator[Block]:
        yield from self.close()
        self.kind, self.lines = kind, [line]

    def close(self) -> Iterator[Block]:
        text = " ".join(" ".join(self.lines or ()).split())
        self.lines = None
        if text:
            yield Block(kind=self.kind, text=text, heading=self.heading, lead=self.fresh)
            self.fresh = False

    def enter(self, heading: str) -> None:
        self.heading, self.fresh, self.in_list, self.lines = heading, True, False, None


def headings(text: str) -> tuple[str, ...]:
    """The headings of `text` in order, without their marks; a comment in code is none."""
    titles: list[str] = []
    in_code = False
    for line in _without_front_matter(text):
        if _FENCE.match(line):
            in_code = not in_code
        elif not in_code and (heading := _HEADING.match(line)) and heading[1]:
            titles.append(heading[1])
    return tuple(titles)


def blocks(text: str) -> Iterator[Block]:
    """The blocks of a piece of Markdown, which may begin and end anywhere within its document."""
    lines = _without_front_matter(text)
    reader = _Reader()
    in_code = _starts_inside_code(lines)
    for at, line in enumerate(lines):
        following = lines[at + 1] if at + 1 < len(lines) else ""
        if _FENCE.match(line):
            yield from reader.close()
            in_code = not in_code
        elif in_code:
            yield from reader.open(Kind.CODE, line)
        else:
            yield from _read_line(reader, line, following)
    yield from reader.close()


def _read_line(reader: _Reader, line: str, following: str) -> Iterator[Block]:
    if not line.strip():
        yield from reader.close()
    elif heading := _HEADING.match(line):
        yield from reader.close()
        reader.enter(heading[1])
    elif _SETEXT.match(line) and reader.lines and len(reader.lines) == 1 and reader.kind is Kind.PROSE:
        reader.enter(" ".join(reader.lines[0].split()))
    elif _RULE.match(line) or _DEFINITION.match(line) or _MARKUP_LINE.search(line):
        yield from reader.close()
    elif _is_table_row(line) or _TABLE_DIVIDER.match(following):
        yield from reader.close()
        reader.in_list = False
        # A divider and the names of the columns state nothing alone.
        if not _TABLE_DIVIDER.match(line) and not _TABLE_DIVIDER.match(following):
            yield from reader.open(Kind.TABLE, line.strip().strip("|"))
    elif item := _ITEM.match(line):
        yield from reader.open(Kind.ITEM, line[item.end() :])
        reader.in_list = True
    elif quote := _QUOTE.match(line):
        yield from reader.open(Kind.PROSE, line[quote.end() :])
        yield from reader.close()
    elif reader.lines is not None and reader.kind in {Kind.PROSE, Kind.ITEM}:
        reader.lines.append(line)
    elif _INDENTED.match(line) and not reader.in_list:
        yield from reader.open(Kind.CODE, line)
    else:
        yield from reader.open(Kind.PROSE, line)
        reader.in_list = reader.in_list and line[:1].isspace()


def _is_table_row(line: str) -> bool:
    stripped = line.strip()
    return stripped.startswith("|") and stripped.count("|") > 1


def _without_front_matter(text: str) -> list[str]:
    lines = text.splitlines()
    if lines and lines[0].strip() == "---":
        for at, line in enumerate(lines[1:60], start=1):
            if line.strip() == "---":
                return lines[at + 1 :]
    return lines


def _starts_inside_code(lines: list[str]) -> bool:
    """Whether the piece was cut out of the middle of a code block: then its first fence closes one."""
    fences = [at for at, line in enumerate(lines) if _FENCE.match(line)]
    if len(fences) % 2 == 0:
        return False
    first = _FENCE.match(lines[fences[0]])
    before = [line.strip() for line in lines[: fences[0]] if line.strip()]
    names_language = first is not None and bool(first[2])
    return bool(before) and not names_language and before[-1][-1] not in ".:!?"
