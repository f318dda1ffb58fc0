"""The body of a text as paragraphs, lists and tables of a DOCX document."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from docx.document import Document
from docx.enum.text import WD_ALIGN_PARAGRAPH, WD_COLOR_INDEX
from docx.shared import Cm, Pt
from docx.text.paragraph import Paragraph
from docx.text.run import Run
from markdown_it.tree import SyntaxTreeNode

from frasier.interfaces.deliverable_rendering.annotated_markdown import Citation, Doubt
from frasier.interfaces.deliverable_rendering.messages import ENGLISH, Messages
from frasier.interfaces.deliverable_rendering.outline import WIDE_TABLE_COLUMNS, TextOutline
from frasier.interfaces.deliverable_rendering.word_parts import (
    add_rule,
    fit_columns,
    link_to_address,
    link_to_bookmark,
    new_numbering,
    repeat_first_row,
    set_numbering,
    text_width,
    turn_page,
)

_LIST_LEVELS = 3  # as many as the template has styles for
_INDENT = Cm(0.6)
_CODE_FONT = "Courier New"
_HEADING_LEVELS = 9
_WIDE_TABLE_TEXT = Pt(8)
_ALIGNMENTS = {
    "text-align:left": WD_ALIGN_PARAGRAPH.LEFT,
    "text-align:center": WD_ALIGN_PARAGRAPH.CENTER,
    "text-align:right": WD_ALIGN_PARAGRAPH.RIGHT,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """The surroundings of a block: the styles of a list's items and of what follows in them, the depth of quotes."""

    style: str = ""
    continued: str = ""
    numbering: int = 0
    lists: int = 0
    quotes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Form:
    """The form of a run of text."""

    bold: bool = False
    italic: bool = False
    struck: bool = False
    address: str = ""


class WordBody:
    """Writes the tokens of a text into a document; citations and doubts lead to bookmarks of their names."""

    def __init__(
        self,
        document: Document,
        outline: TextOutline,
        sources: Collection[int],
        messages: Messages = ENGLISH,
    ) -> None:
        self._document = document
        self._messages = messages
        self._outline = outline
        self._sources = set(sources)
        self._ranks = {id(outline.body[at]): heading.rank for at, heading in outline.headings.items()}

    def write_title(self) -> None:
        title = self._document.add_heading(level=0)
        for node in SyntaxTreeNode(self._outline.title).children:
            self._inline(title, node, _Form())

    def write_body(self) -> None:
        self._blocks(SyntaxTreeNode(self._outline.body), _Place())

    def _blocks(self, parent: SyntaxTreeNode, place: _Place) -> None:
        for node in parent.children:
            match node.type:
                case "heading":
                    self._heading(node, place)
                case "paragraph":
                    self._fill(self._paragraph(place), node, _Form())
                    place = replace(place, style=place.continued, numbering=0)
                case "bullet_list" | "ordered_list":
                    self._list(node, place)
                case "blockquote":
                    self._blocks(node, replace(place, quotes=place.quotes + 1))
                case "table":
                    self._table(node)
                case "fence" | "code_block":
                    self._code(node.content, place)
                case "hr":
                    add_rule(self._document.add_paragraph())
                case _:
                    self._blocks(node, place)

    def _paragraph(self, place: _Place) -> Paragraph:
        style = place.style or ("Quote" if place.quotes else None)
        paragraph = self._document.add_paragraph(style=style)
        if place.numbering:
            set_numbering(paragraph, place.numbering)
        deeper = max(place.lists - _LIST_LEVELS, 0) + max(place.quotes - (0 if place.lists else 1), 0)
        if deeper:
            indent = min(place.lists, _LIST_LEVELS) + deeper
            paragraph.paragraph_format.left_indent = indent * _INDENT
        return paragraph

    def _heading(self, node: SyntaxTreeNode, place: _Place) -> None:
        opening = node.nester_tokens.opening if node.nester_tokens else None
        rank = self._ranks.get(id(opening))
        if rank is None:
            self._fill(self._paragraph(place), node, _Form(bold=True))
        else:
            self._fill(self._document.add_heading(level=min(rank, _HEADING_LEVELS)), node, _Form())

    def _list(self, node: SyntaxTreeNode, place: _Place) -> None:
        level = min(place.lists + 1, _LIST_LEVELS)
        suffix = f" {level}" if level > 1 else ""
        style = ("List Number" if node.type == "ordered_list" else "List Bullet") + suffix
        numbering = 0
        if node.type == "ordered_list":
            numbering = new_numbering(self._document, style, start=int(node.attrs.get("start", 1)))
        for item in node.children:
            self._blocks(
                item,
                _Place(
                    style=style,
                    continued=f"List Continue{suffix}",
                    numbering=numbering,
                    lists=place.lists + 1,
                    quotes=place.quotes,
                ),
            )

    def _table(self, node: SyntaxTreeNode) -> None:
        rows = [row for part in node.children for row in part.children]
        is_wide = len(rows[0].children) >= WIDE_TABLE_COLUMNS
        if is_wide:
            turn_page(self._document)
        table = self._document.add_table(rows=len(rows), cols=len(rows[0].children))
        for row, cells in zip(rows, table.rows, strict=True):
            for cell, filled in zip(row.children, cells.cells, strict=True):
                paragraph = filled.paragraphs[0]
                paragraph.alignment = _ALIGNMENTS.get(str(cell.attrs.get("style", "")))
                self._fill(paragraph, cell, _Form())
                for run in paragraph.runs if is_wide else ():
                    run.font.size = _WIDE_TABLE_TEXT
        fit_columns(table, text_width(self._document))
        repeat_first_row(table)
        if is_wide:
            turn_page(self._document)
        else:
            self._document.add_paragraph()

    def _code(self, content: str, place: _Place) -> None:
        run = self._paragraph(replace(place, style=place.continued, numbering=0)).add_run(
            content.rstrip("\n")
        )
        run.font.name = _CODE_FONT

    def _fill(self, paragraph: Paragraph, node: SyntaxTreeNode, form: _Form) -> None:
        for inline in node.children:
            for child in inline.children:
                self._inline(paragraph, child, form)

    def _inline(self, paragraph: Paragraph, node: SyntaxTreeNode, form: _Form) -> None:
        match node.type:
            case "strong" | "em" | "s" | "link":
                for child in node.children:
                    self._inline(paragraph, child, _nested(form, node))
            case "citation":
                self._citation(paragraph, node.meta["citation"])
            case "doubt":
                self._doubt(paragraph, node.meta["doubt"])
            case "conclusion":
                paragraph.add_run(f"[{self._messages.text('own_conclusion')}]").italic = True
            case "hardbreak":
                paragraph.add_run().add_break()
            case "softbreak":
                self._run(paragraph, " ", form)
            case _:
                run = self._run(paragraph, node.content, form)
                if node.type == "code_inline":
                    run.font.name = _CODE_FONT
                if node.meta.get("doubtful"):
                    run.font.highlight_color = WD_COLOR_INDEX.YELLOW

    def _run(self, paragraph: Paragraph, text: str, form: _Form) -> Run:
        run = paragraph.add_run(text)
        run.bold, run.italic = form.bold or None, form.italic or None
        run.font.strike = form.struck or None
        if form.address:
            link_to_address(paragraph, [run], form.address)
        return run

    def _citation(self, paragraph: Paragraph, citation: Citation) -> None:
        run = paragraph.add_run(f"[{citation.number}]")
        if citation.number in self._sources:
            run.font.superscript = True
            link_to_bookmark(paragraph, [run], f"source-{citation.number}")

    def _doubt(self, paragraph: Paragraph, doubt: Doubt) -> None:
        paragraph.add_run(" ")
        run = paragraph.add_run(f"[{self._messages.text('doubtful')}]")
        run.bold, run.font.highlight_color = True, WD_COLOR_INDEX.YELLOW
        link_to_bookmark(paragraph, [run], f"doubtful-{doubt.position}")


def _nested(form: _Form, node: SyntaxTreeNode) -> _Form:
    match node.type:
        case "strong":
            return replace(form, bold=True)
        case "em":
            return replace(form, italic=True)
        case "s":
            return replace(form, struck=True)
        case _:
            return replace(form, address=str(node.attrs["href"]))
