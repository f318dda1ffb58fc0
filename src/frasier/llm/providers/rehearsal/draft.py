"""The parser of drafts: their statements, and the sources that these cite."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from frasier.llm.providers.rehearsal.evidence import SourceStatement, evidence_of_line
from frasier.llm.providers.rehearsal.page import UNDECIDED
from frasier.llm.providers.rehearsal.stems import content_stems

# Shorter lines carry no statement: the same bound as that of the citation check.
_SUBSTANTIVE_CHARS = 30
_CITATION = re.compile(r"\[(\d{1,4}(?:\s*[,;]\s*\d{1,4})*)\](?![(:])")
_HEADING = re.compile(r"^\s{0,3}(#{1,6})\s+(.*?)\s*$")
_DIVIDER = re.compile(r"^[\s|:*_=-]+$")
_BULLET = re.compile(r"^\s*(?:[-*+]|\d{1,3}[.)])\s+")
_SOURCE_LIST = re.compile(
    r"^(?:sources?|references?|bibliography|works cited|quellen|fuentes|fonti|bronnen|fontes)\W*$",
    re.IGNORECASE,
)
_NAMED = re.compile(r"^\*\*(?P<source>[^*]{1,80})\*\*: (?P<quote>.+)$")
REVOKED = re.compile(rf"^(?:{UNDECIDED} – )?(?:[Rr]evoked|[Ss]uperseded) by \[\d+\] – ")
"""The mark of a statement that no longer holds."""
_REVOKED_VALUE = re.compile(r"(?:^|; )[^;]* \((?:revoked|superseded) by \[\d+\]\)")
_AT_END = re.compile(r"\s*(?:\[\d{1,4}(?:\s*[,;]\s*\d{1,4})*\]\s*)+$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One statement of a draft. `cited` are the numbers in it; `is_table` marks a row of a table."""

    text: str
    heading: str
    cited: tuple[int, ...]
    is_bullet: bool
    is_table: bool

    @property
    def body(self) -> str:
        """The line without its bullet and without the citations at its end."""
        return _AT_END.sub("", _BULLET.sub("", self.text)).strip()

    @property
    def bare_text(self) -> str:
        """The line with its citations, without its bullet and the name of its source."""
        text = _BULLET.sub("", self.text)
        named = _NAMED.match(text)
        return named["quote"] if named else text

    @property
    def source(self) -> str:
        """The source that the line names before its quote, or nothing."""
        named = _NAMED.match(self.body)
        return named["source"] if named else ""

    @property
    def quote(self) -> str:
        """The statement of the line: its body without the name of the source."""
        named = _NAMED.match(self.body)
        return named["quote"] if named else self.body

    @property
    def key(self) -> tuple[tuple[int, ...], str]:
        """The key that tells the line from others: two sources may say the same, with or without a mark of doubt."""
        return self.cited, self.quote.removeprefix(f"{UNDECIDED} – ")

    @property
    def is_revoked(self) -> bool:
        """Whether the line marks its statement as one that no longer holds."""
        return REVOKED.match(self.quote) is not None

    def evidence_under(self, heading: str = "") -> SourceStatement:
        """The statement of the line as evidence, under its own heading and another one."""
        quote = _REVOKED_VALUE.sub("", self.quote)
        return evidence_of_line(quote, f"{heading} {self.heading}".strip(), self.source)

    @property
    def stems(self) -> frozenset[str]:
        return frozenset(content_stems(self.body))


def statements(text: str) -> Iterator[Line]:
    """The substantive lines of a draft in order: no headings, dividers, quotations, code or source list."""
    heading, in_sources, in_code = "", False, False
    for line in text.splitlines():
        bare = line.strip()
        if bare.startswith(("```", "~~~")):
            in_code = not in_code
        elif match := _HEADING.match(line):
            heading = match[2]
            in_sources = _SOURCE_LIST.match(heading) is not None
        elif in_code or in_sources or bare.startswith(">") or _DIVIDER.match(line):
            continue
        elif len(bare) > _SUBSTANTIVE_CHARS or _CITATION.search(bare):
            yield Line(
                text=bare,
                heading=heading,
                cited=citations_in(bare),
                is_bullet=_BULLET.match(line) is not None,
                is_table=bare.startswith("|"),
            )


def citations_in(text: str) -> tuple[int, ...]:
    """The source numbers that a text cites, each once, in order."""
    numbers = (int(number) for match in _CITATION.finditer(text) for number in re.split("[,;]", match[1]))
    return tuple(dict.fromkeys(numbers))


def keep_citations(text: str, known: Collection[int]) -> str:
    """The text without its citations of sources that are not `known`."""

    def kept(match: re.Match[str]) -> str:
        numbers = [number.strip() for number in re.split("[,;]", match[1]) if int(number) in known]
        return f" [{', '.join(numbers)}]" if numbers else ""

    return text if set(citations_in(text)) <= set(known) else re.sub(rf" ?{_CITATION.pattern}", kept, text)


def remarks(text: str) -> str:
    """The quotation lines of a draft, which hold what it says of itself and of what is missing."""
    return "\n".join(line.strip().lstrip("> ") for line in text.splitlines() if line.lstrip().startswith(">"))


def first_heading(text: str) -> str:
    """The text of the first heading, or nothing."""
    return next((match[2] for line in text.splitlines() if (match := _HEADING.match(line))), "")


def headings_in(text: str) -> tuple[str, ...]:
    """The headings below the first level, in order."""
    matches = (_HEADING.match(line) for line in text.splitlines())
    return tuple(heading[2] for heading in matches if heading and len(heading[1]) > 1)
