"""The coverage of questions by a text: the basis of scores and verdicts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from frasier.llm.prompt_inputs import Citations
from frasier.llm.providers.rehearsal.draft import Line, first_heading, headings_in, remarks, statements
from frasier.llm.providers.rehearsal.needs import Need, need_of
from frasier.llm.providers.rehearsal.questions import is_facet
from frasier.llm.providers.rehearsal.stems import content_stems, focus_stems

_MET = 0.3
# A plain statement that the sources are silent is most of an answer.
_DECLARED = 0.7
_WORDS = range(40, 1_800)
_LINE_CHARS_MAX = 700


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerCoverage:
    """`answered`, `declared` (as missing) and `open` part the needs; `share` is how much of them is met."""

    answered: tuple[Need, ...]
    declared: tuple[Need, ...]
    open: tuple[Need, ...]

    @property
    def share(self) -> float:
        """The share of answered questions, 0 to 1; 1 where nothing particular was asked."""
        total = len(self.answered) + len(self.declared) + len(self.open)
        return (len(self.answered) + _DECLARED * len(self.declared)) / total if total else 1.0


def coverage(text: str, questions: Sequence[str]) -> AnswerCoverage:
    """Determine which questions the cited lines of a text answer, and which it declares unanswered by the sources."""
    main_questions = [question for question in questions if not is_facet(question)] or list(questions)
    lines = [line for line in statements(text) if line.cited]
    own_remarks = remarks(text)
    answered, declared, still_open = [], [], []
    for need in map(need_of, main_questions):
        if any(_meets(line, need) for line in lines):
            answered.append(need)
        elif need.label in own_remarks or (need.terms and set(need.terms) <= set(focus_stems(own_remarks))):
            declared.append(need)
        else:
            still_open.append(need)
    return AnswerCoverage(answered=tuple(answered), declared=tuple(declared), open=tuple(still_open))


def _meets(line: Line, need: Need) -> bool:
    nearby = content_stems(f"{line.heading} {line.source}")
    return need.met_by(line.body, line.stems, heading=nearby) >= _MET


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
