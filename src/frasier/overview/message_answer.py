"""The answer to a message of the founder's, as far as it is."""

from __future__ import annotations

from dataclasses import dataclass

from frasier.board import blocked_tasks
from frasier.org.conversation import FounderMessage, MessageIntent, find_message, read_message
from frasier.store import Tx
from frasier.work import OmittedRule, phases_of, rules_left_out
from frasier.workflow import BLOCKED, get_task


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerProgress:
    """A message with its answer, once it has one. `blocked` tells what the answer waits for, and `ended` how its task
    ended; each is empty where that is not so. `phase` is the last that has ended of the run, empty before the first.
    """

    message: FounderMessage
    blocked: str
    ended: str
    phase: str
    rules_left_out: tuple[OmittedRule, ...]


async def read_answer(tx: Tx, name: str) -> AnswerProgress:
    """Read how far the answer to a message is; `name` is its id, its beginning or end, or "last"."""
    found = await find_message(tx, name)
    message_id = found.id
    if found.intent is MessageIntent.REVISE:
        # It is answered as it is stored: the mission itself makes the new version.
        return AnswerProgress(message=found, blocked="", ended="", phase="", rules_left_out=())
    # The task first: with its end the answer was written, which a message read before would lack.
    task = await get_task(tx, message_id)
    message = await read_message(tx, message_id)
    blocks = await blocked_tasks(tx, message_id) if task.status == BLOCKED else []
    return AnswerProgress(
        message=message,
        blocked=blocks[0].reasons[-1]["reason"] if blocks else "",
        ended=(task.failure or task.status) if task.terminal else "",
        phase=(await phases_of(tx, [message_id])).get(message_id, [""])[-1],
        rules_left_out=tuple(await rules_left_out(tx, [task])) if message.answered_at else (),
    )
