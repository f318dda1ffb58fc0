"""The values of telemetry: a mission, its tasks, their stretches of time, runs, phases and calls."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from frasier.llm import CallRecord


class TimeUse(StrEnum):
    """The use of a stretch of a task's time.

    `model` is the part of runs in which a model was asked; `work` is the rest of them. `lease` is what passed between
    the last sign of a worker that died and the end of its lease, `rest` a task that had ended before it was reopened.
    """

    WORK = "work"
    MODEL = "model"
    QUEUE = "queue"
    DEPENDENCIES = "dependencies"
    REVIEW = "review"
    PERSON = "person"
    LEASE = "lease"
    REST = "rest"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """A part of a task's time between two of its moves. That of a run has its `attempt` and the use `work`; waits have
    0. `note` says who or what is waited for. Without an end it goes on.
    """

    use: TimeUse
    started_at: datetime
    ended_at: datetime | None
    attempt: int = 0
    note: str = ""

    @property
    def is_run(self) -> bool:
        return self.attempt > 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Spending:
    """Calls of models with their tokens and their cost in millionths of a dollar, as the ledger has them."""

    calls: int = 0
    failed_calls: int = 0
    unknown_calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    tokens_cached: int = 0
    usd_micros: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSpending(Spending):
    """The use of one model of a tier."""

    tier: str
    model: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseRecord:
    """A phase of a run. One that was interrupted ends with its run."""

    phase: str
    fingerprint: str
    started_at: datetime
    ended_at: datetime | None
    finished: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRecord:
    """A run of a task: when it held the task, by whom, its phases and calls. Without an end it goes on.

    `recorded_end` is when its worker noted the end: after what it did with the result, which may end the mission.
    `phases` are in the order of their start, and may overlap. `calls` have the phase by name.
    """

    attempt: int
    worker: str
    outcome: str | None
    started_at: datetime
    ended_at: datetime | None
    recorded_end: datetime | None
    model_seconds: float
    phases: tuple[PhaseRecord, ...]
    calls: tuple[CallRecord, ...]
    spending: Spending


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskRecord:
    """A task of a mission. Its `stretches` cover the time from its creation to its end without gap or overlap.

    `step` is the key of the step that a review is about, else its own. `needs` are the tasks that it depends on.
    `seconds` has every use of time. `failed_runs` ended without a result, by failure or by the loss of their worker.
    `calls` were made outside a known run.
    """

    task: UUID
    key: str
    step: str
    title: str
    process: str
    agent: str
    status: str
    created_at: datetime
    ended_at: datetime | None
    about: UUID | None
    needs: tuple[UUID, ...]
    stretches: tuple[Stretch, ...]
    runs: tuple[RunRecord, ...]
    calls: tuple[CallRecord, ...]
    seconds: Mapping[TimeUse, float]
    failed_runs: int
    spending: Spending


@dataclass(frozen=True, slots=True, kw_only=True)
class PathPiece:
    """A piece of the critical path: how a task used the time. Without a key it is the transaction that ended the
    mission, without a use nothing is known of it.
    """

    key: str
    use: TimeUse | None
    attempt: int
    started_at: datetime
    ended_at: datetime
    seconds: float
    model_seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class MissionRound:
    """A time in which a mission was worked on; without an end it goes on."""

    started_at: datetime
    ended_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MissionTelemetry:
    """The time and the money of a mission, read at `as_of`.

    `seconds` adds up those of all tasks; `path_seconds` those of the critical path, which is the wall time.
    `rounds` are its times of work: the first until it ended, another for each time that it was taken up again. `calls`
    belong to no task of it. A mission that goes on has no end.
    """

    mission: UUID
    title: str
    status: str
    started_at: datetime
    ended_at: datetime | None
    as_of: datetime
    rounds: tuple[MissionRound, ...]
    wall_seconds: float
    seconds: Mapping[TimeUse, float]
    path_seconds: Mapping[TimeUse, float]
    unaccounted_seconds: float
    spending: Spending
    by_model: tuple[ModelSpending, ...]
    retries: int
    failed_runs: int
    tasks: tuple[TaskRecord, ...]
    critical_path: tuple[PathPiece, ...]
    calls: tuple[CallRecord, ...]

    @property
    def is_settled(self) -> bool:
        """Whether it will not change any more, because it has ended, and no call is still in flight."""
        runs = [run for task in self.tasks for run in task.runs]
        calls = [*self.calls, *(call for task in self.tasks for call in task.calls)]
        calls += [call for run in runs for call in run.calls]
        return self.ended_at is not None and not any(call.state == "intent" for call in calls)


def spending_of(calls: Iterable[CallRecord]) -> Spending:
    """Add up some calls."""
    return Spending(**_sums(list(calls)))


def spending_by_model(calls: Iterable[CallRecord]) -> tuple[ModelSpending, ...]:
    """Add up some calls for each tier and model, the most expensive first."""
    groups: dict[tuple[str, str], list[CallRecord]] = {}
    for call in calls:
        groups.setdefault((str(call.tier_served), call.model), []).append(call)
    rows = [
        ModelSpending(tier=tier, model=model, **_sums(members)) for (tier, model), members in groups.items()
    ]
    return tuple(sorted(rows, key=lambda row: (-row.usd_micros, row.tier, row.model)))


def _sums(calls: list[CallRecord]) -> dict[str, int]:
    return {
        "calls": len(calls),
        "failed_calls": sum(call.state == "failed" for call in calls),
        "unknown_calls": sum(call.state == "unknown" for call in calls),
        "tokens_in": sum(call.tokens_in for call in calls),
        "tokens_out": sum(call.tokens_out for call in calls),
        "tokens_cached": sum(call.tokens_cached for call in calls),
        "usd_micros": sum(call.cost_usd_micros for call in calls),
    }
