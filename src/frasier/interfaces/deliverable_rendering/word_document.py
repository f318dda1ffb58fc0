"""A published text as a DOCX document, with a table of its sources and one of its doubtful statements."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from io import BytesIO
from itertools import count

import docx
from docx.document import Document
from docx.oxml.ns import qn
from docx.shared import Cm, Length, Pt
from docx.table import _Cell
from docx.text.paragraph import Paragraph
from docx.text.run import Run

from frasier.interfaces.deliverable_rendering.annotated_markdown import annotated_tokens
from frasier.interfaces.deliverable_rendering.messages import Messages
from frasier.interfaces.deliverable_rendering.outline import plain_text, read_outline
from frasier.interfaces.deliverable_rendering.published_text import PublishedText
from frasier.interfaces.deliverable_rendering.word_body import WordBody
from frasier.interfaces.deliverable_rendering.word_parts import (
    add_bookmark,
    add_page_number,
    link_to_address,
    repeat_first_row,
)
from frasier.llm import CarryingPassage

_TITLE_CHARS = 255  # as many as a property of a document may have
_TABLE_TEXT = Pt(9)

Fill = Callable[[_Cell], None]


def render_word(text: PublishedText) -> bytes:
    """Return the document."""
    outline = read_outline(annotated_tokens(text), title=text.title)
    document = docx.Document()
    _set_up(document, text, title=plain_text(outline.title))
    body = WordBody(document, outline, [source.number for source in text.sources], text.messages)
    body.write_title()
    for notice in text.notices:
        paragraph = document.add_paragraph()
        paragraph.add_run(f"{notice.label}. ").bold = True
        paragraph.add_run(notice.text)
    if text.verdict:
        document.add_paragraph().add_run(f"{text.headline}.").italic = True
    body.write_body()
    bookmarks = count()
    _add_doubts(document, text, bookmarks)
    _add_sources(document, text, bookmarks)
    if text.left_out:
        document.add_heading(text.messages.text("left_out"), level=1)
        for line in text.left_out:
            document.add_paragraph(line)
    file = BytesIO()
    document.save(file)
    return file.getvalue()


def _set_up(document: Document, text: PublishedText, *, title: str) -> None:
    """Set the properties, in place of the template's own, and the page."""
    properties = document.core_properties
    properties.title = (title or text.title)[:_TITLE_CHARS]
    properties.language = text.language
    # Agents wrote it, and provenance.json names them.
    properties.author = properties.last_modified_by = properties.comments = ""
    properties.identifier = text.mission
    properties.created = properties.modified = text.completed_at
    if text.language:
        for language in document.styles.element.xpath("w:docDefaults//w:lang"):
            language.set(qn("w:val"), text.language)
    (section,) = document.sections
    section.page_width, section.page_height = Cm(21), Cm(29.7)
    section.left_margin = section.right_margin = Cm(2.5)
    add_page_number(section.footer.paragraphs[0])


def _add_doubts(document: Document, text: PublishedText, bookmarks: Iterator[int]) -> None:
    if not text.verdict:
        return
    title = text.messages.text("doubtful_statements" if text.doubtful else "verification")
    document.add_heading(title, level=1)
    document.add_paragraph(text.verdict)
    if not text.doubtful:
        return
    rows: list[Sequence[Fill]] = [
        (
            _bookmarked(bookmarks, f"doubtful-{position}", str(position)),
            _lines([statement.text]),
            _lines([text.messages.stored(reason) for reason in statement.findings]),
            _lines([_quotation(passage, text.messages, with_number=True) for passage in statement.passages]),
        )
        for position, statement in enumerate(text.doubtful, start=1)
    ]
    names = ("number", "statement", "why_it_is_doubtful", "what_the_sources_say")
    _add_table(
        document,
        [text.messages.text(name) for name in names],
        rows,
        widths=(Cm(1.2), Cm(4.6), Cm(4.6), Cm(5.6)),
    )


def _add_sources(document: Document, text: PublishedText, bookmarks: Iterator[int]) -> None:
    if not text.sources:
        return
    document.add_heading(text.messages.text("sources"), level=1)
    rows: list[Sequence[Fill]] = [
        (
            _bookmarked(bookmarks, f"source-{source.number}", f"[{source.number}]"),
            _lines([source.title]),
            _place(source.uri),
            _lines([_quotation(passage, text.messages) for passage in source.passages]),
        )
        for source in text.sources
    ]
    names = ("number", "source", "place", "quoted_passages")
    _add_table(
        document,
        [text.messages.text(name) for name in names],
        rows,
        widths=(Cm(1.2), Cm(3.6), Cm(3.6), Cm(7.6)),
    )


def _add_table(
    document: Document, heads: Sequence[str], rows: Sequence[Sequence[Fill]], *, widths: Sequence[Length]
) -> None:
    table = document.add_table(rows=1 + len(rows), cols=len(heads))
    table.autofit = False
    for column, width in zip(table.columns, widths, strict=True):
        column.width = width
    for row, fills in zip(table.rows, [[_lines([head]) for head in heads], *rows], strict=True):
        for cell, fill, width in zip(row.cells, fills, widths, strict=True):
            cell.width = width
            fill(cell)
    repeat_first_row(table)


def _lines(lines: Sequence[str]) -> Fill:
    def fill(cell: _Cell) -> None:
        for at, line in enumerate(lines):
            _small(cell.add_paragraph() if at else cell.paragraphs[0], line)

    return fill


def _bookmarked(bookmarks: Iterator[int], name: str, label: str) -> Fill:
    def fill(cell: _Cell) -> None:
        _small(cell.paragraphs[0], label)
        add_bookmark(cell.paragraphs[0], name, number=next(bookmarks))

    return fill


def _place(uri: str) -> Fill:
    def fill(cell: _Cell) -> None:
        paragraph = cell.paragraphs[0]
        run = _small(paragraph, uri)
        if uri.lower().startswith(("http://", "https://")):
            link_to_address(paragraph, [run], uri)

    return fill


def _small(paragraph: Paragraph, text: str) -> Run:
    run = paragraph.add_run(text)
    run.font.size = _TABLE_TEXT
    return run


def _quotation(passage: CarryingPassage, messages: Messages, *, with_number: bool = False) -> str:
    number = f"[{passage.number}]" if with_number else ""
    place = ", ".join(part for part in (number, messages.place(passage.location)) if part)
    return f"“{passage.text}”" + (f" ({place})" if place else "")
