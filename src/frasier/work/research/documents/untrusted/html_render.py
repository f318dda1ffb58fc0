"""Rendering of element trees as text: headings, lists and tables as Markdown, everything else as paragraphs.

It knows the elements of HTML and those of the extraction's own vocabulary (head, item, row, cell, lb).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from .table_rows import render_form, render_table

_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_INLINE = re.compile(
    "a|abbr|b|bdi|bdo|cite|code|data|del|dfn|em|font|hi|i|ins|kbd|label|mark|q|ref|s|samp|small|span|strike|strong"
    "|sub|sup|time|tt|u|var|wbr"
)
_DROPPED = re.compile(
    "head|script|style|noscript|template|svg|math|iframe|object|button|select|textarea|nav|footer"
)
_ROWS = ".//row|.//tr"
_CELL_CHARS_MAX = 1_000

_BLANKS = re.compile(r"\s+")
_BROKEN_ITEM = re.compile(r"^( *-) *\n+ *", re.MULTILINE)
_APART_ITEM = re.compile(r"\n\n(?= +- )")
_MANY_LINES = re.compile(r"\n{3,}")


def render_tree(root: Any) -> str:
    """Render an lxml element and its descendants."""
    out: list[str] = []
    for child in _contents(root):
        _write(child, out, depth=0)
    text = "\n".join(line.rstrip() for line in "".join(out).split("\n"))
    text = _MANY_LINES.sub("\n\n", _BROKEN_ITEM.sub(r"\1 ", text))
    return _APART_ITEM.sub("\n", text).strip()


def _contents(node: Any) -> list[Any]:
    """Yield the texts and elements directly inside `node`, in order."""
    contents = [node.text] if node.text else []
    for child in node:
        contents.append(child)
        if child.tail:
            contents.append(child.tail)
    return contents


def _write(node: Any, out: list[str], *, depth: int) -> None:
    if isinstance(node, str):
        _write_text(node, out)
        return
    tag = node.tag
    if not isinstance(tag, str):  # a comment
        return
    if tag == "head" and node.get("rend"):  # the extraction's heading, not the head of a page
        _write_heading(node, out, level=_HEADINGS.get(node.get("rend"), 2))
    elif tag in _HEADINGS:
        _write_heading(node, out, level=_HEADINGS[tag])
    elif _DROPPED.fullmatch(tag):
        return
    elif tag in {"br", "lb"}:
        out.append("\n")
    elif tag == "table" and _is_tabular(node):
        _write_table(node, out)
    elif tag == "pre" or (tag == "code" and _stands_alone(node)):
        out.append("\n\n```\n" + "".join(node.itertext()).strip("\n") + "\n```\n\n")
    elif tag in {"item", "li"}:
        out.append("\n" + "  " * max(depth - 1, 0) + "- ")
        _write_all(node, out, depth=depth)
    elif tag in {"list", "ul", "ol"}:
        out.append("\n" if depth else "\n\n")
        _write_all(node, out, depth=depth + 1)
        out.append("\n" if depth else "\n\n")
    elif _INLINE.fullmatch(tag):
        _write_all(node, out, depth=depth)
    else:
        out.append("\n\n")
        _write_all(node, out, depth=depth)
        out.append("\n\n")


def _write_all(node: Any, out: list[str], *, depth: int) -> None:
    for child in _contents(node):
        _write(child, out, depth=depth)


def _write_text(text: str, out: list[str]) -> None:
    text = _BLANKS.sub(" ", text)
    if not out or out[-1].endswith(("\n", " ")):
        text = text.lstrip()
    if text:
        out.append(text)


def _stands_alone(node: Any) -> bool:
    parent = node.getparent()
    return parent is not None and parent.tag == "body"


def _write_heading(node: Any, out: list[str], *, level: int) -> None:
    if title := _flat(node):
        out.append(f"\n\n{'#' * level} {title}\n\n")


def _flat(node: Any) -> str:
    return " ".join("".join(node.itertext()).split())


def _cells(row: Any) -> list[Any]:
    return [cell for cell in row if cell.tag in {"cell", "td", "th"}]


def _is_tabular(table: Any) -> bool:
    """Whether a table holds data. Layout tables are read as paragraphs."""
    rows = [_cells(row) for row in table.xpath(_ROWS)]
    nested = table.xpath(".//table")
    wide = any(len(row) > 1 for row in rows)
    return wide and not nested and all(len(_flat(cell)) <= _CELL_CHARS_MAX for row in rows for cell in row)


def _write_table(table: Any, out: list[str]) -> None:
    rows = [row for row in map(_cells, table.xpath(_ROWS)) if any(map(_flat, row))]
    texts = [[_flat(cell) for cell in row] for row in rows]
    lines = render_form(texts) if _names_rows(rows) else render_table(texts, has_head=_has_head(rows))
    out.append("\n\n" + "".join(f"{line}\n" for line in lines) + "\n")


def _has_head(rows: Sequence[Sequence[Any]]) -> bool:
    """Whether more than the first cell of the first row is marked as a name: then it names columns."""
    return bool(rows) and any(map(_is_marked_name, rows[0][1:]))


def _names_rows(rows: Sequence[Sequence[Any]]) -> bool:
    """Whether each row has a cell that is marked as its name, and one that is not."""
    return bool(rows) and all([_is_marked_name(cell) for cell in row] == [True, False] for row in rows)


def _is_marked_name(cell: Any) -> bool:
    return bool(cell.tag == "th" or cell.get("role") == "head")
