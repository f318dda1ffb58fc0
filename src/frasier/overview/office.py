"""The office: where each agent is, what it works on or waits for, who reviews whom, and what each wrote last."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from frasier.kernel.copy_fields import copy_fields
from frasier.kernel.text import shorten
from frasier.llm import Purpose
from frasier.org.missions import MissionStatus
from frasier.org.people import Agent, roster
from frasier.overview.lost_work import ended_workers
from frasier.overview.phase_names import name_phase
from frasier.store import Statements, Tx, from_row
from frasier.work import latest_activity, open_phases, without_source_lists

_sql = Statements("frasier.overview")

_STATUSES = [str(status) for status in MissionStatus if not status.ended]
_PROSE = [str(one) for one in (Purpose.SYNTHESIZE, Purpose.REVISE, Purpose.SECTION, Purpose.ASK)]
_MISSIONS = 12
_TEXT_CHARS = 4_000
_WROTE_CHARS = 80
_WORDS_MIN = 3
# What begins or decorates a line of Markdown, and the numbers of its sources.
_MARKS = re.compile(r"^\s*(?:(?:[-*+>]|\d+[.)])\s+)+|\*\*|__|`|\s*\[\^?\d[\d, ]*\]")
_NO_PROSE = re.compile(r"\s*(?:#|\||```|\[\^?\d+\]:?\s)")


class OfficePlace(StrEnum):
    """A place in the office. At the review table are reviewers, and authors whose version is being reviewed."""

    DESK = "desk"
    REVIEW = "review"
    WAITING = "waiting"
    AWAY = "away"


@dataclass(frozen=True, slots=True, kw_only=True)
class _OpenTask:
    """An open task of an agent. `reviewed` is the step that a review is about, `needs` the titles of what it awaits."""

    task: UUID
    agent: UUID
    process: str
    status: str
    attempt: int
    strikes: int
    paused: bool
    since: datetime
    worked_on: bool
    title: str
    mission: UUID | None
    mission_title: str | None
    step: str | None
    reviewed: UUID | None
    author: str | None
    needs: list[str]
    is_the_founders: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class OfficeTask:
    """The task that an agent is busy with. `step` is the one whose version a review judges, `author` who wrote that.

    `reviewers` are those who have yet to judge a version; `waits_for` is empty while somebody works on it.
    """

    process: str
    title: str
    step: str | None
    mission: UUID | None
    mission_title: str | None
    since: datetime
    phase: str
    author: str | None
    reviewers: tuple[str, ...]
    waits_for: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentAtWork:
    """An agent in the office. `others` counts its further open tasks; `wrote` is the last line of its newest text, or
    what its run reported last while it has no text.
    """

    agent: UUID
    key: str
    name: str
    title: str
    place: OfficePlace
    task: OfficeTask | None
    others: int
    wrote: str


async def read_office(tx: Tx) -> tuple[AgentAtWork, ...]:
    """Read the active agents, team by team."""
    rows = await _sql.all(tx, "office_tasks", statuses=_STATUSES, ended=await ended_workers(tx))
    tasks = [from_row(_OpenTask, row) for row in rows]
    worked_on = {task.task: task.attempt for task in tasks if task.worked_on}
    texts = await _sql.all(tx, "newest_texts", missions=_MISSIONS, purposes=_PROSE, chars=_TEXT_CHARS)
    agents = await roster(tx, active_only=True)
    office = _Office(
        tasks,
        names={agent.id: agent.name for agent in agents},
        phases=await open_phases(tx, worked_on),
        reports={task: line.text for task, line in (await latest_activity(tx, list(worked_on))).items()},
        texts={row["agent"]: (row["task"], row["text"]) for row in texts},
    )
    return tuple(office.agent_at_work(agent) for agent in agents)


class _Office:
    """The open tasks of all agents, with what is known of those that a worker holds."""

    def __init__(
        self,
        tasks: Sequence[_OpenTask],
        *,
        names: Mapping[UUID, str],
        phases: Mapping[UUID, str],
        reports: Mapping[UUID, str],
        texts: Mapping[UUID, tuple[UUID, str]],
    ) -> None:
        self._tasks = tasks
        self._names = names
        self._phases = phases
        self._reports = reports
        self._texts = texts

    def agent_at_work(self, agent: Agent) -> AgentAtWork:
        tasks = sorted((task for task in self._tasks if task.agent == agent.id), key=self._urgency)
        first = tasks[0] if tasks else None
        return AgentAtWork(
            agent=agent.id,
            key=agent.key,
            name=agent.name,
            title=agent.title,
            place=self._place(first) if first else OfficePlace.AWAY,
            task=self._task(first) if first else None,
            others=max(0, len(tasks) - 1),
            wrote=self._wrote(agent.id, first),
        )

    def _urgency(self, task: _OpenTask) -> tuple[int, bool]:
        """Return the order of tasks: what a worker holds, a version in review, what waits for the founder."""
        place = self._place(task)
        if task.worked_on:
            return (0 if place is OfficePlace.REVIEW else 1, False)
        return (2 if place is OfficePlace.REVIEW else 3, not task.is_the_founders)

    def _place(self, task: _OpenTask) -> OfficePlace:
        if task.worked_on:
            return OfficePlace.REVIEW if task.process == "review" else OfficePlace.DESK
        reviewed_now = any(review.worked_on for review in self._reviews_of(task))
        return OfficePlace.REVIEW if reviewed_now else OfficePlace.WAITING

    def _reviews_of(self, task: _OpenTask) -> list[_OpenTask]:
        """Return the reviews of a step that have yet to be given."""
        return [one for one in self._tasks if one.reviewed == task.task]

    def _task(self, task: _OpenTask) -> OfficeTask:
        phase = self._phases.get(task.task, "")
        return copy_fields(
            OfficeTask,
            task,
            phase=name_phase(phase, strikes=task.strikes) if phase else "",
            reviewers=tuple(self._names.get(one.agent, "?") for one in self._reviews_of(task)),
            waits_for=self._wait(task) if self._place(task) is OfficePlace.WAITING else "",
        )

    def _wait(self, task: _OpenTask) -> str:
        """Say what a task waits for that nobody works on."""
        if task.status == "blocked":
            return "you" if task.is_the_founders else "an operator"
        if task.paused:
            return "the end of the pause"
        if task.status == "in_review":
            return "its review"
        if len(task.needs) > 1:
            return f"{len(task.needs)} other steps"
        return task.needs[0] if task.needs else "a worker"

    def _wrote(self, agent: UUID, task: _OpenTask | None) -> str:
        of_task, text = self._texts.get(agent, (None, ""))
        report = self._reports.get(task.task, "") if task and task.worked_on and task.task != of_task else ""
        return shorten(report, _WROTE_CHARS) if report else last_line(text)


def last_line(markdown: str) -> str:
    """Return the last line of prose of a text, without its marks and shortened; any last line if it has no prose."""
    lines = [line for line in without_source_lists(markdown).splitlines() if line.strip()]
    prose = [line for line in lines if not _NO_PROSE.match(line) and len(line.split()) >= _WORDS_MIN]
    last = (prose or lines or [""])[-1]
    return shorten(_MARKS.sub("", last).strip(" *_#|"), _WROTE_CHARS)
