"""The DOCX document of a deliverable, read back: structure, marks, links, properties, and the table of sources."""

from __future__ import annotations

from datetime import UTC, datetime
from io import BytesIO
from zipfile import ZipFile

import docx
import pytest
from docx.document import Document
from docx.enum.text import WD_ALIGN_PARAGRAPH, WD_COLOR_INDEX
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml.ns import qn
from docx.shared import Cm, Pt
from docx.text.paragraph import Paragraph
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from frasier.interfaces.deliverable_rendering.outline import WIDE_TABLE_COLUMNS
from frasier.interfaces.deliverable_rendering.published_text import TextNotice
from frasier.interfaces.deliverable_rendering.word_document import render_word
from support.published import BUDGET, doubtful, published, statement


def document_of(markdown: str, *statements, **fields) -> Document:
    return docx.Document(BytesIO(render_word(published(markdown, *statements, **fields))))


def styled(document: Document) -> list[tuple[str, str]]:
    """The paragraphs with a text: the names of their styles, and their texts."""
    return [(str(one.style.name), one.text) for one in document.paragraphs if one.text]


def body(document: Document) -> list[tuple[str, str]]:
    """Title and text, without what follows them."""
    paragraphs = styled(document)
    ends = [
        at
        for at, (_, text) in enumerate(paragraphs)
        if text in {"Verification", "Doubtful statements", "Sources"}
    ]
    return paragraphs[: min(ends, default=None)]


def paragraph_with(document: Document, text: str) -> Paragraph:
    return next(one for one in document.paragraphs if text in one.text)


def anchors(paragraph: Paragraph) -> list[tuple[str, str]]:
    """The links within a document: their texts and targets."""
    return [(link.text, link.fragment) for link in paragraph.hyperlinks if not link.address]


def bookmarks(document: Document) -> list[str]:
    return document.element.body.xpath(".//w:bookmarkStart/@w:name")


def rows(table) -> list[list[str]]:
    return [[cell.text for cell in row.cells] for row in table.rows]


def test_headings_paragraphs_quotes_and_code_have_their_styles() -> None:
    text = (
        "# Valves\n\n## Price\n\nOne\ntwo.\n\n### Detail\n\n> quoted\n\n```\na\n  b\n```\n\n## End\n\nLast.\n"
    )
    document = document_of(text, sources=())
    assert styled(document) == [
        ("Title", "Valves"),
        ("Heading 1", "Price"),
        ("Normal", "One two."),
        ("Heading 2", "Detail"),
        ("Quote", "quoted"),
        ("Normal", "a\n  b"),
        ("Heading 1", "End"),
        ("Normal", "Last."),
    ]
    (code,) = paragraph_with(document, "  b").runs
    assert code.font.name == "Courier New"


def test_bold_italic_struck_and_code_are_runs_of_that_form() -> None:
    paragraph = paragraph_with(document_of("A **b *c*** ~~d~~ `e`.\n", sources=()), "A b")
    forms = {run.text: (run.bold, run.italic, run.font.strike, run.font.name) for run in paragraph.runs}
    assert forms["b "] == (True, None, None, None)
    assert forms["c"] == (True, True, None, None)
    assert forms["d"] == (None, None, True, None)
    assert forms["e"] == (None, None, None, "Courier New")


def test_lists_nest_and_each_ordered_one_counts_anew() -> None:
    text = "- a\n  1. b\n  2. c\n     - d\n       - e\n\n- f\n\n  g\n\nThen:\n\n3. h\n4. i\n"
    document = document_of(text, sources=())
    assert body(document)[1:] == [
        ("List Bullet", "a"),
        ("List Number 2", "b"),
        ("List Number 2", "c"),
        ("List Bullet 3", "d"),
        ("List Bullet 3", "e"),
        ("List Bullet", "f"),
        ("List Continue", "g"),
        ("Normal", "Then:"),
        ("List Number", "h"),
        ("List Number", "i"),
    ]
    numbers = {
        one.text: one.paragraph_format.element.pPr.numPr.numId.val
        for one in document.paragraphs
        if one.text in {"b", "c", "h", "i"}
    }
    assert numbers["b"] == numbers["c"] != numbers["h"] == numbers["i"]
    numbering = document.part.numbering_part.element
    starts = {name: numbering.num_having_numId(number).lvlOverride_lst[0] for name, number in numbers.items()}
    assert starts["b"].find(qn("w:startOverride")).get(qn("w:val")) == "1"
    assert starts["h"].find(qn("w:startOverride")).get(qn("w:val")) == "3"


def test_a_table_has_its_cells_a_repeated_head_and_its_alignment() -> None:
    text = "| What | Price |\n|---|--:|\n| **Valve** | 48.50 [1] |\n| short |\n"
    table = document_of(text).tables[0]
    assert rows(table) == [["What", "Price"], ["Valve", "48.50 [1]"], ["short", ""]]
    assert table.cell(1, 1).paragraphs[0].alignment == WD_ALIGN_PARAGRAPH.RIGHT
    assert table.cell(0, 0).paragraphs[0].runs[0].bold
    assert table.cell(1, 0).paragraphs[0].runs[0].bold
    assert table._tbl.xpath("./w:tr[1]/w:trPr/w:tblHeader")


def test_columns_are_as_wide_as_their_texts_and_a_row_stays_on_one_page() -> None:
    text = "| No. | What it is said to be for |\n|---|---|\n| 1 | It opens the valve at the tank |\n"
    table = document_of(text).tables[0]
    narrow, wide = (column.width for column in table.columns)
    assert 3 * narrow < wide
    assert narrow + wide == pytest.approx(Cm(16), rel=0.01)
    assert len(table._tbl.xpath("./w:tr/w:trPr/w:cantSplit")) == 2


def test_a_wide_table_stands_on_pages_across() -> None:
    row, rule = (f"|{f' {cell} |' * WIDE_TABLE_COLUMNS}" for cell in ("x", "---"))
    document = document_of(f"Before.\n\n{row}\n{rule}\n{row}\n\nAfter.\n")
    assert [section.page_width > section.page_height for section in document.sections] == [False, True, False]
    assert sum(column.width for column in document.tables[0].columns) > Cm(24)
    assert document.tables[0].cell(1, 0).paragraphs[0].runs[0].font.size == Pt(8)


def test_a_citation_is_raised_and_leads_to_the_row_of_its_source() -> None:
    text = "A valve costs 48.50 EUR. [1, 2] It happened. [2026]\n"
    document = document_of(text, statement("A valve costs 48.50 EUR. [1, 2]", cited=(1, 2)))
    paragraph = paragraph_with(document, "A valve")
    assert anchors(paragraph) == [("[1]", "source-1"), ("[2]", "source-2")]
    assert all(link.runs[0].font.superscript for link in paragraph.hyperlinks)
    assert paragraph.text.endswith("It happened. [2026]")
    assert bookmarks(document) == ["source-1", "source-2"]
    assert rows(document.tables[-1]) == [
        ["No.", "Source", "Place", "Quoted passages"],
        [
            "[1]",
            "Offer of <Zephyr>",
            "offers/zephyr.md",
            "\n".join(
                [
                    "“A valve costs 48.50 EUR & no less.” (line 4, under Offer)",
                    "“The offer is valid until 30 September 2026.”",
                ]
            ),
        ],
        [
            "[2]",
            "Budget",
            "https://example.org/budget?a=1&b=2",
            "“The budget is 5,200 EUR <b>a quarter</b>.” (row 3)",
        ],
    ]
    (link,) = document.tables[-1].cell(2, 2).paragraphs[0].hyperlinks
    assert link.url == "https://example.org/budget?a=1&b=2"


def test_a_doubtful_statement_is_highlighted_and_leads_to_its_reasons() -> None:
    text = "It is fine. [1]\n\nZephyr offers **12.34 EUR**. [2]\n"
    document = document_of(
        text,
        statement("It is fine. [1]"),
        doubtful("Zephyr offers **12.34 EUR**. [2]", cited=(2,), passages=(BUDGET,)),
    )
    paragraph = paragraph_with(document, "Zephyr offers")
    assert paragraph.text == "Zephyr offers 12.34 EUR. [2] [doubtful]"
    marked = [run.text for run in paragraph.runs if run.font.highlight_color == WD_COLOR_INDEX.YELLOW]
    assert marked == ["Zephyr offers ", "12.34 EUR", ". "]
    assert ("[doubtful]", "doubtful-1") in anchors(paragraph)
    assert not [run for run in paragraph_with(document, "It is fine").runs if run.font.highlight_color]
    assert rows(document.tables[0])[1] == [
        "1",
        "Zephyr offers **12.34 EUR**. [2]",
        "the cited sources do not have “12.34”",
        "“The budget is 5,200 EUR <b>a quarter</b>.” ([2], row 3)",
    ]
    texts = [text for _, text in styled(document)]
    assert "Verified 1 of 2 statements; 1 marked as doubtful." in texts


def test_an_own_conclusion_is_said_to_be_one() -> None:
    document = document_of("So they are cheap. [conclusion]\n", sources=())
    assert body(document)[1] == ("Normal", "So they are cheap. [own conclusion]")


def test_links_lead_to_the_web_or_a_mail_and_nothing_is_loaded() -> None:
    text = (
        "[a](https://example.org/?q=1) [b](mailto:x@example.org) [c](javascript:x) ![d](http://evil.example/d.png) "
        "<script>x</script>\n"
    )
    document = document_of(text, sources=())
    paragraph = paragraph_with(document, "[c]")
    assert [(link.text, link.url) for link in paragraph.hyperlinks] == [
        ("a", "https://example.org/?q=1"),
        ("b", "mailto:x@example.org"),
        ("d", "http://evil.example/d.png"),
    ]
    external = {rel.reltype for rel in document.part.rels.values() if rel.is_external}
    assert external == {RELATIONSHIP_TYPE.HYPERLINK}
    assert not document.inline_shapes


def test_properties_name_the_title_and_no_author() -> None:
    text = "# The *price* of valves\n\nText.\n"
    properties = document_of(text).core_properties
    assert properties.title == "The price of valves"
    assert (properties.author, properties.last_modified_by, properties.comments) == ("", "", "")
    assert properties.created == properties.modified == datetime(2026, 7, 10, 12, tzinfo=UTC)
    assert properties.language == "en"
    assert document_of("Text.\n").core_properties.title == "Valves"


def test_notices_come_first_and_what_was_left_out_last() -> None:
    document = document_of(
        "Text.\n",
        notices=(TextNotice(label="Rehearsal", text="No model."),),
        uncited=("other.md",),
        unreadable=("x.bin",),
    )
    assert styled(document)[1] == ("Normal", "Rehearsal. No model.")
    assert [text for _, text in styled(document)][-3:] == [
        "Left out",
        "At hand, but not cited (1 of 3): other.md",
        "Not readable, so left out (1): x.bin",
    ]


_PIECES = [
    *("[1]", "[1, 2]", "[99]", "It costs 5.", "**", "_", "`", "```", "\n", "\n\n", "~~", "---\n"),
    *("- ", "7. ", "> ", "# ", "| a | b |\n|---|--:|\n| ", " | ", "    ", "![", "[x](", ")", "\\", "<b>"),
    *("http://e.example", "&#12;", "&#x202e;", "&lt;", "\ue000", "\x0b", "\t", "é", "\U0001f375"),
]


@given(st.lists(st.sampled_from(_PIECES), max_size=40).map("".join), st.booleans())
def test_no_combination_of_pieces_breaks_the_document(markdown: str, doubted: bool) -> None:
    lines = [line.strip() for line in markdown.splitlines() if line.strip()][:3]
    statements = [doubtful(line) if doubted else statement(line) for line in lines]
    content = render_word(published(markdown, *statements))
    with ZipFile(BytesIO(content)) as parts:
        assert parts.testzip() is None
        for name in parts.namelist():
            if name.endswith((".xml", ".rels")):
                etree.fromstring(parts.read(name))
    document = docx.Document(BytesIO(content))
    names = bookmarks(document)
    assert len(names) == len(set(names))
    targets = document.element.body.xpath(".//w:hyperlink/@w:anchor")
    assert set(targets) <= set(names)
    numbers = document.element.body.xpath(".//w:bookmarkStart/@w:id")
    assert len(numbers) == len(set(numbers))


@pytest.mark.parametrize("depth", [4, 9])
def test_lists_deeper_than_the_styles_reach_are_indented(depth: int) -> None:
    text = "".join(f"{'  ' * level}- level {level}\n" for level in range(depth))
    document = document_of(text, sources=())
    indents = [
        paragraph_with(document, f"level {level}").paragraph_format.left_indent for level in range(depth)
    ]
    assert indents[:3] == [None, None, None]
    deeper = [int(indent) for indent in indents[3:] if indent is not None]
    assert len(deeper) == depth - 3
    assert deeper == sorted(set(deeper))
