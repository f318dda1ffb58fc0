"""The timeline of a mission: a row for each run with its phases, and what was waited for before and after it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from frasier.org.governance import reviews_of_steps
from frasier.org.people import roster
from frasier.org.planning import steps_of
from frasier.store import Event, Tx, events_of_each
from frasier.work import LoggedRun, runs_of
from frasier.workflow import BLOCKED, Task, dependencies_of, tasks_of


class SpanKind(StrEnum):
    """The use of a span of time. All but phases are waiting."""

    PHASE = "phase"
    QUEUE = "queue"
    REVIEW = "review"
    FOUNDER = "founder"

    @property
    def is_waiting(self) -> bool:
        return self is not SpanKind.PHASE


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeSpan:
    """A span of a row: the phase `name` of its run, or waiting. One without an end goes on."""

    kind: SpanKind
    name: str
    started_at: datetime
    ended_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineRow:
    """A run of a task, or a task that waits for its first one: then `attempt` is 0, and there is no worker.

    `step` is the key of the step that a review is about, else the key itself. The spans are in the order of their
    start.
    """

    key: str
    step: str
    title: str
    process: str
    agent: str
    attempt: int
    worker: str
    outcome: str | None
    started_at: datetime
    ended_at: datetime | None
    spans: tuple[TimeSpan, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MissionTimeline:
    """The rows of a mission in the order of their start. `ended_at` is None while something goes on."""

    started_at: datetime | None
    ended_at: datetime | None
    rows: tuple[TimelineRow, ...]


async def read_timeline(tx: Tx, mission_id: UUID) -> MissionTimeline:
    """Read the runs of all tasks of a mission, from the rows and events that the runner stamps."""
    tasks = [task for task in await tasks_of(tx, mission_id) if task.process in _PROCESSES]
    ids = [task.id for task in tasks]
    names = {agent.id: agent.name for agent in await roster(tx, active_only=False)}
    agents = {step.task_id: step.agent_id for step in await steps_of(tx, mission_id)}
    reviews = await reviews_of_steps(tx, list(agents))
    steps = {review.review_task: review.step_id for review in reviews if review.review_task}
    needs = {
        task: [edge.depends_on for edge in edges]
        for task, edges in (await dependencies_of(tx, mission_id)).items()
    }
    ended = {task.id: task.ended_at for task in tasks}
    keys = {task.id: task.slug for task in tasks}
    events = await events_of_each(tx, ids, without=_NO_MOVES)
    runs: dict[UUID, list[LoggedRun]] = {task_id: [] for task_id in ids}
    for run in await runs_of(tx, ids):
        runs[run.task_id].append(run)
    rows = [
        row
        for task in tasks
        for row in _rows(
            task,
            _statuses(events[task.id]),
            runs[task.id],
            ready_at=_ready_at(task, [ended.get(needed) for needed in needs.get(task.id, ())]),
            agent=_name(names, agents.get(task.id) or task.assignee),
            step=keys.get(steps.get(task.id, task.id), task.slug),
        )
    ]
    rows.sort(key=lambda row: (row.started_at, row.key, row.attempt))
    ends = [row.ended_at for row in rows]
    return MissionTimeline(
        started_at=rows[0].started_at if rows else None,
        ended_at=None if None in ends else max((end for end in ends if end), default=None),
        rows=tuple(rows),
    )


def _name(names: Mapping[UUID, str], agent: UUID | None) -> str:
    return names.get(agent, "?") if agent else "?"


_PROCESSES = frozenset({"planning", "hire", "mission_step", "review"})
_NO_MOVES = ("task.edit", "task.evidence", "task.decision%")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Status:
    """A status that a task had from one event to the next. `owner` is who must end a pause."""

    name: str
    owner: str
    since: datetime
    until: datetime | None


def _statuses(events: Sequence[Event]) -> list[_Status]:
    entered = [
        (BLOCKED if event.kind == "task.block" else event.payload.get("to", ""), event)
        for event in events
        if "to" in event.payload or event.kind == "task.block"
    ]
    untils = [*(event.at for _, event in entered[1:]), None]
    return [
        _Status(name=name, owner=event.payload.get("owner", ""), since=event.at, until=until)
        for (name, event), until in zip(entered, untils, strict=True)
    ]


def _ready_at(task: Task, ends: Sequence[datetime | None]) -> datetime | None:
    """Return when a task could begin; None while it waits for others."""
    if task.pending_deps:
        return None
    return max((task.created_at, *(end for end in ends if end)))


def _rows(
    task: Task,
    statuses: Sequence[_Status],
    runs: Sequence[LoggedRun],
    *,
    ready_at: datetime | None,
    agent: str,
    step: str,
) -> Iterator[TimelineRow]:
    """Yield a row for each run. What was waited for before the first run is its own, after a run that one's."""
    # An event has the time of the clock, a claim that of the beginning of its transaction, which may be before it.
    statuses = [replace(status, since=task.created_at) for status in statuses[:1]] + list(statuses[1:])
    waits = list(_waits(task, statuses, ready_at))
    starts = [run.started_at for run in runs]
    before = _of(waits, None, starts[0] if starts else None)
    if before and not runs:
        yield _row(task, None, before, agent=agent, step=step)
    for index, run in enumerate(runs):
        following = starts[index + 1] if index + 1 < len(starts) else None
        own = _of(waits, run.started_at, following)
        spans = [*(before if index == 0 else ()), *_phases(run), *own]
        yield _row(task, run, spans, agent=agent, step=step)


def _waits(task: Task, statuses: Sequence[_Status], ready_at: datetime | None) -> Iterator[TimeSpan]:
    for status in statuses:
        since = status.since
        if status.name == "pending":
            if ready_at is None or (task.held and status.until is None):
                continue
            since = max(since, ready_at)
        kind = _kind_of(status)
        if kind and (status.until is None or status.until > since):
            waits_for = status.owner if kind is SpanKind.FOUNDER and status.owner != "founder" else ""
            name = f"waits for: {waits_for}" if waits_for else _NAMES[kind]
            yield TimeSpan(kind=kind, name=name, started_at=since, ended_at=status.until)


def _kind_of(status: _Status) -> SpanKind | None:
    match status.name:
        case "pending":
            return SpanKind.QUEUE
        case "in_review":
            return SpanKind.REVIEW
        case "blocked":
            return SpanKind.FOUNDER
    return None


_NAMES: Mapping[SpanKind, str] = {
    SpanKind.QUEUE: "waits for a worker",
    SpanKind.REVIEW: "waits for its reviews",
    SpanKind.FOUNDER: "waits for you",
}


def _of(waits: Sequence[TimeSpan], since: datetime | None, until: datetime | None) -> list[TimeSpan]:
    return [
        wait
        for wait in waits
        if (since is None or wait.started_at >= since) and (until is None or wait.started_at < until)
    ]


def _phases(run: LoggedRun) -> Iterator[TimeSpan]:
    for phase in run.phases:
        # A phase that was begun when its run ended has no end of its own.
        ended_at = phase.ended_at or run.ended_at
        yield TimeSpan(kind=SpanKind.PHASE, name=phase.phase, started_at=phase.started_at, ended_at=ended_at)


def _row(
    task: Task, run: LoggedRun | None, spans: Sequence[TimeSpan], *, agent: str, step: str
) -> TimelineRow:
    ordered = tuple(sorted(spans, key=lambda span: span.started_at))
    ends = [span.ended_at for span in ordered]
    if run:
        ends.append(run.ended_at)
    return TimelineRow(
        key=task.slug,
        step=step,
        title=task.title,
        process=task.process,
        agent=agent,
        attempt=run.attempt if run else 0,
        worker=run.worker if run else "",
        outcome=run.outcome if run else None,
        started_at=min([*(span.started_at for span in ordered[:1]), *([run.started_at] if run else [])]),
        ended_at=None if None in ends else max(end for end in ends if end),
        spans=ordered,
    )
