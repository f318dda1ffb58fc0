"""The coverage of questions by a text: the basis of scores and verdicts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from frasier.llm.prompt_inputs import Citations
from frasier.llm.providers.rehearsal.draft import first_heading, headings_in, remarks, statements
from frasier.llm.providers.rehearsal.needs import Need, need_of
from frasier.llm.providers.rehearsal.questions import is_facet
from frasier.llm.providers.rehearsal.stems import focus_stems

_MET = 0.3
# Statements on the subject, and a plain one that the sources are silent, are most of an answer.
_PARTLY = 0.7
_WORDS = range(40, 4_500)
_LINE_CHARS_MAX = 700


@dataclass(frozen=True, kw_only=True)
class AnswerCoverage:
    """The needs, parted by what a text says of them; `share` is how much of them is met.

    `answered` are those of which a statement has a value of the kind that is asked for; `addressed` are spoken of, and
    whether they are answered needs understanding; `declared` are said to be missing, and of `open` nothing is said.
    """

    answered: tuple[Need, ...]
    addressed: tuple[Need, ...]
    declared: tuple[Need, ...]
    open: tuple[Need, ...]

    @property
    def all(self) -> tuple[Need, ...]:
        return (*self.answered, *self.addressed, *self.declared, *self.open)

    @property
    def share(self) -> float:
        """The share of answered questions, 0 to 1; 1 where nothing particular was asked."""
        partly = len(self.addressed) + len(self.declared)
        return (len(self.answered) + _PARTLY * partly) / len(self.all) if self.all else 1.0


def coverage(text: str, questions: Sequence[str]) -> AnswerCoverage:
    """Determine what the cited lines of a text say of the questions, and what it declares as missing in the sources."""
    main_questions = [question for question in questions if not is_facet(question)] or list(questions)
    evidence = [line.evidence_under() for line in statements(text) if line.cited and not line.is_revoked]
    own_remarks = remarks(text)
    parts: dict[str, list[Need]] = {"answered": [], "addressed": [], "declared": [], "open": []}
    for need in map(need_of, main_questions):
        if any(need.answered_by(one) for one in evidence):
            parts["answered"].append(need)
        elif any(need.share(one) >= _MET for one in evidence):
            parts["addressed"].append(need)
        elif need.label in own_remarks or (need.terms and set(need.terms) <= set(focus_stems(own_remarks))):
            parts["declared"].append(need)
        else:
            parts["open"].append(need)
    return AnswerCoverage(**{name: tuple(needs) for name, needs in parts.items()})


def breadth(citations: Citations, *, enough: int) -> float:
    """Cited sources ÷ those that could have been cited, where `enough` of them are enough."""
    possible = min(citations.quotable, enough)
    return min(1.0, len(citations.cited) / possible) if possible else 0.0


def form(text: str) -> float:
    """Score the layout of a text, from 0 to 1: title, sections, length, and readable lines."""
    lines = text.splitlines()
    signs = (
        bool(first_heading(text)),
        len(headings_in(text)) >= 1,
        len(text.split()) in _WORDS,
        max(map(len, lines), default=0) <= _LINE_CHARS_MAX,
    )
    return sum(signs) / len(signs)


def usefulness(text: str) -> float:
    """Score the usefulness of a text, from 0 to 1: several sections, lists or tables, open points named."""
    lines = list(statements(text))
    signs = (
        len(headings_in(text)) >= 2,
        any(line.is_table for line in lines),
        sum(line.is_bullet or line.is_table for line in lines) * 2 >= len(lines) > 0,
        bool(remarks(text)),
    )
    return sum(signs) / len(signs)
