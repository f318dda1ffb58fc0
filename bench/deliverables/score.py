"""The score of a deliverable against the known answers of its question, by code alone."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from bench.deliverables.questions import Fact, Question
from frasier.kernel.dates import find_dates
from frasier.kernel.language import content_stems, language_of, words_of
from frasier.kernel.source_lines import is_own_line
from frasier.kernel.source_units import SourceText

_CITATION = re.compile(r"\s?\[\d{1,4}(?:\s*[,;]\s*\d{1,4})*\]")
_BLANKS = re.compile("[ \t\u00a0\u202f]+")
_MARKS = str.maketrans("", "", "*`_~")
_HEADING = re.compile(r"^\s{0,3}#{1,6}\s")
# A line that says so of a statement does not give it as current, or leaves open whether it is an answer.
_REVOKED = re.compile(
    r"\b(?:undecided|revoke[ds]?|withdr\w+|supersede[ds]?|replaced|outdated|no longer|former(?:ly)?|cancel+ed|"
    r"widerrufen|zurückgezogen|ersetzt|überholt|nicht mehr|"
    r"révoquée?|retirée?|remplacée?|périmée?|revocad[oa]|retirad[oa]|sustituid[oa]|anulad[oa]|ya no|"
    r"ingetrokken|vervangen|vervallen|niet meer)\b",
    re.IGNORECASE,
)
_ABSENT = re.compile(
    r"\b(?:not|no|none|nothing|nowhere|neither|never|silent|missing|absent|unknown|unstated|unclear|undecided|open|"
    r"nicht|kein\w*|nichts|fehl\w+|offen|unbekannt|pas|aucune?|rien|manque\w*|inconnue?|"
    r"ningun[oa]?|ningún|nada|falta\w*|desconocid[oa]|niet|geen|niets|ontbre\w+|onbekend)\b",
    re.IGNORECASE,
)
# The words of an absence that say that something is absent, and not what.
_SAYING_WORDS = """
state stated given give known know named mentioned say said source sources document documents reason whether not no
nothing
"""
_SAYING = frozenset(content_stems(_SAYING_WORDS.split(), "english"))
_SHARE_OF_ABSENCE = 0.5


class FactKind(StrEnum):
    """The way in which a document states a fact."""

    FIELD = "field"
    """In a record, a row of a table, or a line of a name with its value."""
    DATED = "dated sentence"
    PROSE = "prose"
    DERIVED = "derived"
    """No document spells it: it has to be computed or concluded."""

    @property
    def is_extractable(self) -> bool:
        """Return whether it can be found without understanding the text."""
        return self in {FactKind.FIELD, FactKind.DATED}


@dataclass(frozen=True, slots=True, kw_only=True)
class FactResult:
    """A fact, the way in which its document states it, and whether the text has it."""

    about: str
    kind: FactKind
    is_found: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The delivered text, with what the mission stored of it.

    `documents_read` are those of which a step got a passage, `documents_cited` those that the text cites.
    `verification` has the numbers of statements, in all and by verdict.
    """

    status: str
    text: str
    documents_read: int
    documents_cited: int
    verification: Mapping[str, int]
    usd: float
    calls: int
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """The result of one question. `false_statements` are excerpts of what the text states and must not."""

    question: str
    facts: Sequence[FactResult]
    false_statements: Sequence[str]
    absences_admitted: int
    absences: int
    documents: int
    words: int
    answer: Answer


def score(question: Question, answer: Answer, sources: Mapping[str, str]) -> Score:
    """Score an answer; `sources` are the documents of the collection by their names."""
    text = _plain(answer.text)
    return Score(
        question=question.name,
        facts=[
            FactResult(
                about=fact.about,
                kind=kind_of(fact, sources),
                is_found=any(has_spelling(text, spelling) for spelling in fact.spellings),
            )
            for fact in question.facts
        ],
        false_statements=_false_statements(text, question.false_patterns),
        absences_admitted=sum(_is_admitted(text, absence) for absence in question.absences),
        absences=len(question.absences),
        documents=question.documents,
        words=len(text.split()),
        answer=answer,
    )


def kind_of(fact: Fact, sources: Mapping[str, str]) -> FactKind:
    """Return the way in which the document of a fact spells it."""
    text = sources.get(fact.source, "")
    best = FactKind.DERIVED
    for unit in SourceText(number=1, title=fact.source, text=text).units:
        if any(has_spelling(_plain(unit.text), spelling) for spelling in fact.spellings):
            if unit.is_row or is_own_line(unit.text):
                return FactKind.FIELD
            best = FactKind.DATED if best is FactKind.DATED or find_dates(unit.text) else FactKind.PROSE
    return best


def has_spelling(text: str, spelling: str) -> bool:
    """Return whether a text has a spelling of a fact; a number within a longer number is another one."""
    before = r"(?<!\d)(?<!\d[.,])" if spelling[:1].isdigit() else ""
    after = r"(?!\d)(?![.,]\d{3}(?!\d))" if spelling[-1:].isdigit() else ""
    return re.search(before + re.escape(spelling) + after, text, re.IGNORECASE) is not None


def _plain(text: str) -> str:
    """The text without headings, citations and marks, which state nothing, and with single blanks."""
    lines = (line for line in text.splitlines() if not _HEADING.match(line))
    return "\n".join(_BLANKS.sub(" ", _CITATION.sub("", line).translate(_MARKS)) for line in lines)


def _false_statements(text: str, patterns: Sequence[str]) -> list[str]:
    matches = (match for pattern in patterns for match in re.finditer(pattern, text))
    return [match[0] for match in matches if not _REVOKED.search(_line_around(text, match.end() - 1))]


def _line_around(text: str, position: int) -> str:
    end = text.find("\n", position)
    return text[text.rfind("\n", 0, position) + 1 : end if end >= 0 else len(text)]


def _is_admitted(text: str, absence: str) -> bool:
    """Return whether a line says of the subject of `absence` that something is absent."""
    language = language_of(absence)
    subject = set(content_stems(words_of(absence), language)) - _SAYING
    return any(
        len(subject & set(content_stems(words_of(line), language))) >= _SHARE_OF_ABSENCE * len(subject)
        for line in text.splitlines()
        if _ABSENT.search(line)
    )
