"""The open points of several steps as one list, without repeats and contradictions."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from frasier.llm.providers.rehearsal.aspects import quoted_phrases
from frasier.llm.providers.rehearsal.page import listed
from frasier.llm.providers.rehearsal.questions import asks_for_limits

NOTHING_FOUND = "Nothing was found for "
NOTHING_CERTAIN = "Nothing answers "
SILENT = "nothing was found for "
NAMES_MAX = 6
_READ = re.compile(r"(?P<names>.+): read, and (?P<statement>.+)\.$")
_COUNTED = re.compile(r"(?P<count>\d+) sources$")


def read_note(names: Sequence[str], statement: str, more: int = 0) -> str:
    """Say of some sources, and of `more` that are not named, that they were read, and what was not found in them."""
    count = len(names) + more
    named = listed(names) if count <= NAMES_MAX and not more else f"{count} sources"
    return f"{named}: read, and {statement}."


def merged_points(
    of_steps: Sequence[str], own: Sequence[str], *, titles: Collection[str], quoted: Collection[str]
) -> tuple[str, ...]:
    """Merge the open points of several steps, which read different sources, and those of the whole.

    What nobody asked for is left out; that nothing was found for a question goes without saying where another step
    quotes what comes near; the sources, by their `titles`, of which several steps say the same stand in one line,
    without those that are `quoted`.
    """
    asked = [
        point
        for point in dict.fromkeys((*of_steps, *own))
        if not any(map(asks_for_limits, quoted_phrases(point)[:1]))
    ]
    near = {
        name for point in asked if point.startswith(NOTHING_CERTAIN) for name in quoted_phrases(point)[:1]
    }
    plain = [
        point
        for point in asked
        if _READ.match(point) is None
        and not (point.startswith(NOTHING_FOUND) and near.intersection(quoted_phrases(point)[:1]))
    ]
    groups = [_sources_by_statement(points, titles) for points in (of_steps, own)]
    statements = dict.fromkeys(statement for group in groups for statement in group)
    notes = (_merged(statement, groups, quoted) for statement in statements)
    return (*plain, *filter(None, notes))


def _sources_by_statement(points: Sequence[str], titles: Collection[str]) -> dict[str, tuple[list[str], int]]:
    """The names of the sources of which each statement is said, and the number of those that are not named."""
    found: dict[str, tuple[list[str], int]] = {}
    for point in points:
        if match := _READ.match(point):
            names, more = found.get(match["statement"], ([], 0))
            counted = _COUNTED.match(match["names"])
            new = [] if counted else [name for name in _names_in(match["names"], titles) if name not in names]
            found[match["statement"]] = [*names, *new], more + (int(counted["count"]) if counted else 0)
    return found


def _merged(
    statement: str, groups: Sequence[dict[str, tuple[list[str], int]]], quoted: Collection[str]
) -> str:
    """The note of a statement; empty where all of its sources are quoted, or nobody asked for what it is about."""
    if any(map(asks_for_limits, quoted_phrases(statement)[:1])):
        return ""
    skipped = quoted if statement.startswith(SILENT) else ()
    said = [
        ([name for name in names if name not in skipped], more)
        for names, more in (group.get(statement, ([], 0)) for group in groups)
    ]
    names = list(dict.fromkeys(name for own, _ in said for name in own))
    if not any(more for _, more in said):
        return read_note(names, statement) if names else ""
    return read_note((), statement, max(len(own) + more for own, more in said))


def _names_in(text: str, titles: Collection[str]) -> Iterator[str]:
    """Yield the titles of a list; one may hold a comma itself."""
    while text:
        known = [title for title in titles if text == title or text.startswith(f"{title}, ")]
        name = max(known, key=len, default="") or text.partition(", ")[0]
        yield name
        text = text[len(name) :].removeprefix(", ")
