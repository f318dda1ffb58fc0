"""The outline of a text in tokens: its title, and the ranks and anchors of its headings. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from markdown_it.token import Token

WIDE_TABLE_COLUMNS = 8
"""The columns from which a table is printed across the page."""

_ANCHOR_CHARS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """A heading below the title. `rank` counts from 1 and is at most one more than that of the heading before."""

    rank: int
    anchor: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TextOutline:
    """A text taken apart. `title` are the inline tokens of its title, `headings` those of `body` by index."""

    title: Sequence[Token]
    body: Sequence[Token]
    headings: dict[int, Heading]


def read_outline(tokens: Sequence[Token], *, title: str) -> TextOutline:
    """Take a text apart; `title` is the title of one that does not begin with its own."""
    title_tokens = [Token("text", "", 0, content=title)]
    if tokens and tokens[0].type == "heading_open" and tokens[0].tag == "h1":
        own = list(tokens[1].children or ())
        title_tokens, tokens = own if plain_text(own) else title_tokens, tokens[3:]
    headings: dict[int, Heading] = {}
    anchors: set[str] = set()
    above: list[int] = []
    for index, token in enumerate(tokens):
        # Headings within quotes and lists are not part of the outline.
        if token.type == "heading_open" and not token.level:
            level = int(token.tag.removeprefix("h"))
            above = [*(other for other in above if other < level), level]
            text = plain_text(tokens[index + 1].children or ())
            headings[index] = Heading(rank=len(above), anchor=_anchor(text, anchors), text=text)
    return TextOutline(title=title_tokens, body=tokens, headings=headings)


def plain_text(tokens: Sequence[Token]) -> str:
    """Return inline tokens as text without citations."""
    breaks = {"softbreak", "hardbreak"}
    parts = (" " if token.type in breaks else token.content for token in tokens)
    return " ".join("".join(parts).split())


def _anchor(text: str, taken: set[str]) -> str:
    words = re.sub(r"\W+", "-", unicodedata.normalize("NFKC", text).lower()).strip("-")
    name = f"text-{words[:_ANCHOR_CHARS].rstrip('-') or 'section'}"
    anchor, number = name, 1
    while anchor in taken:
        number += 1
        anchor = f"{name}-{number}"
    taken.add(anchor)
    return anchor
