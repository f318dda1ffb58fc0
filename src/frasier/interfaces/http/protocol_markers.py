"""Markers of the task-boundary protocol: the lines in which an agent reports what it does with a task. Pure.

    TASK START: PDSA claiming fix-login (HomePage) — what it is about
    TASK active→review: DEV fix-login (HomePage) — the outcome in a sentence
    TASK BLOCKED: DEV fix-login (HomePage) — what is in the way
    TASK RESTORED: LIAISON fix-login (HomePage) — where it goes on
    TASK SUMMARY: LIAISON fix-login (HomePage) — what came of it

`->` is accepted for the arrow, and a plain dash for the long one. A malformed marker is rejected: taken for a question,
it would be lost silently.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from frasier.kernel.errors import InvalidInput

_WORD = r"[A-Za-z][A-Za-z0-9_-]{0,39}"
_MOVE = rf"START|BLOCKED|RESTORED|SUMMARY|{_WORD} ?(?:→|->) ?{_WORD}"
_BEGINNING = re.compile(rf"\s{{0,20}}TASK (?:{_MOVE}):")
_MARKER = re.compile(
    rf"TASK (?P<move>{_MOVE}): (?P<role>{_WORD}) (?:claiming )?(?P<slug>[A-Za-z0-9][A-Za-z0-9._/-]{{0,99}})"
    r" \((?P<project>[^()\n]{1,60})\) (?:—|–|--?) (?P<note>\S[\s\S]{0,1999})"
)
_QUESTION_ENDS = ("?", "？", "؟")
_TRAILING = " \t\r\n\"'”’»)]}*_`"


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskMarker:
    """A parsed marker: `text` is the whole line, `move` is START, BLOCKED, RESTORED, SUMMARY or from→to."""

    text: str
    move: str
    role: str
    slug: str
    project: str
    note: str


def read_marker(text: str) -> TaskMarker | None:
    """Parse a marker. Return None for any other text; raise InvalidInput for a malformed marker."""
    if not _BEGINNING.match(text):
        return None
    matched = _MARKER.fullmatch(text.strip())
    if matched is None:
        raise InvalidInput(
            "This begins like a task marker but is malformed, so it was neither stored nor searched for.",
            number="E030",
            kept="Nothing was saved.",
            hint="Write `TASK BLOCKED: ROLE slug (project) — one sentence`, with START, BLOCKED, RESTORED, SUMMARY"
            " or from→to as the move; or send read_only to search for these words.",
        )
    groups = matched.groupdict()
    return TaskMarker(
        text=matched.group(),
        move=groups["move"].replace("->", "→").replace(" ", ""),
        role=groups["role"],
        slug=groups["slug"],
        project=groups["project"],
        note=groups["note"],
    )


def is_question(text: str) -> bool:
    """Return True if `text` ends with a question mark, ignoring closing quotes, brackets and markup after it."""
    return text.rstrip(_TRAILING).endswith(_QUESTION_ENDS)
