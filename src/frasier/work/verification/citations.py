"""The citation check, computed without a model: the lines that cite, and the existence of their sources. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from frasier.kernel.text import shorten
from frasier.llm import Citations, one_line

SUBSTANTIVE_CHARS = 30
"""The length above which a line makes a claim, unless it is a heading, divider, quotation mark-up or source list; a
shorter one does if it cites."""

CONCLUSION_MARK = "[conclusion]"
"""The mark behind the author's own conclusion, in the place of a source number."""

# [3] or [3, 4]; not a Markdown link [3](…), not a footnote definition [3]: and not a checkbox [ ].
_CITATION = re.compile(r"\[(\d{1,4}(?:\s*[,;]\s*\d{1,4})*)\](?![(:])")
# With the blanks before it, or those behind it at the beginning of a line.
_ANY_MARK = r"\[(?:\d{1,4}(?:\s*[,;]\s*\d{1,4})*|conclusion)\](?![(:])"
_MARK_AND_BLANKS = re.compile(rf"^{_ANY_MARK}[ \t]*|[ \t]*{_ANY_MARK}")
# The heading of a list of sources, and nothing else: “Sources of error” is a heading like any other.
_SOURCE_LIST = re.compile(
    r"^(?:#{1,6}\s*|\*\*)(?:sources?|references?|bibliography|works cited|quellen|fuentes|fonti|bronnen|fontes"
    r"|źródła)\W*$",
    re.IGNORECASE,
)
_HEADING = re.compile(r"^(#{1,6})\s")
_CODE = re.compile(r"^(?:```|~~~)")
_NAME_CHARS = 200
_DIVIDER = re.compile(r"^[\s|:*_=+-]+$")
_EXAMPLES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class CitationMark:
    """A mark such as [3] or [3, 4], and its place in a text."""

    numbers: tuple[int, ...]
    start: int
    end: int


def citation_marks(text: str) -> Iterator[CitationMark]:
    """Yield the marks that cite sources in `text`, in order."""
    for match in _CITATION.finditer(text):
        numbers = tuple(int(number) for number in re.split(r"\s*[,;]\s*", match[1]))
        yield CitationMark(numbers=numbers, start=match.start(), end=match.end())


def cited_numbers(text: str) -> list[int]:
    """Return the source numbers that `text` cites, in order, with repeats."""
    return [number for mark in citation_marks(text) for number in mark.numbers]


def without_citations(text: str) -> str:
    """Remove the marks of sources and conclusions outside of code blocks, as readers of a published piece see it."""
    lines = [line if is_code else _MARK_AND_BLANKS.sub("", line) for line, is_code in _body(text)]
    return "\n".join(lines)


def numbers_cited(text: str) -> set[int]:
    """Return the source numbers that `text` cites outside of its lists of sources and code blocks."""
    return set(cited_numbers("\n".join(body_lines(text))))


def body_lines(text: str) -> Iterator[str]:
    """Return the lines of a text without its lists of sources and code blocks."""
    return (line.strip() for line, is_code in _body(text) if not is_code)


def _body(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the lines of a text without its lists of sources, each with whether it is code.

    A list of sources ends at the next heading of its level or above: what follows is text, and is checked.
    """
    in_code = False
    list_level = 0
    for line in text.splitlines():
        stripped = line.strip()
        if _CODE.match(stripped):
            in_code = not in_code
            if not list_level:
                yield line, True
            continue
        heading = None if in_code else _HEADING.match(stripped)
        if not in_code and _SOURCE_LIST.match(stripped):
            list_level = len(heading[1]) if heading else 6
        elif heading and len(heading[1]) <= list_level:
            list_level = 0
        if not list_level:
            yield line, in_code


def check_citations(text: str, known: Collection[int]) -> Citations:
    """Check the citations in `text`; `known` are the numbers of the sources that were read."""
    substantive = 0
    with_citation = 0
    uncited: list[str] = []
    cited: list[int] = []
    lines = list(body_lines(text))
    for position, line in enumerate(lines):
        numbers = cited_numbers(line)
        cited.extend(numbers)
        is_cited = any(number in known for number in numbers)
        following = lines[position + 1] if position + 1 < len(lines) else ""
        if not is_cited and not _makes_a_claim(line, following=following):
            continue
        substantive += 1
        if is_cited:
            with_citation += 1
        else:
            uncited.append(line[:160])
    distinct = list(dict.fromkeys(cited))
    return Citations(
        score=with_citation / substantive if substantive else 0.0,
        substantive_lines=substantive,
        cited_lines=with_citation,
        cited=tuple(sorted(number for number in distinct if number in known)),
        unknown=tuple(sorted(number for number in distinct if number not in known)),
        quotable=len(set(known)),
        uncited_examples=tuple(uncited[:_EXAMPLES]),
    )


def _makes_a_claim(line: str, *, following: str) -> bool:
    if len(line) <= SUBSTANTIVE_CHARS or line.startswith(">") or CONCLUSION_MARK in line:
        return False
    if _HEADING.match(line) or _DIVIDER.match(line):
        return False
    is_table_head = line.startswith("|") and bool(following) and bool(_DIVIDER.match(following))
    introduces_a_list = line.endswith(":") and not line.startswith(("-", "*", "|"))
    return not is_table_head and not introduces_a_list


def with_sources(text: str, sources: Collection[tuple[int, str, str]], *, heading: str = "Sources") -> str:
    """Append to `text` the list of its cited sources: (number, title, location), under a heading.

    The list replaces any in the text. It is no ordered list, because renderers renumber those.
    """
    if not sources:
        return text.rstrip() + "\n"
    body = without_source_lists(text)
    cited = numbers_cited(text)
    listed = [
        f"- [{number}] {_name(title)} — {_name(place)}"
        for number, title, place in sorted(sources)
        if number in cited
    ]
    return body + (f"\n\n## {heading}\n\n" + "\n".join(listed) if listed else "") + "\n"


def without_source_lists(text: str) -> str:
    """Remove the lists of sources that an author wrote."""
    return "\n".join(line for line, _ in _body(text)).rstrip()


def _name(text: str) -> str:
    """Clean a foreign title or location for one line."""
    return shorten(one_line(text), _NAME_CHARS)
