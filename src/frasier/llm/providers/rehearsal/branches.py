"""The split of the work on a directive into parallel branches."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from frasier.kernel.text import shorten
from frasier.llm.prompt_inputs import PlanInputs
from frasier.llm.providers.rehearsal.aspects import aspects, is_question
from frasier.llm.providers.rehearsal.outline import recurring_headings, title_groups
from frasier.llm.providers.rehearsal.questions import OPEN_LIMITS
from frasier.llm.providers.rehearsal.stems import focus_stems, keywords

BRANCHES_MAX = 4
_TITLES_CHARS_MAX = 80
_WEIGHS = re.compile(
    r"\b(?:(?:should|shall) (?:we|i|one)|choose|recommend\w*|best|better|compar\w+|versus|vs|differ\w*|"
    r"evaluat\w+|contrast\w*|select\w*)\b",
    re.IGNORECASE,
)
_COMPARES = re.compile(r"\b(?:compar\w+|versus|vs|differ\w*|contrast\w*|vergleich\w*)\b", re.IGNORECASE)
_PURPOSE = re.compile(
    r"^(?:which|what|should)\b.*\b(?:should|shall|best|better|choose|select)\b.*\b(?:for|in|on|with|as)\s+(?:(?:a|an|the|our|my)\s+)?([^?]{3,60})\??$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch:
    """A parallel part of the work. `aspects` are its subjects; `titles` are the sources to read, empty for all."""

    aspects: tuple[str, ...]
    titles: tuple[str, ...] = ()


def branches(inputs: PlanInputs, count: int) -> tuple[Branch, ...]:
    """Build one to `count` branches: by the directive's aspects, else by the contents of the sources."""
    named = aspects(inputs.directive)
    if len(named) >= 2:
        return tuple(Branch(aspects=part) for part in _dealt(named, count))
    if not named or weighs(inputs.directive):
        # Headings that all sources share are criteria to compare them by.
        named = _purposes(named) or named
        criteria = _with_headings(named, recurring_headings(inputs.outline))
        if len(criteria) >= 2:
            return tuple(Branch(aspects=(aspect,)) for aspect in criteria[:count])
    groups = title_groups(inputs.outline, "".join(named), count)
    if len(groups) >= 2:
        return tuple(Branch(aspects=named, titles=titles) for titles in groups)
    is_thing = bool(named) and not is_question(named[0])
    second = f"{OPEN_LIMITS} of {named[0]}" if is_thing else OPEN_LIMITS
    return (Branch(aspects=named), Branch(aspects=(second,)))[:count]


def compares(directive: str) -> bool:
    """Return whether a directive asks to compare."""
    return _COMPARES.search(directive) is not None


def weighs(directive: str) -> bool:
    """Return whether a directive asks to choose or to compare."""
    return _WEIGHS.search(directive) is not None


def _purposes(named: Sequence[str]) -> tuple[str, ...]:
    """Extract the subject x of questions such as "Which of these should we use for x?"."""
    purposes = (purpose[1] for aspect in named if (purpose := _PURPOSE.search(aspect)))
    return tuple(purpose for purpose in purposes if keywords(purpose))


def _with_headings(named: Sequence[str], offered: Sequence[str]) -> tuple[str, ...]:
    """The named aspects, then the offered headings that say something else."""
    distinct: dict[frozenset[str], str] = {}
    for aspect in (*named, *offered):
        stems = frozenset(focus_stems(aspect))
        if stems and not any(stems <= other for other in distinct):
            distinct[stems] = aspect
    return tuple(distinct.values())


def _dealt(items: Sequence[str], count: int) -> tuple[tuple[str, ...], ...]:
    """The items in at most `count` runs of nearly equal length."""
    count = min(count, len(items))
    cuts = [len(items) * at // count for at in range(count + 1)]
    return tuple(tuple(items[a:b]) for a, b in pairwise(cuts))


def subject_of(branch: Branch) -> str:
    """The branch in a few words."""
    subject, read = " and ".join(branch.aspects), shorten(", ".join(branch.titles), _TITLES_CHARS_MAX)
    return ": ".join(part for part in (subject.rstrip("? "), read) if part) or "main statements"
