"""The activity of runs: what they read, found and wrote, a line each, for whoever watches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from frasier.kernel.humanize import plural
from frasier.kernel.text import shorten, strip_control
from frasier.llm import Passage
from frasier.store import Statements, Tx, from_row

if TYPE_CHECKING:
    from frasier.llm.reply_schemas import CritiqueReply, DecomposeReply

_sql = Statements("frasier.work")

LINE_CHARS_MAX = 300
_NAMED_MAX = 3
_NAME_CHARS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class ActivityLine:
    """A line of a task's activity. Ids grow, but a line may be committed after one with a larger id."""

    id: int
    task_id: UUID
    phase: str
    text: str
    at: datetime


async def activity_of(tx: Tx, task_ids: Sequence[UUID], *, after: int = 0) -> list[ActivityLine]:
    """Return the lines of some tasks with an id above `after`, oldest first."""
    return await _sql.all_as(ActivityLine, tx, "activity_of", task_ids=list(task_ids), after=after)


async def newest_activity_of(tx: Tx, task_ids: Sequence[UUID], *, limit: int) -> list[ActivityLine]:
    """Return the newest lines of some tasks, the newest first."""
    return await _sql.all_as(ActivityLine, tx, "newest_lines", task_ids=list(task_ids), limit=limit)


async def latest_activity(tx: Tx, task_ids: Sequence[UUID]) -> dict[UUID, ActivityLine]:
    """Return the newest line of each task that has any."""
    rows = await _sql.all(tx, "latest_activity", task_ids=list(task_ids))
    return {row["task_id"]: from_row(ActivityLine, row) for row in rows}


async def add_activity(tx: Tx, task_id: UUID, attempt: int, phase: str, text: str) -> None:
    """Store a line about what a run is doing now."""
    line = activity_text(text)
    await _sql.run(tx, "add_activity", task_id=task_id, attempt=attempt, phase=phase, text=line)


def activity_text(text: str) -> str:
    """Return a text as one line of bounded length."""
    return shorten(" ".join(strip_control(text).split()), LINE_CHARS_MAX)


async def open_phases(tx: Tx, attempts: Mapping[UUID, int]) -> dict[UUID, str]:
    """Return the phase that the given attempt of each task is in, of those that are in one."""
    rows = await _sql.all(tx, "open_phases", task_ids=list(attempts), attempts=list(attempts.values()))
    return {row["task_id"]: row["phase"] for row in rows}


async def began_at(tx: Tx, task_ids: Sequence[UUID]) -> dict[UUID, datetime]:
    """Return when the first run of each task began, of those that were ever run."""
    rows = await _sql.all(tx, "began_at", task_ids=list(task_ids))
    return {row["task_id"]: row["began_at"] for row in rows}


def describe_questions(plan: DecomposeReply) -> str:
    """Say into which questions a step was taken apart."""
    return f"asks {plural(len(plan.questions), 'question')}: {_named(plan.questions)}"


def describe_passages(passages: Sequence[Passage], *, pages: int = 0) -> str:
    """Say what a search found."""
    read = f"read {plural(pages, 'page')}, " if pages else ""
    titles = list(dict.fromkeys(passage.title for passage in passages))
    if not titles:
        return f"{read}found nothing"
    sources = len({passage.number for passage in passages})
    return f"{read}found {plural(len(passages), 'passage')} in {plural(sources, 'source')}: {_named(titles)}"


def describe_reading(titles: Sequence[str]) -> str:
    """Say which documents are being read."""
    return f"reads {_named(titles)}"


def describe_queries(queries: Sequence[str]) -> str:
    """Say what is searched for next; nothing where what was found suffices."""
    return f"searches on: {_named(queries)}" if queries else ""


def describe_text(text: str, headline: str) -> str:
    """Say what was written, and how much of it was verified."""
    return f"wrote {plural(len(text.split()), 'word')}. {headline}"


def describe_critique(critique: CritiqueReply) -> str:
    """Say how the critic scored a draft, and what it lacks."""
    lacks = f", lacks: {_named(critique.gaps)}" if critique.gaps else ""
    return f"critique {critique.mean:.1f} of 5{lacks}"


def _named(names: Sequence[str]) -> str:
    listed = "; ".join(shorten(name.rstrip("."), _NAME_CHARS) for name in names[:_NAMED_MAX])
    return listed + (f" and {len(names) - _NAMED_MAX} more" if len(names) > _NAMED_MAX else "")
