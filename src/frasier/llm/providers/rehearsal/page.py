"""The Markdown page that the rehearsal writes: cited bullets under headings, and what is missing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TypeVar

from frasier.kernel.text import estimate_tokens, shorten
from frasier.llm.providers.rehearsal.evidence import SourceStatement
from frasier.llm.providers.rehearsal.quotable import Kind

T = TypeVar("T")

LABEL = (
    "> Rehearsal: no model was used. Every statement below is quoted from the source it cites, sentences word for word "
    "and records as values with their names. A highest, a latest, a sum or a count is computed of the rows "
    "quoted below it."
)
UNANSWERED = "> **What was asked is not answered.** Only what comes near to an answer is quoted."
SEARCHED = "> **Nothing answers what was asked.** Sources searched: {count}."
MISSING = "What the sources do not say"
BESIDES = "Nearest quotations"
UNDECIDED = "Undecided"
"""The mark of a quotation that comes near to an answer, and of which nothing decides whether it is one."""
COMPARED = "Compared – "
"""The mark of a value that was compared with a condition and fails it."""
WORDS_MAX = 4_000
_LINES_A_GROUP = (300, 150, 80, 40, 24, 16, 12, 10, 8, 7, 6, 5, 4, 3, 2, 1)
_TITLE_CHARS_MAX = 60
_SEARCHED_MAX = 200
# Text that would read as a citation, a placeholder or mark-up in place of words.
_MARKS = re.compile(r"[\[\]{}<>*_`|]+|^[#\s]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """A heading with its lines."""

    heading: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedPage:
    """A page of cited groups. `missing` are the open questions, first if only additional statements exist.

    A page without any group cites the sources that were `searched`, by number: what it says rests on all of them.
    """

    title: str
    groups: tuple[Group, ...]
    missing: tuple[str, ...] = ()
    searched: tuple[int, ...] = ()

    def render(self) -> str:
        answers = ["\n\n".join((f"## {group.heading}", "\n".join(group.lines))) for group in self.groups]
        points = "\n".join(f"> - {line}" for line in self.missing)
        open_points = [f"## {MISSING}\n\n{points}"] if points else []
        nearest = [line for group in self.groups for line in group.lines if group.heading == BESIDES]
        nothing_found = all(group.heading == BESIDES for group in self.groups)
        body = [*open_points, *answers] if nothing_found else [*answers, *open_points]
        if nothing_found and nearest and not any(COMPARED in line for line in nearest):
            body.insert(0, UNANSWERED)
        if not self.groups and self.searched:
            numbers = ", ".join(map(str, self.searched[:_SEARCHED_MAX]))
            body.insert(0, f"{SEARCHED.format(count=len(self.searched))}\n> [{numbers}]")
        return "\n\n".join((f"# {self.title}", LABEL, *body)) + "\n"


def render_to_fit(build: Callable[[int], CitedPage], tokens_max: int) -> str:
    """The largest page that fits: `build` makes one with at most so many lines a group."""
    for lines in _LINES_A_GROUP:
        text = build(lines).render()
        if estimate_tokens(text) <= tokens_max and len(text.split()) <= WORDS_MAX:
            break
    return text


def plain_title(title: str, number: int) -> str:
    """A source's title as it can stand in bold or in a table cell."""
    return shorten(plain(title), _TITLE_CHARS_MAX) or f"Source {number}"


def plain(text: str) -> str:
    """Text on one line, without marks, as it can stand in a heading."""
    return " ".join(_MARKS.sub(" ", text).split())


def bullet(evidence: SourceStatement, title: str = "", *, text: str) -> str:
    """A quote as a bullet that ends with its citation, after the `title` of its source; `text` may mark the quote."""
    source = f"**{plain_title(title, evidence.number)}**: " if title else ""
    # Left bare, a comment in code would become a heading, and a star a bold word.
    is_bare_code = evidence.kind is Kind.CODE and "`" not in text
    return f"- {source}{f'`{text}`' if is_bare_code else text} [{evidence.number}]"


def alternately(listings: Iterable[Sequence[T]]) -> Iterator[T]:
    """Yield the first of each listing, then the second of each, and so on."""
    for items in zip_longest(*listings, fillvalue=None):
        yield from (item for item in items if item is not None)


def listed(names: Iterable[str], chars: int = 400) -> str:
    """Names joined with commas, cut where there are too many."""
    return shorten(", ".join(names), chars)
