"""The text of a DOCX file as Markdown: headings, paragraphs, lists and tables."""

from __future__ import annotations

import io
import itertools
import re
from collections.abc import Iterator

import docx
from docx.document import Document
from docx.table import Table
from docx.text.paragraph import Paragraph

from frasier.kernel.errors import SourceError

from .archive_check import check_archive
from .parsed import Parsed
from .table_rows import render_table

_DEFAULT_TITLE = "Word Document"  # of the template that libraries begin with
_HEADING = re.compile(r"heading ([1-9])", re.IGNORECASE)


def parse_docx(data: bytes) -> Parsed:
    """Read the document's body. Raises SourceError, whose message is a predicate."""
    check_archive(data, part="word/document.xml", kind="a DOCX file")
    document = docx.Document(io.BytesIO(data))
    text = "\n\n".join(_join_lists(_blocks(document)))
    if not text.strip():
        raise SourceError("holds no text")
    title = document.core_properties.title or ""
    return Parsed(title="" if title == _DEFAULT_TITLE else title, text=text)


def _blocks(document: Document) -> Iterator[tuple[str, bool]]:
    """Yield each block's text, and whether it is an item of a list."""
    for block in document.iter_inner_content():
        if isinstance(block, Table):
            yield "\n".join(_table_lines(block)), False
        elif text := " ".join(block.text.split()):
            marker = _marker(block)
            yield marker + text, marker == "- "


def _marker(paragraph: Paragraph) -> str:
    style = (paragraph.style.name if paragraph.style else None) or ""
    if style == "Title":
        return "# "
    if match := _HEADING.fullmatch(style):
        return "#" * min(int(match[1]), 6) + " "
    properties = paragraph._p.pPr  # noqa: SLF001 - python-docx has no public way to ask for numbering
    numbered = properties is not None and properties.numPr is not None
    return "- " if numbered or style.startswith("List") else ""


def _table_lines(table: Table) -> Iterator[str]:
    rows: list[list[str]] = []
    for row in table.rows:
        # A merged cell is listed once for each column that it spans.
        spanned = itertools.groupby(row.cells, key=lambda cell: id(cell._tc))  # noqa: SLF001 - the cell's identity
        cells = [" ".join(next(group).text.split()) for _, group in spanned]
        if any(cells):
            rows.append(cells)
    has_head = bool(table.rows) and bool(table.rows[0]._tr.xpath("./w:trPr/w:tblHeader"))  # noqa: SLF001 - no public way
    yield from render_table(rows, has_head=has_head)


def _join_lists(blocks: Iterator[tuple[str, bool]]) -> Iterator[str]:
    """Join neighbouring items of a list into one block."""
    items: list[str] = []
    for text, is_item in blocks:
        if is_item:
            items.append(text)
            continue
        if items:
            yield "\n".join(items)
            items = []
        if text:
            yield text
    if items:
        yield "\n".join(items)
