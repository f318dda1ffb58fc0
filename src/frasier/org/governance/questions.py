"""Questions that only the founder can settle, and the founder's recorded, single-use answers."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from uuid import UUID

from psycopg import errors
from psycopg.rows import DictRow
from psycopg.types.json import Jsonb

from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvalidInput, NotFound, Stale
from frasier.kernel.fault_points import fault_point
from frasier.kernel.ids import ID_PART_MIN, matching_id, new_id, only_match, parse_id
from frasier.kernel.text import fingerprint
from frasier.llm import to_usd_micros
from frasier.store import Statements, Tx, append_event

_sql = Statements("frasier.org.governance")


@dataclass(frozen=True, slots=True, kw_only=True)
class FounderQuestion:
    """A question that waits for the founder. `bound_to` fingerprints the subject of the answer, `digest` names what was
    shown with it, if an answer holds for exactly that.

    `advice` names what the founder can do before answering. `cause` is what stopped the task, as the end of the
    question says it; empty if nothing did. `cause_key` names a cause that others say in other words.
    """

    id: UUID
    kind: str
    mission_id: UUID | None
    task_id: UUID | None
    question: str
    options: list[str]
    bound_to: str
    asked_at: datetime
    answer: str | None
    note: str | None
    answered_at: datetime | None
    withdrawn_at: datetime | None
    advice: tuple[Advice, ...]
    cause: str
    cause_key: str
    digest: str

    @property
    def entry(self) -> tuple[object, ...]:
        """The key of the entry to which it belongs: questions with one cause are one, of one mission, or of all where
        the cause has a key.
        """
        if self.cause_key:
            return (self.kind, self.cause_key)
        return (self.mission_id, self.kind, self.cause) if self.cause else (self.id,)

    @property
    def entry_key(self) -> str:
        """The same as text, for the keys of what is told of the entry."""
        return fingerprint(*map(str, self.entry))[:16]

    @property
    def subject(self) -> str:
        """The name of what was stopped."""
        return self.question.removesuffix(self.cause).rstrip(": ")


def budgets_asked(advice: Sequence[Advice]) -> tuple[int, ...]:
    """Return in micro-dollars what the next call needs, and what the whole mission does where that is known; empty of
    a question about anything else than a mission's budget.
    """
    amounts = (one.arguments.get("budget") for one in advice if one.action == "mission.resume")
    return tuple(to_usd_micros(Decimal(str(amount))) for amount in amounts if amount)


async def ask_founder(
    tx: Tx,
    *,
    kind: str,
    mission_id: UUID | None,
    task_id: UUID | None,
    question: str,
    options: list[str],
    place: tuple[object, ...],
    advice: Sequence[Advice] = (),
    cause: str = "",
    cause_key: str = "",
    digest: str = "",
) -> UUID | None:
    """Ask once; return None, changing nothing, if the same question about the same place was asked before.

    `place` binds the answer (task, status, attempt, content): an answer for another place is refused. `digest` names
    what the founder is shown with the question.
    """
    question_id = new_id()
    try:
        async with tx.transaction():
            await _sql.run(
                tx,
                "insert_question",
                id=question_id,
                kind=kind,
                mission_id=mission_id,
                task_id=task_id,
                question=question,
                options=options,
                bound_to=fingerprint(question, options, *place),
                digest=digest,
                advice=Jsonb([item.as_dict() for item in advice]),
                cause=cause,
                cause_key=cause_key,
            )
    except errors.UniqueViolation:
        return None
    return question_id


async def open_questions(tx: Tx) -> list[FounderQuestion]:
    """Return the open questions, oldest first."""
    return [_question(row) for row in await _sql.all(tx, "open_questions")]


async def questions_of_entry(tx: Tx, question: FounderQuestion) -> list[FounderQuestion]:
    """Return the open questions that are one entry with `question`, itself included, oldest first."""
    return [one for one in await open_questions(tx) if one.entry == question.entry]


def shown_digest(questions: Sequence[FounderQuestion]) -> str:
    """Name exactly what the questions of an entry show, so that an answer can be bound to it."""
    return fingerprint([[str(one.id), one.bound_to, one.digest, one.options] for one in questions])[:32]


async def questions_about(tx: Tx, task_id: UUID) -> list[FounderQuestion]:
    """Return every question about a task, open, answered or withdrawn, oldest first."""
    return [_question(row) for row in await _sql.all(tx, "questions_about", task_id=task_id)]


async def answered_questions(tx: Tx, mission_id: UUID, kinds: Collection[str]) -> list[FounderQuestion]:
    """Return the answered questions of a mission of some kinds, oldest answer first."""
    rows = await _sql.all(tx, "answered_questions", mission_id=mission_id, kinds=list(kinds))
    return [_question(row) for row in rows]


async def last_settled_at(tx: Tx, task_id: UUID) -> datetime | None:
    """Return the time when the founder last settled a question about the task; None if never."""
    at: datetime | None = (await _sql.one(tx, "last_settled_at", task_id=task_id))["at"]
    return at


async def find_question(tx: Tx, text: str) -> FounderQuestion:
    """Find the open question by its id, or by a unique beginning or end of at least four characters."""
    if len(text) < ID_PART_MIN:
        raise InvalidInput(f"{text!r} is too short for an id.", advice=Advice("inbox.show", to="see the ids"))
    matches = matching_id(text, await open_questions(tx))
    question = only_match(text, "questions", matches, lambda question: str(question.id))
    if question is not None:
        return question
    stored = parse_id(text)
    row = await _sql.maybe(tx, "get_question", id=stored) if stored else None
    if row is not None:
        raise _settled()
    raise NotFound(
        f"No open question has the id {text!r}.", advice=Advice("inbox.show", to="see what is open")
    )


def _settled() -> Stale:
    return Stale(
        "That question was answered or withdrawn already; an answer is used once.",
        kept="Nothing was changed.",
        advice=Advice("inbox.show", to="see what is open"),
    )


async def answer_question(tx: Tx, question: FounderQuestion, answer: str, *, note: str, actor: str) -> None:
    """Record the founder's answer; exactly one answer wins."""
    if answer not in question.options:
        raise InvalidInput(
            f"{answer!r} is not an answer to this question.",
            hint=f"Choose one of: {', '.join(question.options)}.",
        )
    if not await _sql.run(tx, "answer_question", id=question.id, answer=answer, note=note):
        raise _settled()
    fault_point("question.answered")
    await append_event(
        tx,
        stream=question.mission_id or question.id,
        kind="founder.decided",
        actor=actor,
        payload={
            "question": question.question,
            "answer": answer,
            "note": note,
            "bound_to": question.bound_to,
        },
    )


async def withdraw_questions(tx: Tx, task_id: UUID | None = None, *, mission_id: UUID | None = None) -> None:
    """Withdraw the open questions about a task, or a whole mission, that moved on without an answer."""
    await _sql.run(tx, "withdraw_questions", task_id=task_id, mission_id=mission_id)


def _question(row: DictRow) -> FounderQuestion:
    return FounderQuestion(**row | {"advice": tuple(Advice.from_dict(stored) for stored in row["advice"])})
