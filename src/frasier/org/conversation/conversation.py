"""The conversation with the founder: its turns, each a memory of its own with the topics that it is about (D-008).

What the founder says, asks and directs, the answers, and the outcomes of missions are turns of one thread.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from frasier.kernel.text import shorten
from frasier.memory import SHARED_SCOPE, Memory, MemoryKind, NewMemory, recent_of_thread, save_memory
from frasier.org.conversation.topics import topics_of
from frasier.org.missions import REHEARSAL, Mission
from frasier.org.people import chief_of_staff
from frasier.store import Tx

FOUNDER_SPEAKS, CHIEF_SPEAKS = "founder", "frasier"

_THREAD = "founder"
_TOPICS_MAX = 8
_OPENING_CHARS = 600


async def save_turn(
    tx: Tx,
    text: str,
    *,
    speaker: str,
    message_id: UUID | None = None,
    mission_id: UUID | None = None,
    rehearsal: bool = False,
) -> None:
    """Store a turn of the conversation. One that names no topic goes on with those of the turn before."""
    before = await recent_of_thread(tx, SHARED_SCOPE, _THREAD, 1)
    is_founder = speaker == FOUNDER_SPEAKS
    own, earlier = topics_of(text), before[-1].tags if before else ()
    answers_it = bool(before) and message_id is not None and _message(before[-1]) == str(message_id)
    topics = (*earlier, *own) if answers_it else own or earlier
    about = {"message": message_id, "mission": mission_id}
    origin: dict[str, Any] = {name: str(value) for name, value in about.items() if value}
    if not is_founder:
        origin[REHEARSAL] = rehearsal
    await save_memory(
        tx,
        NewMemory(
            kind=MemoryKind.CONVERSATION,
            scope=SHARED_SCOPE,
            title=speaker,
            content=text,
            tags=tuple(dict.fromkeys(topics))[:_TOPICS_MAX],
            importance=8 if is_founder else 7,
            agent_id=(await chief_of_staff(tx)).id,
            thread=_THREAD,
            provenance=origin | {"speaker": speaker},
        ),
        founder=is_founder,
    )


async def save_outcome(tx: Tx, mission: Mission, text: str, *, result: str = "") -> None:
    """Store how a mission ended as a turn of the chief of staff, with the beginning of its `result`."""
    opening = f"\nIt begins: {shorten(' '.join(result.split()), _OPENING_CHARS)}" if result else ""
    await save_turn(
        tx, f"{text}{opening}", speaker=CHIEF_SPEAKS, mission_id=mission.id, rehearsal=mission.rehearsal
    )


async def last_turns(
    tx: Tx, limit: int, *, rehearsed: bool, before_message: UUID, mission_id: UUID | None = None
) -> list[Memory]:
    """Return the last turns before a message, oldest first; of the conversation about a mission, if one is named.

    Unless `rehearsed`, what a rehearsal said is left out.
    """
    # Those of the message itself are among them; of a conversation about one mission others may lie between.
    reach = limit + 2 if mission_id is None else 8 * limit
    without = None if rehearsed else REHEARSAL
    turns = await recent_of_thread(tx, SHARED_SCOPE, _THREAD, reach, without=without)
    at = next((at for at, turn in enumerate(turns) if _message(turn) == str(before_message)), len(turns))
    earlier = turns[:at]
    if mission_id is not None:
        earlier = [turn for turn in earlier if turn.provenance.get("mission") == str(mission_id)]
    return earlier[-limit:]


def topics_before(turns: Sequence[Memory]) -> tuple[str, ...]:
    """Return the topics of the newest of some turns."""
    return turns[-1].tags if turns else ()


def _message(turn: Memory) -> str | None:
    return turn.provenance.get("message")
