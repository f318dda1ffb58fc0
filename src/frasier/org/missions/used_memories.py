"""The memories that a mission's prompts were given: noted with the context, and judged by the verdict on the work."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from frasier.kernel.text import shorten
from frasier.memory import SHARED_SCOPE, Caller, Memory, MemoryKind, WorkOutcome, agent_scope, record_outcome
from frasier.store import Statements, Tx

_sql = Statements("frasier.org.missions")

_TITLE_CHARS = 200
_CONTENT_CHARS = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class UsedMemory:
    """A memory that the prompts of an agent for a task were given, as it was then.

    `outcome` is that of the work, once it is judged.
    """

    task_id: UUID
    agent_id: UUID
    memory_id: UUID
    kind: MemoryKind
    title: str
    content: str
    outcome: str | None


async def note_used_memories(
    tx: Tx, *, task_id: UUID, mission_id: UUID, agent_id: UUID, memories: Sequence[Memory]
) -> None:
    """Note the memories that an agent's prompts for a task are given."""
    used = list({memory.id: memory for memory in memories}.values())
    if not used:
        return
    await _sql.run(
        tx,
        "note_used_memories",
        task_id=task_id,
        mission_id=mission_id,
        agent_id=agent_id,
        ids=[memory.id for memory in used],
        kinds=[str(memory.kind) for memory in used],
        titles=[shorten(memory.title, _TITLE_CHARS) for memory in used],
        contents=[shorten(memory.content, _CONTENT_CHARS) for memory in used],
    )


async def judge_lessons(tx: Tx, task_ids: Sequence[UUID], outcome: WorkOutcome) -> None:
    """Record the verdict on work for the lessons that it used, each once, however many agents were told of it.

    What was deleted meanwhile is left out.
    """
    rows = await _sql.all(
        tx,
        "judge_used_memories",
        task_ids=list(task_ids),
        kind=str(MemoryKind.LESSON),
        outcome=str(outcome),
    )
    if rows:
        agents = (agent_scope(agent_id) for agent_id in sorted({row["agent_id"] for row in rows}))
        caller = Caller(name="the organisation", scopes=(SHARED_SCOPE, *agents))
        lessons = sorted({row["memory_id"] for row in rows})
        await record_outcome(tx, caller, lessons, outcome, only_existing=True)


async def used_memories(tx: Tx, mission_id: UUID) -> list[UsedMemory]:
    """Return the memories that a mission's tasks used, in the order of their use."""
    return await _sql.all_as(UsedMemory, tx, "used_memories", mission_id=mission_id)
