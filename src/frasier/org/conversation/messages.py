"""Messages of the founder: stored, classified and answered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from psycopg.rows import DictRow
from psycopg.types.json import Jsonb
from pydantic import TypeAdapter

from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvalidInput, InvariantBroken, NotFound
from frasier.kernel.ids import new_id, parse_id
from frasier.kernel.limits import DIRECTIVE_CHARS_MAX
from frasier.kernel.text import shorten, strip_control
from frasier.llm import Verification
from frasier.llm.reply_schemas import ClassifyReply
from frasier.org.conversation.attachments import Attachment, add_attachments
from frasier.org.conversation.conversation import CHIEF_SPEAKS, FOUNDER_SPEAKS, save_turn
from frasier.org.conversation.escalation_answers import ASKS_FOR_WORDS
from frasier.org.governance import answered_questions
from frasier.org.people import chief_of_staff
from frasier.store import Statements, Tx, find_row
from frasier.workflow import FOUNDER, NewTask, create_tasks, get_task

_sql = Statements("frasier.org.conversation")
_VERIFICATION = TypeAdapter(Verification)


class MessageIntent(StrEnum):
    """The purpose of a message: anything, or about a mission a question, a new version or a change of what is left."""

    SAY = "say"
    ASK = "ask"
    REVISE = "revise"
    STEER = "steer"


@dataclass(frozen=True, slots=True, kw_only=True)
class FounderMessage:
    """A message and, once it is understood, its classification and consequences.

    `directives` are the standing directives recorded from it; `advice` is the stored advice for the founder.
    `mission_id` is the mission that it is about, or that it started. `verification` is that of an answer from the
    evidence of a mission.
    """

    id: UUID
    text: str
    intent: MessageIntent
    classification: str | None
    confidence: float | None
    reasoning: str | None
    answer: str | None
    mission_id: UUID | None
    directives: list[UUID]
    created_at: datetime
    answered_at: datetime | None
    advice: list[dict[str, Any]]
    verification: Verification | None

    @property
    def about(self) -> UUID:
        """The mission that a message about one is about."""
        if self.mission_id is None:
            raise InvariantBroken(f"the message {self.id} is about no mission")
        return self.mission_id


async def say(tx: Tx, text: str, attachments: Sequence[Attachment] = ()) -> FounderMessage:
    """Store a message of the founder with its files, and give the chief of staff the task of answering it."""
    return await ask_for_answer(tx, text, attachments=attachments)


async def ask_for_answer(
    tx: Tx,
    text: str,
    *,
    intent: MessageIntent = MessageIntent.SAY,
    mission_id: UUID | None = None,
    attachments: Sequence[Attachment] = (),
) -> FounderMessage:
    """Store a message and give the chief of staff the task of answering it.

    One that still waits for its answer is not stored again: said once more, it is waited for.
    """
    if not attachments and (waiting := await _unanswered(tx, text, intent, mission_id)):
        return waiting
    message = await store_message(tx, text, intent=intent, mission_id=mission_id)
    await add_attachments(tx, message.id, attachments)
    await assign_answer(tx, message)
    return message


async def _unanswered(
    tx: Tx, text: str, intent: MessageIntent, mission_id: UUID | None
) -> FounderMessage | None:
    row = await _sql.maybe(
        tx, "newest_unanswered", text=check_message(text), intent=intent, mission_id=mission_id
    )
    if row is None or (await get_task(tx, row["id"])).terminal:
        return None
    return _message(row)


async def store_message(
    tx: Tx, text: str, *, intent: MessageIntent = MessageIntent.SAY, mission_id: UUID | None = None
) -> FounderMessage:
    """Store a message as a turn of the conversation; what it says about a mission names that."""
    message = check_message(text)
    message_id = new_id()
    await _sql.run(tx, "insert_message", id=message_id, text=message, intent=intent, mission_id=mission_id)
    await save_turn(tx, message, speaker=FOUNDER_SPEAKS, message_id=message_id, mission_id=mission_id)
    return await read_message(tx, message_id)


def check_message(text: str) -> str:
    """Return a message as it is stored; raise InvalidInput for one that is empty or too long."""
    message = strip_control(text).strip()
    if not message:
        raise InvalidInput("The message is empty.", kept="Nothing was stored.", hint="Write a sentence.")
    if len(message) > DIRECTIVE_CHARS_MAX:
        raise InvalidInput(
            f"The message has {len(message):,} characters; the most is {DIRECTIVE_CHARS_MAX:,}.",
            kept="Nothing was stored.",
            hint="Shorten it, or give the long text as a source of a mission.",
        )
    return message


async def assign_answer(tx: Tx, message: FounderMessage) -> None:
    """Give the chief of staff the task of answering a stored message."""
    task = NewTask(
        id=message.id,
        process="talk",
        slug="answer",
        title=shorten(f"Answer: {message.text}", 120),
        group_id=message.id,
        assignee=(await chief_of_staff(tx)).id,
        priority=20,
    )
    await create_tasks(tx, [task], actor=FOUNDER)


async def read_message(tx: Tx, message_id: UUID) -> FounderMessage:
    """Return the message; raise NotFound."""
    row = await _sql.maybe(tx, "get_message", id=message_id)
    if row is None:
        raise NotFound(f"There is no message {message_id}.")
    return _message(row)


async def find_message(tx: Tx, text: str) -> FounderMessage:
    """Find a message by its id, or a unique end or beginning of it; "last" means the newest."""
    if (exact := parse_id(text)) is not None:
        return await read_message(tx, exact)
    row = await find_row(
        tx,
        _sql,
        "messages_like",
        text,
        what="messages",
        label=lambda row: f"{row['id']} ({shorten(row['text'], 40)})",
    )
    if row is None:
        raise NotFound(
            "There is no message yet." if text == "last" else f"There is no message {text[:60]!r}."
        )
    return _message(row)


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageAnswer:
    """The answer to a message with its consequences.

    `understood` is the classification of one that was said, `verification` that of an answer about a mission.
    `rehearsal` tells that no model gave it.
    """

    text: str
    rehearsal: bool
    understood: ClassifyReply | None = None
    mission_id: UUID | None = None
    directives: Sequence[UUID] = ()
    advice: Sequence[Advice] = ()
    verification: Verification | None = None


async def answer_message(tx: Tx, message: FounderMessage, answer: MessageAnswer) -> None:
    """Store the answer to a message, once, as the next turn of the conversation."""
    mission_id = answer.mission_id or message.mission_id
    understood = answer.understood
    await _sql.run(
        tx,
        "answer_message",
        id=message.id,
        classification=understood.classification if understood else None,
        confidence=understood.confidence if understood else None,
        reasoning=understood.reasoning if understood else None,
        answer=answer.text,
        mission_id=mission_id,
        directives=list(answer.directives),
        advice=Jsonb([item.as_dict() for item in answer.advice]),
        verification=Jsonb(asdict(answer.verification)) if answer.verification else None,
    )
    await save_turn(
        tx,
        answer.text,
        speaker=CHIEF_SPEAKS,
        message_id=message.id,
        mission_id=mission_id,
        rehearsal=answer.rehearsal,
    )


async def amendments_of(tx: Tx, mission_id: UUID) -> tuple[str, ...]:
    """Return what the founder changed of a mission since its directive, oldest first."""
    rows = await _sql.all(tx, "amendments_of", mission_id=mission_id)
    return tuple(row["text"] for row in rows)


async def answers_of(tx: Tx, mission_id: UUID) -> tuple[str, ...]:
    """Return what the founder answered to questions about a mission that asked for words, each with its question."""
    return tuple(
        f"{question.question} The founder answered: {question.note}"
        for question in await answered_questions(tx, mission_id, ASKS_FOR_WORDS)
        if question.note
    )


async def messages_about(tx: Tx, mission_id: UUID, *, limit: int) -> list[FounderMessage]:
    """Return the newest messages about a mission, oldest first."""
    rows = await _sql.all(tx, "messages_about", mission_id=mission_id, limit=limit)
    return [_message(row) for row in reversed(rows)]


async def said_messages(tx: Tx, *, limit: int) -> list[FounderMessage]:
    """Return the newest messages to the chief of staff, newest first."""
    return [_message(row) for row in await _sql.all(tx, "said_messages", limit=limit)]


def _message(row: DictRow) -> FounderMessage:
    verification = row["verification"]
    checked = None if verification is None else _VERIFICATION.validate_python(verification)
    return FounderMessage(**row | {"intent": MessageIntent(row["intent"]), "verification": checked})
