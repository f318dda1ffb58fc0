"""Questions that wait for the founder."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

from frasier.kernel.advice import Advice
from frasier.org.conversation import ASKS_FOR_WORDS, STEP_RESOLUTIONS, TROUBLE
from frasier.org.governance import FounderQuestion, budgets_asked, questions_about, shown_digest
from frasier.store import Tx

_NAMED_MAX = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingQuestion:
    """A question that waits for the founder's answer, which is one of `options`; to one that
    `asks_for_words` any text is an answer. `advice` names what can be done
    before. One cause is one question about all the `tasks` of the `missions` that it stopped; `task` and `mission` are
    the first. `digest` names exactly what is asked, for an answer that holds for nothing else. To go on where a
    mission's budget is used up needs `budget_least_usd` in all; `budget_proposed_usd` is given where no other is named.
    """

    question: UUID
    kind: str
    mission: UUID | None
    missions: tuple[UUID, ...]
    task: UUID | None
    tasks: tuple[UUID, ...]
    text: str
    advice: tuple[Advice, ...]
    options: tuple[str, ...]
    asked_at: datetime
    digest: str
    budget_least_usd: float | None = None
    budget_proposed_usd: float | None = None

    @property
    def is_about_trouble(self) -> bool:
        """Whether work stopped for a cause that is to be removed; any other question is a part of the work."""
        return self.kind == TROUBLE

    @property
    def asks_for_words(self) -> bool:
        """Whether any text is an answer."""
        return self.kind in ASKS_FOR_WORDS


def waiting_questions(questions: Iterable[FounderQuestion]) -> tuple[WaitingQuestion, ...]:
    """Return open questions as views show them: those of one cause as one, at the place of the first."""
    entries: dict[tuple[object, ...], list[FounderQuestion]] = {}
    for question in questions:
        entries.setdefault(question.entry, []).append(question)
    return tuple(map(_entry, entries.values()))


async def seconds_of_waiting(tx: Tx, task_ids: Iterable[UUID], now: datetime) -> float:
    """Return the seconds in which tasks waited for the founder, until `now`."""
    questions = [question for task_id in task_ids for question in await questions_about(tx, task_id)]
    waited, reached = 0.0, datetime.min.replace(tzinfo=UTC)
    for question in sorted(questions, key=lambda one: one.asked_at):
        settled = min(question.answered_at or question.withdrawn_at or now, now)
        waited += max((settled - max(question.asked_at, reached)).total_seconds(), 0.0)
        reached = max(reached, settled)
    return waited


def _options(first: FounderQuestion, *, missions: int, tasks: int) -> tuple[str, ...]:
    """Return the answers to an entry. The first goes on with all that it stopped; of several missions, the one to be
    cancelled is named, and of several steps each is decided by itself.
    """
    if missions > 1:
        return tuple(first.options[:1])
    return tuple(one for one in first.options if tasks == 1 or one not in STEP_RESOLUTIONS)


def _entry(questions: list[FounderQuestion]) -> WaitingQuestion:
    first = questions[0]
    missions = tuple(dict.fromkeys(question.mission_id for question in questions if question.mission_id))
    subjects = [question.subject for question in questions]
    named = ", ".join(subjects[:_NAMED_MAX])
    if others := len(subjects[_NAMED_MAX:]):
        named += f" and {others} more"
    least, proposed = (*(micros / 1_000_000 for micros in budgets_asked(first.advice)), None, None)[:2]
    return WaitingQuestion(
        question=first.id,
        kind=first.kind,
        mission=first.mission_id,
        missions=missions,
        task=first.task_id,
        tasks=tuple(question.task_id for question in questions if question.task_id),
        text=first.question if len(questions) == 1 else f"{named}: {first.cause}",
        advice=first.advice,
        options=_options(first, missions=len(missions), tasks=len(questions)),
        asked_at=first.asked_at,
        digest=shown_digest(questions),
        budget_least_usd=least,
        budget_proposed_usd=proposed,
    )
