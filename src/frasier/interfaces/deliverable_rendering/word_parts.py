"""Parts of a DOCX document that python-docx has no call for: links, bookmarks, restarted lists, repeated heads."""

from __future__ import annotations

from collections.abc import Sequence

from docx.document import Document
from docx.enum.section import WD_ORIENT
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Length, Pt, RGBColor
from docx.table import Table
from docx.text.paragraph import Paragraph
from docx.text.run import Run

_LINK_COLOUR = RGBColor(0x0A, 0x58, 0xA8)
# A column is not narrower than a short word, and not wider than a line.
_COLUMN_CHARS_MIN, _COLUMN_CHARS_MAX = 6, 40


def link_to_address(paragraph: Paragraph, runs: Sequence[Run], address: str) -> None:
    """Make runs at the end of a paragraph a link to an address."""
    relation = paragraph.part.relate_to(address, RELATIONSHIP_TYPE.HYPERLINK, is_external=True)
    _enclose(paragraph, runs, {"r:id": relation})
    for run in runs:
        run.font.underline = True


def link_to_bookmark(paragraph: Paragraph, runs: Sequence[Run], name: str) -> None:
    """Make runs at the end of a paragraph a link to a bookmark of the document."""
    _enclose(paragraph, runs, {"w:anchor": name, "w:history": "1"})


def _enclose(paragraph: Paragraph, runs: Sequence[Run], attributes: dict[str, str]) -> None:
    link = OxmlElement("w:hyperlink")
    for name, value in attributes.items():
        link.set(qn(name), value)
    for run in runs:
        run.font.color.rgb = _LINK_COLOUR
        link.append(run.font.element)
    paragraph.paragraph_format.element.append(link)


def add_bookmark(paragraph: Paragraph, name: str, *, number: int) -> None:
    """Put a bookmark around the contents of a paragraph; each has a number of its own."""
    start, end = OxmlElement("w:bookmarkStart"), OxmlElement("w:bookmarkEnd")
    for element in (start, end):
        element.set(qn("w:id"), str(number))
    start.set(qn("w:name"), name)
    content = paragraph.paragraph_format.element
    content.insert(1 if content.pPr is not None else 0, start)
    content.append(end)


def new_numbering(document: Document, style: str, *, start: int) -> int:
    """Return the id of a new numbering for a list of a style, which begins with `start`."""
    numbering = document.part.numbering_part.element
    styled = document.styles[style].element.pPr.numPr.numId.val
    number = numbering.add_num(numbering.num_having_numId(styled).abstractNumId.val)
    number.add_lvlOverride(ilvl=0).add_startOverride(start)
    return int(number.numId)


def set_numbering(paragraph: Paragraph, numbering: int) -> None:
    """Let a paragraph count in the numbering of this id."""
    properties = paragraph.paragraph_format.element.get_or_add_pPr().get_or_add_numPr()
    properties.get_or_add_ilvl().val = 0
    properties.get_or_add_numId().val = numbering


def repeat_first_row(table: Table) -> None:
    """Repeat the head of a table on every page."""
    row = table.rows[0]
    for cell in row.cells:
        for run in (run for paragraph in cell.paragraphs for run in paragraph.runs):
            run.bold = True
    table.style = "Table Grid"
    properties = table._tbl.tr_lst[0].get_or_add_trPr()  # noqa: SLF001 (there is no public way to a row's element)
    properties.append(OxmlElement("w:tblHeader"))


def fit_columns(table: Table, width: Length) -> None:
    """Divide a width among the columns by the lengths of their texts and words, and keep each row on one page."""
    texts = [[cell.text for cell in column.cells] for column in table.columns]
    weights = [
        max(_COLUMN_CHARS_MIN, *(min(_COLUMN_CHARS_MAX, len(text)) for text in column)) for column in texts
    ]
    table.autofit = False
    widths = [Length(width * weight // sum(weights)) for weight in weights]
    for column, share in zip(table.columns, widths, strict=True):
        column.width = share
    for row in table.rows:
        for cell, share in zip(row.cells, widths, strict=True):
            cell.width = share
        row._tr.get_or_add_trPr().append(OxmlElement("w:cantSplit"))  # noqa: SLF001 (there is no public way to a row's element)


def text_width(document: Document) -> Length:
    """Return the width of the page between its margins."""
    section = document.sections[-1]
    lengths = (section.page_width, section.left_margin, section.right_margin)
    whole, left, right = (length or Length(0) for length in lengths)
    return Length(whole - left - right)


def turn_page(document: Document) -> None:
    """Begin a page that lies where the one before stands, or the other way round."""
    section = document.add_section()
    # The paragraph that ends the section has no room of its own, which might take another page.
    ending = document.paragraphs[-1].paragraph_format
    ending.space_before, ending.space_after, ending.line_spacing = Pt(0), Pt(0), Pt(1)
    section.page_width, section.page_height = section.page_height, section.page_width
    is_wide = section.page_width > section.page_height
    section.orientation = WD_ORIENT.LANDSCAPE if is_wide else WD_ORIENT.PORTRAIT


def add_page_number(paragraph: Paragraph) -> None:
    """Add the number of the page, which whoever shows the document computes."""
    field = OxmlElement("w:fldSimple")
    field.set(qn("w:instr"), "PAGE")
    field.append(paragraph.add_run("1").font.element)
    paragraph.paragraph_format.element.append(field)


def add_rule(paragraph: Paragraph) -> None:
    """Draw a line below a paragraph."""
    borders, line = OxmlElement("w:pBdr"), OxmlElement("w:bottom")
    for name, value in (("val", "single"), ("sz", "6"), ("space", "1"), ("color", "808080")):
        line.set(qn(f"w:{name}"), value)
    borders.append(line)
    paragraph.paragraph_format.element.get_or_add_pPr().append(borders)
