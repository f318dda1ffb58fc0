"""Decisions in the memory: the founder's answers, which later prompts are told, and the plans that were carried out."""

from __future__ import annotations

from collections.abc import Sequence

from frasier.kernel.text import shorten
from frasier.memory import SHARED_SCOPE, MemoryKind, NewMemory, save_memory
from frasier.org.governance import FounderQuestion
from frasier.org.missions.deliverables import REHEARSAL
from frasier.org.missions.missions import Mission
from frasier.org.missions.steps import MissionStep
from frasier.org.people import Agent
from frasier.store import Tx

FOUNDER_ANSWER = "question"
"""The key in the provenance of a decision that is an answer of the founder's."""

MISSION_RECORDS = "missions"
"""The scope of what missions note about themselves, plans and hand-overs, beside what people chose to remember."""

_TITLE_CHARS = 120
_QUESTION_CHARS = 400


async def remember_answer(tx: Tx, question: FounderQuestion, answer: str, *, note: str) -> None:
    """Store the founder's answer to a question. One to a trouble, without a word of theirs, decides nothing."""
    if not note and question.kind != "strikes":
        return
    said = f"{answer}: {note}" if note else answer
    origin = {FOUNDER_ANSWER: str(question.id)}
    if question.mission_id:
        origin["mission"] = str(question.mission_id)
    await save_memory(
        tx,
        NewMemory(
            kind=MemoryKind.DECISION,
            scope=SHARED_SCOPE,
            title=shorten(question.question, _TITLE_CHARS),
            content=f"Asked: {shorten(question.question, _QUESTION_CHARS)} The founder answered: {said}",
            importance=8,
            task_id=question.task_id,
            provenance=origin,
        ),
    )


async def remember_accepted_plan(
    tx: Tx, mission: Mission, steps: Sequence[MissionStep], roster: Sequence[Agent]
) -> None:
    """Store what was decided to be done for a directive, and by whom."""
    names = {agent.id: agent.name for agent in roster}
    lines = [f"{step.title} ({names[step.agent_id]})" for step in steps]
    await save_memory(
        tx,
        NewMemory(
            kind=MemoryKind.DECISION,
            scope=MISSION_RECORDS,
            title=f"Plan: {mission.title}",
            content="Planned: " + "; ".join(lines),
            provenance={"mission": str(mission.id), REHEARSAL: mission.rehearsal},
        ),
    )
