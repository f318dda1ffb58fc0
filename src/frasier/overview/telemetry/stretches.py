"""The stretches of a task's time, from its events: each begins where the one before it ends. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from frasier.overview.telemetry.records import Stretch, TimeUse
from frasier.store import Event
from frasier.workflow import BLOCKED, SYSTEM, Task

Interval = tuple[datetime, datetime | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusPeriod:
    """A status of a task from one event to the next. `owner` is who must end a pause, `ended_by` the event after it."""

    status: str
    owner: str
    attempt: int
    since: datetime
    until: datetime | None
    ended_by: Event | None

    @property
    def lost_its_worker(self) -> bool:
        """Whether the engine took the task from a worker that had fallen silent."""
        event = self.ended_by
        return event is not None and event.actor == str(SYSTEM) and event.kind in _TAKEN_AWAY


_TAKEN_AWAY = {"task.release", "task.block"}
_ENDED = {"completed", "failed", "cancelled"}


def status_periods(task: Task, events: Sequence[Event]) -> list[StatusPeriod]:
    """Return the periods of a task from its creation on; the last one is open unless the task has ended."""
    moves = [event for event in events if "to" in event.payload or event.kind == "task.block"]
    periods: list[StatusPeriod] = []
    # Created before its first event was written, and never left before it was entered.
    reached = task.created_at
    for index, event in enumerate(moves):
        following = moves[index + 1] if index + 1 < len(moves) else None
        until = max(reached, following.at) if following else None
        periods.append(
            StatusPeriod(
                status=BLOCKED if event.kind == "task.block" else event.payload["to"],
                owner=event.payload.get("owner", ""),
                attempt=event.payload.get("attempt", 0),
                since=reached,
                until=until,
                ended_by=following,
            )
        )
        reached = until or reached
    if periods and periods[-1].status in _ENDED:
        periods.pop()
    return periods


def end_of(periods: Sequence[StatusPeriod]) -> datetime | None:
    """Return when the last period ended, None while it goes on."""
    return periods[-1].until if periods else None


def closes_of(periods: Sequence[StatusPeriod]) -> list[datetime]:
    """Return every moment at which the task ended; it may have been reopened after it."""
    ends = [period.since for period in periods if period.status in _ENDED]
    last = end_of(periods)
    return [*ends, *([last] if last else [])]


def stretches_of(
    periods: Iterable[StatusPeriod],
    *,
    needed: Sequence[Sequence[datetime]],
    waits: bool,
    pauses: Sequence[Interval],
    last_signs: Mapping[int, datetime],
) -> tuple[Stretch, ...]:
    """Return the stretches of a task.

    `needed` has the moments at which each task that it depends on ended, `waits` is whether it still waits for one;
    `pauses` are those of its mission. `last_signs` has when each attempt wrote last; an attempt that is not there has
    left no run.
    """
    stretches: list[Stretch] = []
    begun: set[int] = set()
    for period in periods:
        if period.status == "active" and period.attempt in begun:
            # It has its place back after a pause, and waits for whoever takes it.
            stretches.append(Stretch(use=TimeUse.QUEUE, started_at=period.since, ended_at=period.until))
            continue
        if period.status == "active":
            begun.add(period.attempt)
        stretches += _of_period(period, needed, pauses, last_signs, waits=waits)
    return tuple(stretch for stretch in stretches if stretch.ended_at != stretch.started_at)


def _of_period(
    period: StatusPeriod,
    needed: Sequence[Sequence[datetime]],
    pauses: Sequence[Interval],
    last_signs: Mapping[int, datetime],
    *,
    waits: bool,
) -> Iterator[Stretch]:
    stretch = Stretch(use=TimeUse.REST, started_at=period.since, ended_at=period.until)
    match period.status:
        case "pending":
            yield from _pending(stretch, needed, pauses, waits=waits)
        case "active":
            yield from _active(period, stretch, last_signs)
        case "in_review":
            yield replace(stretch, use=TimeUse.REVIEW)
        case "blocked":
            owner = "" if period.owner == "founder" else period.owner
            yield replace(stretch, use=TimeUse.PERSON, note=owner)
        case _:
            yield stretch


def _pending(
    stretch: Stretch, needed: Sequence[Sequence[datetime]], pauses: Sequence[Interval], *, waits: bool
) -> Iterator[Stretch]:
    """Split the wait for a worker: first for other tasks, and within the rest for the founder to end a pause."""
    ready = stretch.started_at
    for ends in needed:
        ready = max([ready, *(end for end in ends if stretch.ended_at is None or end <= stretch.ended_at)])
    if waits and stretch.ended_at is None:
        yield replace(stretch, use=TimeUse.DEPENDENCIES)
        return
    if ready > stretch.started_at:
        yield replace(stretch, use=TimeUse.DEPENDENCIES, ended_at=ready)
    reached = ready
    for since, until in pauses:
        if (stretch.ended_at and since >= stretch.ended_at) or (until and until <= reached):
            continue
        begins, ends_at = max(since, reached), _earlier(until, stretch.ended_at)
        if begins > reached:
            yield replace(stretch, use=TimeUse.QUEUE, started_at=reached, ended_at=begins)
        yield replace(
            stretch, use=TimeUse.PERSON, started_at=begins, ended_at=ends_at, note="the end of the pause"
        )
        if ends_at is None:
            return
        reached = ends_at
    if stretch.ended_at is None or reached < stretch.ended_at:
        yield replace(stretch, use=TimeUse.QUEUE, started_at=reached)


def _active(period: StatusPeriod, stretch: Stretch, last_signs: Mapping[int, datetime]) -> Iterator[Stretch]:
    """Split the time under a lease: the run, and after a worker that died what was left of its lease."""
    sign = last_signs.get(period.attempt)
    if sign is None:
        yield replace(stretch, use=TimeUse.LEASE)
        return
    run = replace(stretch, use=TimeUse.WORK, attempt=period.attempt)
    if not period.lost_its_worker or period.until is None:
        yield run
        return
    silent = min(max(sign, period.since), period.until)
    yield replace(run, ended_at=silent)
    yield replace(stretch, use=TimeUse.LEASE, started_at=silent)


def _earlier(first: datetime | None, second: datetime | None) -> datetime | None:
    return min((moment for moment in (first, second) if moment), default=None)


def overlap_seconds(intervals: Iterable[Interval], *, since: datetime, until: datetime) -> float:
    """Return how much of a time is covered by intervals, each moment once; an open one goes on."""
    covered, reached = 0.0, since
    for start, end in sorted((start, min(end or until, until)) for start, end in intervals):
        if end > reached:
            covered += (end - max(start, reached)).total_seconds()
            reached = end
    return covered
