"""A short sentence about an event of a task. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from frasier.kernel.humanize import ended, person

if TYPE_CHECKING:
    from frasier.interfaces.operations.tasks.history import (
        EventDecision,
        EventEvidence,
        EventOutput,
        SentEffect,
    )

_DIGEST_CHARS = 8


def sentence_of(event: EventOutput) -> str:
    """Describe the subject of an event, else the fields that it filled; and what the founder answered."""
    subject = _subject(event)
    if not event.founder_answer:
        return subject
    answer = f'the founder answered: "{event.founder_answer}"'
    return f"{subject}; {answer}" if subject else answer


def _subject(event: EventOutput) -> str:
    if event.evidence:
        return _evidence(event.evidence)
    if event.decision:
        return _decision(event.decision, event.said)
    if event.sent:
        return _sent(event.sent)
    if event.owner:
        return f"{event.said} — {event.owner} must {event.action}"
    if event.filled or event.emptied:
        return _changes(event)
    return event.said or ", ".join(event.fields)


def _evidence(evidence: EventEvidence) -> str:
    """Describe the link or command, its result, and the digest of the content."""
    link = evidence.kind == "link"
    counts = "" if evidence.total is None else f"{evidence.passed} of {evidence.total} tests passed"
    well = "it resolves" if link else counts or "it ended well"
    exited = "it failed" if evidence.exit_code is None else f"exit code {evidence.exit_code}"
    result = well if evidence.holds else evidence.why or counts or exited
    mark = "✓" if evidence.holds else "✗"
    shown = evidence.holds and evidence.digest
    digest = f" (SHA-256 {evidence.digest[:_DIGEST_CHARS]}…)" if shown else ""
    return f"{mark} {'link' if link else 'command'} {evidence.subject}: {result}{digest}"


def _decision(decision: EventDecision, remark: str) -> str:
    """Describe the move, who was asked, and how it ended."""
    about = decision.move if decision.version is None else f"{decision.move}, version {decision.version}"
    if decision.asked_of is None:
        return f"{about}: {remark}" if remark else about
    return f"{about}, of the {decision.asked_of}: {_outcome(decision)}"


def _outcome(decision: EventDecision) -> str:
    comment = f": {ended(decision.comment)}" if decision.comment else ""
    if decision.answer is None and decision.replaced:
        return "withdrawn, as another request replaced it"
    if decision.answer is None:
        return "withdrawn, as the task was changed" if decision.withdrawn_at else "not answered yet"
    by = f"{decision.answer} by {person(decision.answered_by or '')}"
    if decision.answer == "rejected":
        return f"{by}{comment}"
    if decision.used_at:
        return f"{by}, and used{comment}"
    return f"{by}, not used{' before the task was changed' if decision.withdrawn_at else ' yet'}{comment}"


def _sent(sent: SentEffect) -> str:
    failed = f" ({sent.error})" if sent.error else ""
    return f"{sent.text or sent.effect or ''}{failed}"


def _changes(event: EventOutput) -> str:
    filled = [f"{name} = {value}" for name, value in event.filled.items()]
    emptied = [f"{name} was emptied" for name in event.emptied]
    cleared = [f"{name} was cleared" for name in event.judgements_cleared if name not in event.emptied]
    return "; ".join([*filled, *emptied, *cleared])
