"""Reading the telemetry of a mission from events, runs, phases and the ledger of calls."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeVar
from uuid import UUID

from frasier.llm import CallRecord, calls_of_mission
from frasier.org.governance import reviews_of_steps
from frasier.org.missions import Mission, find_mission, steps_of
from frasier.org.people import roster
from frasier.overview.present_moment import present_moment
from frasier.overview.telemetry.critical_path import critical_path
from frasier.overview.telemetry.records import (
    MissionRound,
    MissionTelemetry,
    PathPiece,
    PhaseRecord,
    RunRecord,
    Stretch,
    TaskRecord,
    TimeUse,
    spending_by_model,
    spending_of,
)
from frasier.overview.telemetry.stretches import (
    Interval,
    StatusPeriod,
    closes_of,
    end_of,
    overlap_seconds,
    status_periods,
    stretches_of,
)
from frasier.store import Event, Tx, events_of, events_of_each
from frasier.work import LoggedRun, runs_of
from frasier.workflow import Task, dependencies_of, tasks_of

_NO_MOVES = ("task.edit", "task.evidence", "task.decision%")
_MISSION_STATUSES = {
    f"mission.{status}"
    for status in ("planning", "in_progress", "paused", "completed", "delivered", "failed", "cancelled")
}
ENDS_A_ROUND = {f"mission.{status}" for status in ("completed", "delivered", "failed", "cancelled")}
"""The kinds of events that end a round of work on a mission."""
_FAILED_OUTCOMES = {"lost", "retry_later", "given_up"}


async def read_telemetry(tx: Tx, name: str) -> MissionTelemetry:
    """Read where the time and the money of a mission went; `name` is its id, a part of one, or "last"."""
    return await telemetry_of(tx, await find_mission(tx, name))


async def telemetry_of(tx: Tx, mission: Mission) -> MissionTelemetry:
    """Read the telemetry of a mission."""
    moves = [event for event in await events_of(tx, mission.id) if event.kind in _MISSION_STATUSES]
    calls = await calls_of_mission(tx, mission.id)
    pauses, rounds = _pauses(moves), _rounds(moves, mission.created_at)
    ended_at = rounds[-1].ended_at
    facts = await _read_facts(tx, mission.id, calls=calls, pauses=pauses)
    # Read last: nothing that was read began later.
    as_of = await present_moment(tx)
    until = ended_at or as_of
    tasks, ends = tuple(facts.record(task, as_of=until) for task in facts.tasks), facts.ends
    path = critical_path(tasks, ends, since=mission.created_at, until=until)
    known = {task.task for task in tasks}
    return MissionTelemetry(
        mission=mission.id,
        title=mission.title,
        status=mission.status,
        started_at=mission.created_at,
        ended_at=ended_at,
        as_of=as_of,
        rounds=rounds,
        wall_seconds=max((until - mission.created_at).total_seconds(), 0.0),
        seconds={use: sum(task.seconds[use] for task in tasks) for use in TimeUse},
        path_seconds=_path_seconds(path),
        unaccounted_seconds=sum(piece.seconds for piece in path if piece.use is None),
        spending=spending_of(calls),
        by_model=spending_by_model(calls),
        retries=sum(max(len(task.runs) - 1, 0) for task in tasks),
        failed_runs=sum(task.failed_runs for task in tasks),
        tasks=tasks,
        critical_path=path,
        calls=tuple(call for call in calls if call.task_id not in known),
    )


def _pauses(moves: Sequence[Event]) -> list[Interval]:
    untils: list[datetime | None] = [*(event.at for event in moves[1:]), None]
    return [
        (event.at, until)
        for event, until in zip(moves, untils, strict=False)
        if event.kind == "mission.paused"
    ]


def _rounds(moves: Sequence[Event], created_at: datetime) -> tuple[MissionRound, ...]:
    """Return the rounds of a mission. That its folder was published later is not work on it."""
    rounds = [MissionRound(started_at=created_at, ended_at=None)]
    for event in moves:
        goes_on = rounds[-1].ended_at is None
        if event.kind in ENDS_A_ROUND and goes_on:
            rounds[-1] = replace(rounds[-1], ended_at=event.at)
        elif event.kind not in ENDS_A_ROUND and not goes_on:
            rounds.append(MissionRound(started_at=event.at, ended_at=None))
    return tuple(rounds)


async def _read_facts(
    tx: Tx, mission_id: UUID, *, calls: Sequence[CallRecord], pauses: Sequence[Interval]
) -> _Facts:
    """Read the tasks of a mission in the order of their creation, and what is known of them."""
    tasks = await tasks_of(tx, mission_id)
    ids = [task.id for task in tasks]
    events = await events_of_each(tx, ids, without=_NO_MOVES)
    periods = {task.id: status_periods(task, events[task.id]) for task in tasks}
    ends = {task_id: closes_of(own) for task_id, own in periods.items()}
    facts = _Facts(
        tasks=tasks,
        periods=periods,
        names={agent.id: agent.name for agent in await roster(tx, active_only=False)},
        agents={step.task_id: step.agent_id for step in await steps_of(tx, mission_id)},
        keys={task.id: task.slug for task in tasks},
        needs={
            task: [edge.depends_on for edge in edges]
            for task, edges in (await dependencies_of(tx, mission_id)).items()
        },
        about={},
        runs=_grouped((run.task_id, run) for run in await runs_of(tx, ids)),
        calls=_grouped((call.task_id, call) for call in calls if call.task_id),
        ends=ends,
        pauses=pauses,
    )
    for review in await reviews_of_steps(tx, list(facts.agents)):
        if review.review_task:
            facts.about[review.review_task] = review.step_id
    return facts


Item = TypeVar("Item")


def _grouped(pairs: Iterable[tuple[UUID, Item]]) -> dict[UUID, list[Item]]:
    groups: dict[UUID, list[Item]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return groups


@dataclass(frozen=True, slots=True, kw_only=True)
class _Facts:
    """Facts about the tasks of a mission, by task."""

    tasks: Sequence[Task]
    periods: Mapping[UUID, Sequence[StatusPeriod]]
    names: Mapping[UUID, str]
    agents: Mapping[UUID, UUID]
    keys: Mapping[UUID, str]
    needs: Mapping[UUID, Sequence[UUID]]
    about: dict[UUID, UUID]
    runs: Mapping[UUID, Sequence[LoggedRun]]
    calls: Mapping[UUID, Sequence[CallRecord]]
    ends: Mapping[UUID, Sequence[datetime]]
    pauses: Sequence[Interval]

    def record(self, task: Task, *, as_of: datetime) -> TaskRecord:
        periods = self.periods[task.id]
        logged, calls = self.runs.get(task.id, ()), self.calls.get(task.id, ())
        needs = tuple(self.needs.get(task.id, ()))
        stretches = stretches_of(
            periods,
            needed=[self.ends.get(needed, ()) for needed in needs],
            waits=task.pending_deps > 0,
            pauses=self.pauses,
            last_signs={run.attempt: _last_sign(run, calls) for run in logged},
        )
        runs = tuple(self._run(run, stretches, calls, as_of=as_of) for run in logged)
        attempts = {run.attempt for run in runs}
        agent = self.agents.get(task.id) or task.assignee
        about = self.about.get(task.id)
        return TaskRecord(
            task=task.id,
            key=task.slug,
            step=self.keys.get(about, task.slug) if about else task.slug,
            title=task.title,
            process=task.process,
            agent=self.names.get(agent, "?") if agent else "?",
            status=task.status,
            created_at=task.created_at,
            ended_at=end_of(periods),
            about=about,
            needs=needs,
            stretches=stretches,
            runs=runs,
            calls=tuple(call for call in calls if call.attempt not in attempts),
            seconds=self._seconds(stretches, runs, as_of=as_of),
            failed_runs=sum(run.outcome in _FAILED_OUTCOMES for run in runs),
            spending=spending_of(calls),
        )

    def _run(
        self, run: LoggedRun, stretches: Sequence[Stretch], calls: Sequence[CallRecord], *, as_of: datetime
    ) -> RunRecord:
        own = [stretch for stretch in stretches if stretch.attempt == run.attempt]
        asked = tuple(call for call in calls if call.attempt == run.attempt)
        started_at = own[0].started_at if own else run.started_at
        ended_at = own[-1].ended_at if own else run.ended_at
        return RunRecord(
            attempt=run.attempt,
            worker=run.worker,
            outcome=run.outcome,
            started_at=started_at,
            ended_at=ended_at,
            recorded_end=run.ended_at,
            model_seconds=sum(_model_seconds(stretch, asked, as_of=as_of) for stretch in own),
            phases=tuple(
                PhaseRecord(
                    phase=phase.phase,
                    fingerprint=phase.fingerprint,
                    started_at=phase.started_at,
                    ended_at=phase.ended_at or ended_at,
                    finished=phase.ended_at is not None,
                )
                for phase in run.phases
            ),
            calls=asked,
            spending=spending_of(asked),
        )

    @staticmethod
    def _seconds(
        stretches: Sequence[Stretch], runs: Sequence[RunRecord], *, as_of: datetime
    ) -> dict[TimeUse, float]:
        seconds = dict.fromkeys(TimeUse, 0.0)
        for stretch in stretches:
            until = stretch.ended_at or as_of
            seconds[stretch.use] += max((until - stretch.started_at).total_seconds(), 0.0)
        waited = sum(run.model_seconds for run in runs)
        seconds[TimeUse.MODEL] = waited
        seconds[TimeUse.WORK] -= waited
        return seconds


def _model_seconds(stretch: Stretch, calls: Sequence[CallRecord], *, as_of: datetime) -> float:
    intervals = [(call.started_at, call.ended_at) for call in calls]
    return overlap_seconds(intervals, since=stretch.started_at, until=stretch.ended_at or as_of)


def _last_sign(run: LoggedRun, calls: Sequence[CallRecord]) -> datetime:
    """Return when a run wrote last. A call whose outcome is unknown was ended by somebody else."""
    return max(
        [
            run.started_at,
            *(phase.started_at for phase in run.phases),
            *(phase.ended_at for phase in run.phases if phase.ended_at),
            *(call.started_at for call in calls if call.attempt == run.attempt),
            *(
                call.ended_at
                for call in calls
                if call.attempt == run.attempt and call.ended_at and call.state != "unknown"
            ),
        ]
    )


def _path_seconds(path: Sequence[PathPiece]) -> dict[TimeUse, float]:
    seconds = dict.fromkeys(TimeUse, 0.0)
    for piece in path:
        if piece.use:
            seconds[piece.use] += piece.seconds - piece.model_seconds
            seconds[TimeUse.MODEL] += piece.model_seconds
    return seconds
