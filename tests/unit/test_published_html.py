"""The page of a deliverable: untrusted text stays text, marks lead to what they rest on, and the colours can be read."""

from __future__ import annotations

import base64
import hashlib
import itertools
import re
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import html

from frasier.interfaces.deliverable_rendering.html_page import render_html
from frasier.interfaces.deliverable_rendering.published_text import CitedSource, TextNotice
from support.published import BUDGET, OFFER, SOURCES, VALID, doubtful, published, statement

WCAG_AA = 4.5


def page(markdown: str, *statements, **fields):
    """The parsed page of a text."""
    return html.document_fromstring(render_html(published(markdown, *statements, **fields)))


def words(element) -> str:
    return " ".join(element.text_content().split())


def note_of(link):
    """The note that a mark shows."""
    (note,) = link.xpath(f"//*[@id='{link.get('aria-describedby')}']")
    assert note.getparent() is link.getparent(), "the style sheet shows the note of a mark beside it"
    return note


def cites(document):
    return document.xpath("//article//*[@class='cite']/a")


def test_a_citation_leads_to_its_source_and_shows_the_passages_of_its_statement() -> None:
    text = "A valve costs 48.50 EUR. [1] The budget is 5,200 EUR. [2]\n"
    document = page(
        text,
        statement("A valve costs 48.50 EUR. [1]"),
        statement("The budget is 5,200 EUR. [2]", cited=(2,), passages=(BUDGET,)),
    )
    first, second = cites(document)
    assert (first.text, first.get("href")) == ("[1]", "#source-1")
    assert (
        words(note_of(first)) == "[1] Offer of <Zephyr>A valve costs 48.50 EUR & no less. line 4, under Offer"
    )
    assert "The budget is 5,200 EUR <b>a quarter</b>. row 3" in words(note_of(second))
    (source,) = document.xpath("//*[@id='source-2']")
    assert words(source).startswith("[2] Budget https://example.org/budget?a=1&b=2 The budget is")


def test_each_number_of_a_mark_is_a_link_with_the_passages_of_its_own_source() -> None:
    text = "Valves fit the budget. [1, 2]\n"
    first, second = cites(
        page(text, statement(text.strip(), cited=(1, 2), passages=(OFFER, BUDGET))),
    )
    assert (first.get("href"), second.get("href")) == ("#source-1", "#source-2")
    assert "48.50" in words(note_of(first))
    assert "5,200" not in words(note_of(first))
    assert "5,200" in words(note_of(second))


def test_a_statement_that_rests_on_the_mark_of_the_next_one_is_shown_there() -> None:
    (mark,) = cites(
        page(
            "A valve costs 48.50 EUR. The offer is valid until 2026-09-30. [1]\n",
            statement("A valve costs 48.50 EUR."),
            statement("The offer is valid until 2026-09-30. [1]", passages=(VALID,)),
        )
    )
    assert "48.50 EUR" in words(note_of(mark))
    assert "30 September 2026" in words(note_of(mark))


def test_a_number_that_no_source_has_is_no_link() -> None:
    document = page("It happened. [2026]\n")
    assert cites(document) == []
    assert "It happened. [2026]" in words(document.xpath("//article")[0])


def test_a_doubtful_statement_is_marked_and_says_why() -> None:
    text = "## Offer\n\nIt is fine. [1]\n\nZephyr offers **12.34 EUR** only. [1]\n"
    document = page(text, statement("It is fine. [1]"), doubtful("Zephyr offers **12.34 EUR** only. [1]"))
    (mark,) = document.xpath("//article//*[@class='doubt']/a")
    assert (mark.text, mark.get("href")) == ("doubtful", "#doubtful-1")
    assert "the cited sources do not have “12.34”" in words(note_of(mark))
    assert "A valve costs 48.50 EUR & no less. [1], line 4" in words(note_of(mark))
    assert [run.text for run in document.xpath("//article//*[@class='doubted']")] == [
        "Zephyr offers ",
        "12.34 EUR",
        " only. ",
    ]
    (entry,) = document.xpath("//*[@id='doubtful-1']")
    assert "the cited sources do not have “12.34”" in words(entry)
    assert "Verified 1 of 2 statements; 1 marked as doubtful" in words(document.xpath("//header")[0])


@pytest.mark.parametrize(
    ("markdown", "of"),
    [
        ("# Title\n\n## A heading of 12.34 EUR\n\nText.\n", "## A heading of 12.34 EUR"),
        ("| Who | What |\n|---|:-:|\n| Zephyr | 12.34 EUR [1] |\n", "| Zephyr | 12.34 EUR [1] |"),
        ("> The price is 12.34 EUR.\n", "> The price is 12.34 EUR."),
        ("- a\n  1. The price is\n     12.34 EUR.\n", "The price is 12.34 EUR."),
        ("_The price_ is 12.34 EUR._Really_\n", "_The price_ is 12.34 EUR._Really_"),
        ("`12.34` EUR it is.\n", "`12.34` EUR it is."),
    ],
)
def test_wherever_a_doubtful_statement_stands_its_text_is_marked_and_stays_as_it_is(
    markdown: str, of: str
) -> None:
    plain, document = page(markdown, statement(of)), page(markdown, doubtful(of))
    (mark,) = document.xpath("//article//*[@class='doubt']/a")
    assert document.xpath("//article//*[@class='doubted']")
    mark.getparent().drop_tree()
    assert words(document.xpath("//article")[0]) == words(plain.xpath("//article")[0])
    tags = [
        [one.tag for one in each.xpath("//article//*") if one.tag != "span"] for each in (document, plain)
    ]
    assert tags[0] == tags[1]


def test_an_own_conclusion_is_said_to_be_one() -> None:
    text = "So they are cheap. [conclusion] Not `x [conclusion]`.\n"
    document = page(text, statement("So they are cheap. [conclusion]", "conclusion", cited=(), passages=()))
    (mark,) = document.xpath("//article//*[@class='conclusion']")
    assert words(mark) == "own conclusion"
    assert document.xpath("//code/text()") == ["x [conclusion]"]


def test_marks_in_code_are_text() -> None:
    text = "See `a [1] b`. [1]\n\n```py [1]\nx = y[1]\n```\n\n    z[1]\n"
    document = page(text, doubtful("See `a [1] b`. [1]"))
    assert len(cites(document)) == 1
    assert [code.text for code in document.xpath("//code")] == ["a [1] b", "x = y[1]\n", "z[1]\n"]


def test_html_is_text_images_are_links_and_links_lead_to_the_web_or_a_mail() -> None:
    document = page(
        "<script>alert(1)</script> <img src=x onerror=y>\n\n<div>\n\n</div>\n\n"
        "![x](http://evil.example/a.png) [a](javascript:alert(1)) [b](data:text/html,x) [c](//evil.example) "
        '[d](steps/x.md) [e](https://example.org/?a="b") [f](mailto:a@example.org) <https://example.org/z>\n'
    )
    article = document.xpath("//article")[0]
    assert not article.xpath(".//script | .//img | .//div")
    assert "<script>alert(1)</script> <img src=x onerror=y>" in words(article)
    assert article.xpath(".//a/@href") == [
        "http://evil.example/a.png",
        "https://example.org/?a=%22b%22",
        "mailto:a@example.org",
        "https://example.org/z",
    ]


def test_foreign_titles_places_and_reasons_are_text() -> None:
    attack = '"><script>alert(1)</script>'
    source = CitedSource(number=1, title=attack, uri=f"https://example.org/{attack}", passages=())
    document = page(
        "It costs 5. [1]\n",
        doubtful("It costs 5. [1]", attack),
        sources=[source],
        notices=(TextNotice(label="Degraded", text=attack),),
        uncited=(attack,),
        unreadable=(attack,),
    )
    assert not document.xpath("//script")
    assert document.xpath("//*[@id='source-1']//a/@href") == [f"https://example.org/{attack}"]


def test_only_the_web_is_linked_from_the_list_of_sources() -> None:
    source = CitedSource(number=1, title="x", uri="javascript:alert(1)", passages=())
    assert not page("It costs 5. [1]\n", sources=[source]).xpath("//*[@id='source-1']//a")


def test_the_policy_of_the_page_permits_its_own_style_and_nothing_else() -> None:
    document = page("Text.\n")
    (policy,) = document.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    (style,) = document.xpath("//style/text()")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert policy == (f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'")
    assert not document.xpath("//*[@style]")
    assert "url(" not in style
    assert "@import" not in style


def test_the_contents_of_a_long_text_lead_to_its_headings() -> None:
    text = "# Valves\n\n" + "".join(f"## Part\n\n### Sub *{n}*\n\nText.\n\n" for n in range(3))
    document = page(text, statement("Text."))
    links = document.xpath("//nav//a")
    assert [words(link) for link in links] == [
        *("Part", "Sub 0", "Part", "Sub 1", "Part", "Sub 2"),
        "Sources",
    ]
    for link in links:
        assert document.xpath(f"//*[@id='{link.get('href')[1:]}']"), link.get("href")
    assert not page("# Valves\n\n## Price\n\nText.\n").xpath("//nav")


@pytest.mark.parametrize(
    ("markdown", "levels"),
    [
        ("# Title\n\n## A\n\n### B\n\n## C\n", [1, 2, 3, 2]),
        ("## A\n\n#### B\n\n#### C\n\n### D\n", [1, 2, 3, 3, 3]),
        ("# Title\n\n# A\n\n## B\n\n# C\n", [1, 2, 3, 2]),
        ("> ## quoted\n\n- # item\n\n# Late\n", [1, 2]),
        ("# \n\n## A\n", [1, 2]),
    ],
)
def test_headings_have_one_title_and_skip_no_level(markdown: str, levels: list[int]) -> None:
    document = page(markdown, sources=())
    assert [int(heading.tag[1]) for heading in document.xpath("//h1|//h2|//h3|//h4")] == levels
    assert words(document.xpath("//h1")[0])
    assert document.xpath("//title/text()")


def test_what_was_left_out_is_said_at_the_end() -> None:
    document = page("Text.\n", uncited=("other.md",), unreadable=("x.bin: no text",))
    (last,) = document.xpath("//section[last()]")
    assert words(last) == (
        "Left out At hand, but not cited (1 of 3): other.md Not readable, so left out (1): x.bin: no text"
    )


_PIECES = [
    *(
        "[1]",
        "[2]",
        "[1, 2]",
        "[doubtful]",
        "[99]",
        "It costs 5.",
        "Zephyr",
        "**",
        "_",
        "`",
        "```",
        "\n",
        "\n\n",
    ),
    *(
        "- ",
        "1. ",
        "> ",
        "# ",
        "| a | b |\n|---|--:|\n| ",
        " | ",
        "    ",
        "![",
        "[x](",
        ")",
        "]",
        "\\",
        "<b>",
    ),
    *("<script>", "javascript:x", "http://e.example", "&lt;", "\ue000", "[\ue0000\ue001]", "\x0b", "é", "~~"),
]


@given(st.lists(st.sampled_from(_PIECES), max_size=40).map("".join), st.data())
def test_no_combination_of_pieces_breaks_the_page(markdown: str, data: st.DataObject) -> None:
    lines = [line.strip() for line in markdown.splitlines() if line.strip()]
    drawn = data.draw(st.lists(st.sampled_from(lines), max_size=4)) if lines else []
    document = page(markdown, *(doubtful(line) if len(line) % 2 else statement(line) for line in drawn))
    assert not document.xpath("//script | //img | //iframe | //*[@style]")
    for link in document.xpath("//a/@href"):
        assert re.match(r"https?://|mailto:|#", link), link
    ids = document.xpath("//@id")
    assert len(ids) == len(set(ids))
    for target in (
        *document.xpath("//@aria-describedby"),
        *(link[1:] for link in document.xpath("//a/@href")),
    ):
        assert target in ids or not target.startswith(("note", "source", "doubtful", "text-"))
    assert not re.search("[\ue000\ue001]", document.xpath("//article")[0].text_content())


def _colours(sheet: str) -> dict[str, str]:
    return dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", sheet))


def _luminance(colour: str) -> float:
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_colour_can_be_read_on_every_ground(theme: str) -> None:
    sheet = files("frasier.interfaces.deliverable_rendering").joinpath("page.css").read_text("utf-8")
    light, dark = sheet.split("@media (prefers-color-scheme: dark)", 1)
    colours = _colours(light) | (_colours(dark) if theme == "dark" else {})
    grounds = {name for name in colours if name.endswith(("ground", "raised"))}
    for name, ground in itertools.product(sorted(colours.keys() - grounds - {"line"}), sorted(grounds)):
        high, low = sorted((_luminance(colours[name]), _luminance(colours[ground])), reverse=True)
        assert (high + 0.05) / (low + 0.05) >= WCAG_AA, f"{name} on {ground}"


def test_sources_have_what_was_compared_with_them() -> None:
    document = page("It costs 5. [1]\n")
    quoted = document.xpath("//*[@id='source-1']//q/text()")
    assert quoted == [passage.text for passage in SOURCES[0].passages]
