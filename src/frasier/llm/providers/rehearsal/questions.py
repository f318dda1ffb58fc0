"""The questions that the rehearsal asks of its sources, and the headings under which it answers them."""

from __future__ import annotations

import re

from frasier.kernel.text import shorten
from frasier.llm.providers.rehearsal.cues import FIGURES_AND_DATES, LIMITS, Cue
from frasier.llm.providers.rehearsal.page import plain

QUESTION_CHARS_MAX = 300
_LABEL_CHARS_MAX = 100
_SUBJECT_CHARS_MAX = 200

OPEN_LIMITS = "limits and open questions"
"""The subject that a plan adds to the only thing that the founder asks for."""

OVERVIEW = "What matters most in the sources?"
_OVERVIEW_LIMITS = "Which limits, conditions or exceptions do they state?"
_MAIN = "What do the sources say about {}?"
_LIMITS = "Which limits, conditions or exceptions do they state for {}?"
_FIGURES = "Which figures and dates do they give for {}?"


def _pattern(template: str) -> re.Pattern[str]:
    head, tail = template.split("{}")
    return re.compile(re.escape(head) + r"(.+)" + re.escape(tail))


_FORMS: tuple[tuple[re.Pattern[str], str, Cue | None], ...] = (
    (re.compile(re.escape(OVERVIEW) + "()"), "Main points{}", None),
    (re.compile(re.escape(_OVERVIEW_LIMITS) + "()"), "Limits and conditions{}", LIMITS),
    (_pattern(_MAIN), "{}", None),
    (_pattern(_LIMITS), "{}: limits and conditions", LIMITS),
    (_pattern(_FIGURES), "{}: figures and dates", FIGURES_AND_DATES),
)


def main_question(subject: str) -> str:
    """Build the question for everything about `subject`; a subject that is a question stays as it is."""
    if subject.endswith("?"):
        return shorten(subject, QUESTION_CHARS_MAX)
    return _MAIN.format(shorten(subject, _SUBJECT_CHARS_MAX))


def facet_questions(subject: str = "", *, figures: bool = False) -> tuple[str, ...]:
    """The main question and the one for limits, with `figures` also that; without a subject, what matters most."""
    if not subject:
        return (OVERVIEW, _OVERVIEW_LIMITS)
    named = shorten(subject.rstrip("? "), _SUBJECT_CHARS_MAX)
    return (main_question(subject), _LIMITS.format(named), *((_FIGURES.format(named),) if figures else ()))


def asks_for_limits(name: str) -> bool:
    """Return whether a question, or its label, is the one for limits that a plan adds to what the founder asks."""
    return subject_and_cue(name)[0].casefold().startswith(OPEN_LIMITS)


def is_facet(question: str) -> bool:
    """Whether the question narrows a main question, so that having no answer of its own is no finding."""
    return subject_and_cue(question)[1] is not None


def subject_and_cue(question: str) -> tuple[str, Cue | None]:
    """Return the subject of `question`, and its cue if it has one of the forms above."""
    for pattern, _, cue in _FORMS:
        if form := pattern.fullmatch(question.strip()):
            return form[1], cue
    return question, None


def label(question: str) -> str:
    """A short heading for the answers to `question`."""
    for pattern, heading, _ in _FORMS:
        if form := pattern.fullmatch(question.strip()):
            return shorten(capitalised(plain(heading.format(form[1]))), _LABEL_CHARS_MAX)
    return shorten(capitalised(plain(question)), _LABEL_CHARS_MAX) or "Findings"


def capitalised(text: str) -> str:
    """`text` with its first letter in upper case and the rest as it is."""
    return text[:1].upper() + text[1:]
