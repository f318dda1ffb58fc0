"""The results of the check of statements: verdicts, and what the sources do not carry. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from frasier.kernel.dates import DateMention
from frasier.kernel.number_mentions import NumberMention
from frasier.kernel.source_units import SourceUnit
from frasier.llm import CarryingPassage
from frasier.work.verification.statements import Statement


class StatementVerdict(StrEnum):
    """The result for a statement."""

    VERIFIED = "verified"
    DOUBTFUL = "doubtful"
    UNCHECKED = "unchecked"
    CONCLUSION = "conclusion"
    REMOVED = "removed"


class FindingKind(StrEnum):
    """The kind of what a source does not carry."""

    NUMBER = "number"
    UNIT = "unit"
    DATE = "date"
    NAME = "name"
    IDENTIFIER = "identifier"
    QUOTATION = "quotation"
    NEGATION = "negation"
    UNIVERSAL = "universal"
    CALCULATION = "calculation"
    ELSEWHERE = "elsewhere"
    UNRELATED = "unrelated"
    UNCITED = "uncited"
    UNKNOWN_SOURCE = "unknown source"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A part of a statement that its sources do not carry; `against` is the unit that says otherwise, if one does."""

    kind: FindingKind
    text: str
    against: SourceUnit | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementCheck:
    """The verdict on a statement, with the findings against it and the passages that carry it.

    `numbers` and `dates` are what it says, `computed` the numbers that no source has: what it computes, if it is right.
    """

    statement: Statement
    verdict: StatementVerdict
    findings: tuple[Finding, ...] = ()
    passages: tuple[CarryingPassage, ...] = ()
    computed: tuple[NumberMention, ...] = ()
    numbers: tuple[NumberMention, ...] = ()
    dates: tuple[DateMention, ...] = ()
