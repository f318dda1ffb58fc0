"""Questions that wait for the founder."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from frasier.kernel.advice import Advice
from frasier.org.governance import FounderQuestion


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingQuestion:
    """A question that waits for the founder's answer, which is one of `options`. `advice` names what can be done
    before.
    """

    question: UUID
    kind: str
    mission: UUID | None
    task: UUID | None
    text: str
    advice: tuple[Advice, ...]
    options: tuple[str, ...]
    asked_at: datetime


def question_of(question: FounderQuestion) -> WaitingQuestion:
    """Return an open question as views show it."""
    return WaitingQuestion(
        question=question.id,
        kind=question.kind,
        mission=question.mission_id,
        task=question.task_id,
        text=question.question,
        advice=question.advice,
        options=tuple(question.options),
        asked_at=question.asked_at,
    )
