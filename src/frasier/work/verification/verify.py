"""The verification of a text against the stored sources of its mission, and the marks at what is doubtful."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from frasier.kernel.hostile_text.visible_letters import fold_letters
from frasier.kernel.source_units import Sources, SourceText
from frasier.kernel.text import shorten
from frasier.llm import CheckedStatement, Verification
from frasier.store import Database
from frasier.work.research.mission_sources import source_texts, sources_of
from frasier.work.verification.check import check_text
from frasier.work.verification.citations import cited_numbers
from frasier.work.verification.findings import Finding, FindingKind, StatementCheck, StatementVerdict

DOUBT_MARK = "[doubtful]"
"""The mark behind a statement that its sources do not carry."""

_PASSAGE_CHARS = 600
_STATEMENT_CHARS = 1_000

_REASONS = {
    FindingKind.NUMBER: "the cited sources do not have the number “{text}”",
    FindingKind.UNIT: "the cited sources have the number, but not with the unit of “{text}”",
    FindingKind.DATE: "the cited sources do not have the date “{text}”",
    FindingKind.NAME: "the cited sources do not name “{text}”",
    FindingKind.IDENTIFIER: "the cited sources do not have “{text}”",
    FindingKind.QUOTATION: "the cited sources do not say “{text}” word for word",
    FindingKind.NEGATION: "the source says the opposite",
    FindingKind.UNIVERSAL: "the source does not say all, only, always or never of it",
    FindingKind.CALCULATION: "the calculation “{text}” is wrong",
    FindingKind.ELSEWHERE: "the source says “{text}” of something else",
    FindingKind.UNRELATED: "the cited sources say nothing of “{text}”",
    FindingKind.UNCITED: "it cites no source",
    FindingKind.UNKNOWN_SOURCE: "{text} is no source of this mission",
}

_UNRELATED_AS_A_WHOLE = "the cited sources say nothing of it"


async def verify_text(database: Database, mission_id: UUID, markdown: str) -> Verification:
    """Compare each statement of a text with the sources that it cites. Without any source nothing can be checked."""
    async with database.transaction() as tx:
        texts = await source_texts(tx, mission_id, set(cited_numbers(markdown)))
        can_cite = bool(texts) or bool(await sources_of(tx, mission_id))
    # A long text over many sources takes seconds, in which the lease must be renewed.
    return await asyncio.to_thread(_verify, markdown, texts, can_cite=can_cite)


def _verify(markdown: str, texts: Iterable[SourceText], *, can_cite: bool) -> Verification:
    # The statements are compared as they are read; their sources have their lengths, and so their places.
    sources = Sources(by_number={text.number: replace(text, text=fold_letters(text.text)) for text in texts})
    checks = check_text(without_marks(markdown), sources)
    if not can_cite:
        checks = [check if check.statement.cited else _unchecked(check) for check in checks]
    return Verification(statements=tuple(_checked(check) for check in checks))


def _unchecked(check: StatementCheck) -> StatementCheck:
    return StatementCheck(statement=check.statement, verdict=StatementVerdict.UNCHECKED)


def _checked(check: StatementCheck) -> CheckedStatement:
    return CheckedStatement(
        text=shorten(check.statement.text, _STATEMENT_CHARS),
        markdown=check.statement.markdown,
        verdict=check.verdict.value,
        cited=check.statement.cited,
        findings=tuple(
            dict.fromkeys(
                _UNRELATED_AS_A_WHOLE if _means_all_of(check, finding) else _reason(finding)
                for finding in check.findings
            )
        ),
        passages=tuple(
            replace(passage, text=shorten(passage.text, _PASSAGE_CHARS)) for passage in check.passages
        ),
    )


def _means_all_of(check: StatementCheck, finding: Finding) -> bool:
    """Return whether the sources say nothing of a whole statement, whose words its reason need not repeat."""
    return finding.kind is FindingKind.UNRELATED and finding.text == check.statement.text


def _reason(finding: Finding) -> str:
    return _REASONS[finding.kind].format(text=shorten(finding.text, 120))


def mark_doubtful(markdown: str, statements: Sequence[CheckedStatement]) -> str:
    """Put the mark behind each doubtful statement of a text; `statements` are those of the text, in its order."""
    text = without_marks(markdown)
    for place in reversed(locate_statements(text, statements)):
        if place.statement.verdict == StatementVerdict.DOUBTFUL:
            text = f"{text[: place.end]} {DOUBT_MARK}{text[place.end :]}"
    return text


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementPlace:
    """The place of a statement in a text without marks: of a row to the end of its last cell."""

    statement: CheckedStatement
    start: int
    end: int


def locate_statements(text: str, statements: Sequence[CheckedStatement]) -> list[StatementPlace]:
    """Return the places of the statements of a text without marks, in its order; those not found have none."""
    places = []
    position = 0
    for statement in statements:
        match = _pattern(statement.markdown).search(text, position)
        if match is None:
            continue
        position = match.end()
        end = _end_of_statement(text, match)
        places.append(StatementPlace(statement=statement, start=match.start(), end=end))
    return places


def _pattern(statement: str) -> re.Pattern[str]:
    """The statement with any blanks and line breaks between its words."""
    return re.compile(r"\s+".join(re.escape(word) for word in statement.split()))


def _end_of_statement(text: str, match: re.Match[str]) -> int:
    """The end of a sentence, or of the last cell of a row."""
    end = match.end()
    while text[:end].endswith(("|", " ")) and end > match.start():
        end -= 1
    return end


def without_marks(markdown: str) -> str:
    """Remove the marks of an earlier verification."""
    return markdown.replace(f" {DOUBT_MARK}", "").replace(DOUBT_MARK, "")
