"""Reminders of questions that have waited for days: one announcement about all of them, at most once a week."""

from __future__ import annotations

from datetime import datetime

from frasier.board import FIRST_REMINDER_DAYS, REMINDER_DAYS
from frasier.kernel.advice import Advice
from frasier.kernel.humanize import ended, plural
from frasier.kernel.text import shorten
from frasier.org.conversation import REMINDER, announce, was_announced
from frasier.org.governance import FounderQuestion, open_questions
from frasier.org.missions import dependants_of, get_mission
from frasier.org.planning import read_graph
from frasier.store import Statements, Tx

_sql = Statements("frasier.org.execution")

_NAMED_MAX = 5
_QUESTION_CHARS = 240


async def remind_of_questions(tx: Tx) -> None:
    """Announce the questions that have waited for three days, and each week again: all in one, and each cause once."""
    now: datetime = (await _sql.one(tx, "present"))["moment"]
    entries: dict[tuple[object, ...], list[FounderQuestion]] = {}
    for question in await open_questions(tx):
        if (now - question.asked_at).days >= FIRST_REMINDER_DAYS:
            entries.setdefault(question.entry, []).append(question)
    if not entries or await was_announced(tx, REMINDER, days=REMINDER_DAYS):
        return
    (oldest, *_), *_ = waiting = list(entries.values())
    lines = [await _line(tx, questions, now) for questions in waiting[:_NAMED_MAX]]
    if others := len(waiting) - len(lines):
        lines.append(f"{plural(others, 'other')} since then.")
    count = plural(len(waiting), "question")
    await announce(
        tx,
        mission_id=oldest.mission_id or oldest.id,
        kind=REMINDER,
        key=f"{oldest.entry_key}:{oldest.id}:{now.date()}",
        text=" ".join([f"{count} still {'wait' if len(waiting) > 1 else 'waits'} for you.", *lines]),
        advice=(Advice("inbox.show", to="answer"),),
    )


async def _line(tx: Tx, questions: list[FounderQuestion], now: datetime) -> str:
    """Say of the questions of one cause for how long they wait, what they ask, and which steps depend on an answer."""
    first = questions[0]
    asked = ended(shorten(" ".join(first.question.split()), _QUESTION_CHARS))
    return f"For {(now - first.asked_at).days} days: {asked}{await _what_depends(tx, questions)}"


async def _what_depends(tx: Tx, questions: list[FounderQuestion]) -> str:
    """Say what waits for the answer beside the tasks that are asked about; empty if nothing does."""
    below, whole = 0, []
    for mission_id in dict.fromkeys(question.mission_id for question in questions if question.mission_id):
        graph = await read_graph(tx, mission_id)
        keys = {step.task_id: key for key, step in graph.steps.items()}
        asked = [keys[one.task_id] for one in questions if one.task_id in keys]
        dependants = {key for start in asked for key in dependants_of(start, graph.needs)} - set(asked)
        below += sum(not graph.tasks[key].terminal for key in dependants)
        if not graph.steps:
            whole.append((await get_mission(tx, mission_id)).title)
    waiting = [
        *([plural(below, "further step")] if below else []),
        *(f"the mission {title!r}" for title in whole),
    ]
    if not waiting:
        return ""
    return f" {' and '.join(waiting)} {'waits' if below + len(whole) == 1 else 'wait'} for it."
