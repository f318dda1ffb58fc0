"""The need behind a question, as terms and a cue, and the match of a text with it."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from frasier.llm.providers.rehearsal.cues import CUES, DURATIONS, FIGURES, PEOPLE, REASONS, TIMELINE, Cue
from frasier.llm.providers.rehearsal.questions import label, subject_and_cue
from frasier.llm.providers.rehearsal.stems import focus_stems, keywords, stem

_IN_HEADING = 0.8
_IN_TITLE = 0.6
_LOOKS_LIKE_AN_ANSWER = 0.5
_WITHOUT_CUE = 0.25
_ASKED_OF = re.compile(r"(\w+) (?:of|for|on|in|during|behind|against)\b")
_OPENINGS = tuple(
    (re.compile(rf"\W*(?:{opening})\b", re.IGNORECASE), cue)
    for opening, cue in (
        ("why|warum|weshalb", REASONS),
        ("(?:since )?when|seit wann|wann", TIMELINE),
        ("whom?|wer", PEOPLE),
        ("how (?:long|often)|wie (?:lange|oft)", DURATIONS),
        ("how (?:much|many|far|big|large|old)|wie (?:viele?|weit|groß|alt)", FIGURES),
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """The need behind a question.

    `terms` are the stems of the subject; with neither terms nor cue, anything salient meets the need.
    """

    question: str
    label: str
    terms: tuple[str, ...]
    cue: Cue | None = None

    def met_by(
        self,
        text: str,
        stems: Collection[str],
        *,
        heading: Collection[str] = (),
        title: Collection[str] = (),
        idf: Mapping[str, float] | None = None,
    ) -> float:
        """Score how much of the need a text meets, from 0 to 1; a term in its heading or title counts for less."""
        weights = [(term, (idf or {}).get(term, 1.0)) for term in self.terms]
        total = sum(weight for _, weight in weights)
        met = sum(weight * _share(term, stems, heading, title) for term, weight in weights)
        about = met / total if total else 1.0
        if self.cue is None:
            return about
        if any(stem_ in self.cue.triggers for stem_ in (*stems, *heading)):
            return about
        if self.cue.answered_by(text):
            return about * (1.0 if self.cue.measure else _LOOKS_LIKE_AN_ANSWER)
        return about * (_WITHOUT_CUE if self.terms else 0.0)


def _share(term: str, stems: Collection[str], heading: Collection[str], title: Collection[str]) -> float:
    if term in stems:
        return 1.0
    if term in heading:
        return _IN_HEADING
    return _IN_TITLE if term in title else 0.0


def need_of(question: str) -> Need:
    """The need that stands behind a question or a named aspect."""
    subject, cue = subject_and_cue(question)
    terms = focus_stems(subject)
    if cue is None:
        cue, terms = _find_cue(subject, terms)
    return Need(question=question, label=label(question), terms=terms, cue=cue)


def _find_cue(subject: str, terms: tuple[str, ...]) -> tuple[Cue | None, tuple[str, ...]]:
    """The cue of a question, and the terms that are left of it.

    A cue counts where it is all that is asked for, where the question opens with it, where it is asked for
    *of* something, or where it is the head of a compound ("delivery times").
    """
    rests = [(cue, tuple(term for term in terms if term not in cue.triggers)) for cue in CUES]
    for cue, rest in rests:
        if terms and not rest:
            return cue, rest
    for opening, cue in _OPENINGS:
        if opened := opening.match(subject):
            return cue, focus_stems(subject[opened.end() :])
    asked_of = {stem(word) for word in _ASKED_OF.findall(subject.lower())}
    for cue, rest in rests:
        if len(rest) < len(terms) and (asked_of & cue.triggers or terms[-1] in cue.triggers):
            return cue, rest
    return None, terms


def query_of(need: Need, *extra: str) -> str:
    """Keywords that find what the need asks for."""
    subject, _ = subject_and_cue(need.question)
    query = (*keywords(subject), *extra, *(need.cue.query.split() if need.cue else ()))
    return " ".join(dict.fromkeys(query))
