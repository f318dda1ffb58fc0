"""The wording of tasks by the rehearsal, and the reading of tasks in any wording."""

from __future__ import annotations

import re

from frasier.kernel.text import shorten
from frasier.llm.providers.rehearsal.aspects import aspects, quoted_phrases
from frasier.llm.providers.rehearsal.branches import Branch

TASK_CHARS_MAX = 1_200
_DIRECTIVE_CHARS_MAX = 300
_TITLE_CHARS_MAX = 60
_TITLES_CHARS_MAX = 560
_READ_ONLY = "Read these sources: "
_SERVES = "It serves the directive: "
_HOW_TO_RESEARCH = (
    "Quote the statements that answer it, cite the source of each, and say what the sources leave open."
)
_HOW_TO_FINISH = (
    "Answer each question in a section of its own, compare the sources where that is asked for, and keep every "
    "citation."
)
_MARKS = (_READ_ONLY, _HOW_TO_RESEARCH, _HOW_TO_FINISH, _SERVES)
_PLAIN_QUOTES = str.maketrans('“”„«»"', "''''''")


def research_task(branch: Branch, directive: str) -> str:
    """Word the task of a research branch."""
    if branch.aspects:
        instruction = f"Find out what the sources say about {_quoted(branch.aspects)}."
    else:
        instruction = "Find out what matters most in the sources."
    titles = tuple(as_named(title) for title in branch.titles)
    # Half a list would hide the sources that it leaves out.
    listed = "; ".join(f"“{title}”" for title in titles)
    reading = f"{_READ_ONLY}{listed}." if titles and len(listed) <= _TITLES_CHARS_MAX else ""
    return _task(instruction, reading, _HOW_TO_RESEARCH, _served(directive))


def final_task(subjects: tuple[str, ...], directive: str) -> str:
    """Word the task of the final step."""
    on = f" on {_quoted(subjects)}" if subjects else ""
    instruction = f"Write one document that answers the directive from the accepted findings{on}."
    return _task(instruction, _HOW_TO_FINISH, _served(directive))


def asked_in(task: str) -> tuple[str, ...]:
    """Return the subjects of a task: the phrases it quotes, else the aspects it names; empty if it names none."""
    own = task
    for mark in _MARKS:
        own = own.partition(mark)[0]
    quoted = tuple(dict.fromkeys(quoted_phrases(own)))
    # A task in our own wording quotes its subjects; without a quote it has no particular subject.
    return quoted if quoted or own != task else aspects(own)


def titles_in(task: str) -> frozenset[str]:
    """The titles of the sources that a task confines itself to, as `as_named` spells them; empty for all."""
    _, confined, rest = task.partition(_SERVES)[0].partition(_READ_ONLY)
    return frozenset(quoted_phrases(rest)) if confined else frozenset()


def as_named(title: str) -> str:
    """A title as a task names it."""
    return shorten(_unquoted(title), _TITLE_CHARS_MAX)


def directive_title(directive: str, chars: int = 90) -> str:
    """A title for what a directive asks for: its first sentence, without the full stop."""
    line = next((line for line in directive.splitlines() if line.strip(" #*->\t")), "")
    first = re.split(r"(?<=[.!?])\s", line.strip(" #*->\t"), maxsplit=1)[0].rstrip(".:; ")
    titled = shorten(" ".join(first.split()), chars)
    return titled[:1].upper() + titled[1:]


def _quoted(phrases: tuple[str, ...]) -> str:
    marked = [f"“{_unquoted(phrase)}”" for phrase in phrases]
    return marked[0] if len(marked) == 1 else f"{', '.join(marked[:-1])} and {marked[-1]}"


def _unquoted(text: str) -> str:
    return " ".join(text.translate(_PLAIN_QUOTES).split())


def _served(directive: str) -> str:
    return _SERVES + shorten(" ".join(directive.split()), _DIRECTIVE_CHARS_MAX)


def _task(*parts: str) -> str:
    return shorten(" ".join(part for part in parts if part), TASK_CHARS_MAX)
