"""The critical path of a mission: from its end back to its start, always to what was waited for last. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from frasier.overview.telemetry.records import PathPiece, RunRecord, Stretch, TaskRecord, TimeUse
from frasier.overview.telemetry.stretches import overlap_seconds

_SAME_TRANSACTION = timedelta(seconds=1)
"""Rows of one transaction have times of its beginning and of its statements."""


def critical_path(
    tasks: Sequence[TaskRecord],
    ends: Mapping[UUID, Sequence[datetime]],
    *,
    since: datetime,
    until: datetime,
) -> tuple[PathPiece, ...]:
    """Return the pieces of the path in order; together they are exactly the time from `since` to `until`.

    `ends` has the moments at which each task ended. A piece without a key is of no task: with a use the transaction
    that ended the mission after its last task, without one a time that nothing accounts for.
    """
    return tuple(reversed(_Walk(tasks, ends, since).back_from(until)))


class _Walk:
    """A walk backwards in time. `_at` only falls, except for moves from a task to the one that it waited for."""

    def __init__(
        self, tasks: Sequence[TaskRecord], ends: Mapping[UUID, Sequence[datetime]], since: datetime
    ) -> None:
        self._tasks = {task.task: task for task in tasks}
        self._ends = ends
        self._since = self._until = since
        self._pieces: list[PathPiece] = []
        self._seen: set[tuple[UUID, datetime]] = set()

    def back_from(self, until: datetime) -> list[PathPiece]:
        at = self._until = until
        task = self._active_before(at)
        while task and at > self._since:
            if (task.task, at) in self._seen:
                break
            self._seen.add((task.task, at))
            stretch = next((s for s in reversed(task.stretches) if s.started_at < at), None)
            if stretch is None:
                task = self._creator(task, at)
                continue
            if stretch.ended_at and stretch.ended_at < at:
                self._add_between(stretch.ended_at, at)
                at = stretch.ended_at
            before, moment = self._waited_for(task, stretch, at)
            if before:
                if moment < at:
                    self._add(task, stretch, moment, at)
                task, at = before, min(moment, at)
                continue
            self._add(task, stretch, stretch.started_at, at)
            at = max(stretch.started_at, self._since)
        self._add_between(self._since, at)
        return self._pieces

    def _active_before(self, at: datetime) -> TaskRecord | None:
        """Return the task that did something last: an open one, or the one that ended last."""

        def last_time(task: TaskRecord) -> tuple[datetime, datetime]:
            own = [s for s in task.stretches if s.use not in {TimeUse.DEPENDENCIES, TimeUse.REVIEW}]
            own = [s for s in own if s.started_at < at] or list(task.stretches[:1])
            if task.ended_at and task.ended_at <= at + _SAME_TRANSACTION:
                return min(task.ended_at, at), task.created_at
            return (min(own[-1].ended_at or at, at), task.created_at) if own else (self._since, self._since)

        return max(self._tasks.values(), key=last_time, default=None)

    def _waited_for(
        self, task: TaskRecord, stretch: Stretch, at: datetime
    ) -> tuple[TaskRecord | None, datetime]:
        """Return the task whose end a wait was for, and that end."""
        candidates: Sequence[UUID] = ()
        if stretch.use is TimeUse.DEPENDENCIES:
            candidates = task.needs
        elif stretch.use is TimeUse.REVIEW:
            candidates = [other.task for other in self._tasks.values() if other.about == task.task]
        moments = [
            (end, other)
            for other in candidates
            # A review of a later version was not waited for, however soon it ended.
            if other in self._tasks and self._tasks[other].created_at < at
            for end in self._ends.get(other, ())
            if stretch.started_at < end <= at + _SAME_TRANSACTION
        ]
        moments = [(end, other) for end, other in moments if (other, min(end, at)) not in self._seen]
        if not moments:
            return None, at
        end, other = max(moments, key=lambda moment: moment[0])
        return self._tasks[other], end

    def _creator(self, task: TaskRecord, at: datetime) -> TaskRecord | None:
        """Return the task at whose end, or in whose course, another one was created."""
        if task.about:
            return self._tasks.get(task.about)
        plans = [other for other in self._tasks.values() if other.process == "planning" and other is not task]
        for plan in plans:
            if any(abs(end - at) <= _SAME_TRANSACTION for end in self._ends.get(plan.task, ())):
                return plan
        others = [other for other in self._tasks.values() if other.task != task.task]
        return max(
            (other for other in others if self._end_before(other, at) > self._since),
            key=lambda other: self._end_before(other, at),
            default=None,
        )

    def _end_before(self, task: TaskRecord, at: datetime) -> datetime:
        own = [s for s in task.stretches if s.started_at < at and s.is_run]
        return min(own[-1].ended_at or at, at) if own else self._since

    def _add_between(self, started_at: datetime, ended_at: datetime) -> None:
        """Add a time between tasks: that of the run that was still at it, as one that ends the mission."""
        for task in self._tasks.values():
            for run in task.runs:
                if run.started_at <= started_at and (
                    run.recorded_end is None or run.recorded_end >= ended_at
                ):
                    stretch = Stretch(
                        use=TimeUse.WORK, started_at=started_at, ended_at=ended_at, attempt=run.attempt
                    )
                    self._add(task, stretch, started_at, ended_at)
                    return
        ends_it = ended_at == self._until and ended_at - started_at <= _SAME_TRANSACTION
        ending = Stretch(use=TimeUse.WORK, started_at=started_at, ended_at=ended_at) if ends_it else None
        self._add(None, ending, started_at, ended_at)

    def _add(
        self, task: TaskRecord | None, stretch: Stretch | None, started_at: datetime, ended_at: datetime
    ) -> None:
        started_at = max(started_at, self._since)
        if ended_at <= started_at:
            return
        attempt = stretch.attempt if stretch else 0
        run = next((run for run in task.runs if run.attempt == attempt), None) if task and attempt else None
        self._pieces.append(
            PathPiece(
                key=task.key if task else "",
                use=stretch.use if stretch else None,
                attempt=attempt,
                started_at=started_at,
                ended_at=ended_at,
                seconds=(ended_at - started_at).total_seconds(),
                model_seconds=model_seconds(run, started_at, ended_at) if run else 0.0,
            )
        )


def model_seconds(run: RunRecord, since: datetime, until: datetime) -> float:
    """Return how long a run waited for a model within a time."""
    calls = [(call.started_at, call.ended_at) for call in run.calls]
    return overlap_seconds(calls, since=since, until=until)
