"""The timeline of a mission: a row for each run with its phases, and what was waited for before and after it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from frasier.org.missions import get_mission
from frasier.overview.telemetry.read import telemetry_of
from frasier.overview.telemetry.records import MissionTelemetry, RunRecord, Stretch, TaskRecord, TimeUse
from frasier.store import Tx


class SpanKind(StrEnum):
    """The use of a span of time. All but phases are waiting."""

    PHASE = "phase"
    QUEUE = "queue"
    REVIEW = "review"
    FOUNDER = "founder"
    LEASE = "lease"

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
    """Read the timeline of a mission from its telemetry."""
    return timeline_of(await telemetry_of(tx, await get_mission(tx, mission_id)))


def timeline_of(telemetry: MissionTelemetry) -> MissionTimeline:
    """Return the rows of a mission's telemetry."""
    rows = [row for task in telemetry.tasks for row in _rows(task)]
    rows.sort(key=lambda row: (row.started_at, row.key, row.attempt))
    ends = [row.ended_at for row in rows]
    return MissionTimeline(
        started_at=rows[0].started_at if rows else None,
        ended_at=None if None in ends else max((end for end in ends if end), default=None),
        rows=tuple(rows),
    )


_KINDS: Mapping[TimeUse, SpanKind] = {
    TimeUse.QUEUE: SpanKind.QUEUE,
    TimeUse.REVIEW: SpanKind.REVIEW,
    TimeUse.PERSON: SpanKind.FOUNDER,
    TimeUse.LEASE: SpanKind.LEASE,
}
_NAMES: Mapping[SpanKind, str] = {
    SpanKind.QUEUE: "waits for a worker",
    SpanKind.REVIEW: "waits for its reviews",
    SpanKind.FOUNDER: "waits for you",
    SpanKind.LEASE: "waits for the lease of a lost worker",
}


def _rows(task: TaskRecord) -> Iterator[TimelineRow]:
    """Yield a row for each run. What was waited for before the first run is its own, after a run that one's."""
    waits = [stretch for stretch in task.stretches if stretch.use in _KINDS]
    starts = [run.started_at for run in task.runs]
    before = _of(waits, None, starts[0] if starts else None)
    if before and not task.runs:
        yield _row(task, None, before)
    for index, run in enumerate(task.runs):
        following = starts[index + 1] if index + 1 < len(starts) else None
        own = _of(waits, run.started_at, following)
        yield _row(task, run, [*(before if index == 0 else ()), *_phases(run), *own])


def _of(waits: Sequence[Stretch], since: datetime | None, until: datetime | None) -> list[TimeSpan]:
    return [
        _wait(wait)
        for wait in waits
        if (since is None or wait.started_at >= since) and (until is None or wait.started_at < until)
    ]


def _wait(stretch: Stretch) -> TimeSpan:
    kind = _KINDS[stretch.use]
    name = f"waits for: {stretch.note}" if stretch.note else _NAMES[kind]
    return TimeSpan(kind=kind, name=name, started_at=stretch.started_at, ended_at=stretch.ended_at)


def _phases(run: RunRecord) -> Iterator[TimeSpan]:
    for phase in run.phases:
        yield TimeSpan(
            kind=SpanKind.PHASE, name=phase.phase, started_at=phase.started_at, ended_at=phase.ended_at
        )


def _row(task: TaskRecord, run: RunRecord | None, spans: Sequence[TimeSpan]) -> TimelineRow:
    ordered = tuple(sorted(spans, key=lambda span: span.started_at))
    ends = [span.ended_at for span in ordered]
    if run:
        ends.append(run.ended_at)
    return TimelineRow(
        key=task.key,
        step=task.step,
        title=task.title,
        process=task.process,
        agent=task.agent,
        attempt=run.attempt if run else 0,
        worker=run.worker if run else "",
        outcome=run.outcome if run else None,
        started_at=min([*(span.started_at for span in ordered[:1]), *([run.started_at] if run else [])]),
        ended_at=None if None in ends else max(end for end in ends if end),
        spans=ordered,
    )
