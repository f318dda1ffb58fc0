"""Aspects suggested by the sources, for a directive that names too few."""

from __future__ import annotations

import re
from itertools import pairwise

from frasier.kernel.source_lines import HEADING
from frasier.kernel.source_units import SourceText
from frasier.llm.prompt_inputs import Passage
from frasier.llm.providers.rehearsal.evidence import evidence_of_line
from frasier.llm.providers.rehearsal.needs import need_of
from frasier.llm.providers.rehearsal.stems import content_stems, focus_stems

_HEADING_CHARS_MAX = 60
_INLINE_HEADING = re.compile(r"(?<!\S)#{2,6}\s+((?:[^\s#]+\s?){1,4})")
_SPEAKS = 0.5
# Headings that organise a document rather than name a subject.
_FURNITURE = frozenset(
    focus_stems(
        "abstract acknowledgements background changelog conclusion contents contributing credits examples faq further "
        "installation introduction links misc next other references todo"
    )
)


def titles_of(outline: tuple[Passage, ...]) -> dict[int, str]:
    """The sources of an outline: number → title, in ascending order."""
    return dict(sorted({p.number: " ".join(p.title.split()) for p in reversed(outline)}.items()))


def recurring_headings(outline: tuple[Passage, ...]) -> tuple[str, ...]:
    """The headings that at least two sources share, those of most sources first: the folder's own aspects."""
    spellings: dict[frozenset[str], str] = {}
    sources: dict[frozenset[str], set[int]] = {}
    titles = {frozenset(content_stems(title)) for title in titles_of(outline).values()}
    for passage in outline:
        for heading in _headings(passage.text):
            stems = frozenset(focus_stems(heading))
            if (
                stems
                and not stems <= _FURNITURE
                and stems not in titles
                and len(heading) <= _HEADING_CHARS_MAX
            ):
                spellings.setdefault(stems, heading)
                sources.setdefault(stems, set()).add(passage.number)
    shared = [stems for stems in spellings if len(sources[stems]) >= 2]
    # Of "Storage" and "Storage engine", shared by the same sources, the longer one is the heading.
    whole = [s for s in shared if not any(s < other and sources[s] == sources[other] for other in shared)]
    # `sorted` is stable: among equals the order of the sources' own text decides.
    return tuple(spellings[stems] for stems in sorted(whole, key=lambda stems: -len(sources[stems])))


def _headings(text: str) -> tuple[str, ...]:
    """The headings of a text; where it was set on one line, each beginning that a heading in it could have."""
    if "\n" in text.strip():
        units = SourceText(number=0, title="", text=text).units
        return tuple(unit.path[-1].strip("*_`: ") for unit in units if HEADING.match(unit.text))
    titles = []
    for inline in _INLINE_HEADING.finditer(text):
        words = inline[1].split()
        titles += [
            " ".join(words[:count]) for count in range(1, len(words) + 1) if words[count - 1][-1].isalnum()
        ]
    return tuple(titles)


def title_groups(outline: tuple[Passage, ...], aspect: str, groups: int) -> tuple[tuple[str, ...], ...]:
    """The titles dealt into at most `groups` groups, the sources that speak of the aspect evenly among them.

    With an aspect there are two groups or, if more, as many as there are sources that speak of it.
    """
    titles = {number: title for number, title in titles_of(outline).items() if title}
    speaking: set[int] = set()
    if aspect:
        need = need_of(aspect)
        speaking = {
            p.number for p in outline if need.about(evidence_of_line(p.text, source=p.title)) >= _SPEAKS
        }
        groups = min(groups, max(2, len(speaking)))
    ordered = sorted(titles, key=lambda number: (number not in speaking, number))
    names = tuple(dict.fromkeys(titles[number] for number in ordered))
    count = min(groups, len(names))
    if aspect:
        return tuple(names[at::count] for at in range(count))
    cuts = [len(names) * at // count for at in range(count + 1)] if count else []
    return tuple(names[a:b] for a, b in pairwise(cuts))
