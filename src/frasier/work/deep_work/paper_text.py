"""The text of a paper, assembled from its sections, and the statements of each. Pure."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from frasier.llm import CheckedStatement, Verification, WrittenSection
from frasier.work.verification.verify import locate_statements

_HEADING = re.compile(r"(#{1,6})\s+\S")
_CODE = ("```", "~~~")
_LEVEL_INSIDE = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperText:
    """A paper: its text, and where in it each section starts."""

    text: str
    starts: tuple[int, ...]

    def by_section(self, statements: Sequence[CheckedStatement]) -> dict[int, Verification]:
        """Return the paper's `statements` by the number of the section that they stand in."""
        found: dict[int, list[CheckedStatement]] = {number: [] for number in range(len(self.starts) + 1)}
        for place in locate_statements(self.text, statements):
            found[bisect_right(self.starts, place.start)].append(place.statement)
        return {number: Verification(statements=tuple(some)) for number, some in found.items()}


def assemble(title: str, sections: Sequence[WrittenSection]) -> PaperText:
    """Put the sections of a paper below each other, under its title and their headings."""
    text = f"# {title}\n"
    starts = []
    for section in sections:
        text += "\n"
        starts.append(len(text))
        text += f"## {section.heading}\n\n{section.text}\n"
    return PaperText(text=text, starts=tuple(starts))


def section_body(text: str) -> str:
    """Return the text of a section without a heading of its own, its inner headings below the section's."""
    lines = text.strip().splitlines()
    while lines and (not lines[0].strip() or _level(lines[0]) in {1, 2}):
        lines.pop(0)
    in_code = False
    body = []
    for line in lines:
        in_code ^= line.lstrip().startswith(_CODE)
        is_too_high = not in_code and 0 < _level(line) < _LEVEL_INSIDE
        body.append("#" * _LEVEL_INSIDE + line.lstrip("#") if is_too_high else line)
    return "\n".join(body).strip()


def _level(line: str) -> int:
    heading = _HEADING.match(line)
    return len(heading[1]) if heading else 0
