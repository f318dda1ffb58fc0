"""Messages of the founder: stored, classified and answered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.rows import DictRow
from psycopg.types.json import Jsonb

from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvalidInput, NotFound
from frasier.kernel.ids import new_id
from frasier.kernel.limits import DIRECTIVE_CHARS_MAX
from frasier.kernel.text import shorten, strip_control
from frasier.llm.reply_schemas import ClassifyReply
from frasier.memory import SHARED_SCOPE, MemoryKind, NewMemory, save_memory
from frasier.org.people import chief_of_staff
from frasier.org.planning.deliverables import REHEARSAL
from frasier.store import Statements, Tx
from frasier.workflow import FOUNDER, NewTask, create_tasks

_sql = Statements("frasier.org.planning")


@dataclass(frozen=True, slots=True, kw_only=True)
class FounderMessage:
    """A message and, once it is understood, its classification and consequences.

    `directives` are the standing directives recorded from it; `advice` is the stored advice for the founder.
    """

    id: UUID
    text: str
    classification: str | None
    confidence: float | None
    reasoning: str | None
    answer: str | None
    mission_id: UUID | None
    directives: list[UUID]
    created_at: datetime
    answered_at: datetime | None
    advice: list[dict[str, Any]]


async def say(tx: Tx, text: str) -> FounderMessage:
    """Store a message of the founder, and give the chief of staff the task of answering it."""
    message = strip_control(text).strip()
    if not message:
        raise InvalidInput("The message is empty.", kept="Nothing was stored.")
    if len(message) > DIRECTIVE_CHARS_MAX:
        raise InvalidInput(
            f"The message has {len(message):,} characters; the most is {DIRECTIVE_CHARS_MAX:,}.",
            kept="Nothing was stored.",
        )
    message_id = new_id()
    await _sql.run(tx, "insert_message", id=message_id, text=message)
    chief = await chief_of_staff(tx)
    await save_memory(
        tx, _turn(message, "founder", message_id, chief.id, importance=8, rehearsal=False), founder=True
    )
    task = NewTask(
        id=message_id,
        process="talk",
        slug="answer",
        title=shorten(f"Answer: {message}", 120),
        group_id=message_id,
        assignee=chief.id,
        priority=20,
    )
    await create_tasks(tx, [task], actor=FOUNDER)
    return await read_message(tx, message_id)


async def read_message(tx: Tx, message_id: UUID) -> FounderMessage:
    """Return the message; raise NotFound."""
    row = await _sql.maybe(tx, "get_message", id=message_id)
    if row is None:
        raise NotFound(f"There is no message {message_id}.")
    return _message(row)


async def answer_message(
    tx: Tx,
    message: FounderMessage,
    understood: ClassifyReply,
    *,
    answer: str,
    mission_id: UUID | None,
    directives: Sequence[UUID] = (),
    advice: Sequence[Advice] = (),
    rehearsal: bool,
) -> None:
    """Store the classification of a message and the answer, once; a `rehearsal` answered without a model."""
    await _sql.run(
        tx,
        "answer_message",
        id=message.id,
        classification=understood.classification,
        confidence=understood.confidence,
        reasoning=understood.reasoning,
        answer=answer,
        mission_id=mission_id,
        directives=list(directives),
        advice=Jsonb([item.as_dict() for item in advice]),
    )
    chief = await chief_of_staff(tx)
    await save_memory(tx, _turn(answer, "frasier", message.id, chief.id, importance=7, rehearsal=rehearsal))


def _turn(
    text: str, who: str, message_id: UUID, agent_id: UUID, *, importance: int, rehearsal: bool
) -> NewMemory:
    return NewMemory(
        kind=MemoryKind.CONVERSATION,
        scope=SHARED_SCOPE,
        title=who,
        content=text,
        importance=importance,
        agent_id=agent_id,
        thread="founder",
        provenance={"message": str(message_id), "speaker": who, REHEARSAL: rehearsal},
    )


def _message(row: DictRow) -> FounderMessage:
    return FounderMessage(**row)
