"""The statements of a Markdown text: each sentence, list item and table row that says something. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from frasier.kernel.hostile_text.visible_letters import read_letters
from frasier.kernel.records import is_table_rule
from frasier.kernel.sentences import split_sentences
from frasier.work.verification.citations import CONCLUSION_MARK, body_lines, cited_numbers

_HEADING = re.compile(r"^#{1,6}\s+(?P<text>.+?)\s*#*$")
_BULLET = re.compile(r"^(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?(?P<text>.+)$")
_CITATION_MARKS = re.compile(r"\s*\[(?:\d{1,4}(?:\s*[,;]\s*\d{1,4})*|conclusion)\](?![(:])")
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_EMPHASIS = re.compile(r"(\*\*|__|\*|`|(?<!\w)_|_(?!\w))")
_LINK = re.compile(r"\[([^\]]+)\]\([^)\s]+\)")
_EQUATION = re.compile(r"\d[^=]*=\s*\D{0,5}\d")
_WORDS_MIN = 3


class StatementKind(StrEnum):
    SENTENCE = "sentence"
    ITEM = "item"
    ROW = "row"
    HEADING = "heading"
    REMARK = "remark"


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A checkable part of a text. `markdown` stands exactly so in its line; `text` is without citations and mark-up.

    `cited` are the numbers of the sources that it cites, or, if it cites none, those that the rest of its paragraph
    cites: `is_cited` is whether they are its own. `is_conclusion` is whether it is marked as the author's own.
    `context` are the headings above it, and the head of its table.
    """

    kind: StatementKind
    markdown: str
    text: str
    cited: tuple[int, ...]
    is_cited: bool
    is_conclusion: bool = False
    context: str = ""


def split_statements(markdown: str) -> list[Statement]:
    """Split a text into its statements, in order. Lists of sources, code blocks and dividers have none."""
    return list(_statements(markdown))


def _statements(markdown: str) -> Iterator[Statement]:
    headings: list[tuple[int, str]] = []
    lines = list(_joined_lines(markdown))
    table_head = ""
    for at, line in enumerate(lines):
        following = lines[at + 1] if at + 1 < len(lines) else ""
        context = " — ".join(text for _, text in headings)
        if heading := _HEADING.match(line):
            level = len(line) - len(line.lstrip("#"))
            headings = [
                *((other, text) for other, text in headings if other < level),
                (level, heading["text"]),
            ]
            yield _statement(StatementKind.HEADING, line, heading["text"], context=context)
        elif line.startswith("|"):
            if is_table_rule(line):
                continue
            if is_table_rule(following):
                table_head = line
            else:
                yield _statement(
                    StatementKind.ROW, line, _cells(line), context=f"{context} {_cells(table_head)}"
                )
        elif line.startswith(">"):
            yield _statement(StatementKind.REMARK, line, line.lstrip("> "), context=context)
        elif item := _BULLET.match(line):
            yield from _sentences(StatementKind.ITEM, item["text"], context)
        elif not re.fullmatch(r"[\W_]+", line):
            yield from _sentences(StatementKind.SENTENCE, line, context)


def _joined_lines(markdown: str) -> Iterator[str]:
    """The lines that are not blank, with those of a wrapped paragraph or item as one."""
    line = ""
    for following in [*body_lines(markdown), ""]:
        starts_anew = not following or following.startswith(("|", ">", "#")) or _BULLET.match(following)
        if line and (starts_anew or line.startswith(("|", ">", "#"))):
            yield line
            line = following
        else:
            line = f"{line} {following}".strip()


def _sentences(kind: StatementKind, line: str, context: str) -> Iterator[Statement]:
    """The sentences of a paragraph or item; one without citations has those that follow it, else precede it."""
    parts = _with_marks(split_sentences(line))
    own = [tuple(dict.fromkeys(cited_numbers(part))) for part in parts]
    for at, part in enumerate(parts):
        near = next((numbers for numbers in [*own[at:], *reversed(own[:at])] if numbers), ())
        yield _statement(kind, part, part, cited=near, context=context)


def _with_marks(sentences: list[str]) -> list[str]:
    """Join marks that stand behind the full stop ("It costs 5 EUR. [2] It lasts.") to the sentence before them."""
    joined: list[str] = []
    for sentence in sentences:
        mark = re.match(r"(?:\s*\[(?:\d{1,4}(?:\s*[,;]\s*\d{1,4})*|conclusion)\])+[.,;:]?\s*", sentence)
        before = joined[-1:]
        if mark and before:
            joined[-1] += " " + mark[0].strip()
        rest = sentence[mark.end() :] if mark and before else sentence
        if rest.strip():
            joined.append(rest.strip())
    return joined


def _statement(
    kind: StatementKind, markdown: str, text: str, *, cited: tuple[int, ...] | None = None, context: str
) -> Statement:
    own = tuple(dict.fromkeys(cited_numbers(markdown)))
    return Statement(
        kind=kind,
        markdown=markdown,
        text=plain_text(text),
        cited=own or cited or (),
        is_cited=bool(own),
        is_conclusion=CONCLUSION_MARK in markdown,
        context=plain_text(context),
    )


def plain_text(markdown: str) -> str:
    """Return a line as it is read: without citations, links' addresses, emphasis and hidden characters."""
    text = _BREAK.sub(" ", _LINK.sub(r"\1", _CITATION_MARKS.sub("", markdown)))
    return re.sub(r"\s+", " ", read_letters(_EMPHASIS.sub("", text))).strip()


def _cells(row: str) -> str:
    return " | ".join(cell.strip() for cell in row.strip().strip("|").split("|"))


def says_something(statement: Statement) -> bool:
    """Return whether the text is a statement of fact at all: no label, no question, no lead-in to a list.

    A few words with a number and a citation of their own state something.
    """
    text = statement.text.rstrip()
    words = re.findall(r"[^\W\d_]{2,}", text)
    if statement.kind is StatementKind.ROW:
        return any(character.isalnum() for character in text)
    has_calculation = bool(words) and bool(_EQUATION.search(text))
    has_cited_number = statement.is_cited and bool(words) and any(map(str.isdigit, text))
    says_enough = len(words) >= _WORDS_MIN or has_calculation or has_cited_number
    return says_enough and not text.endswith(("?", ":"))
