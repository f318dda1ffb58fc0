"""The critical path of a mission goes from wait to wait, however short they are."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

from frasier.overview.telemetry.critical_path import critical_path
from frasier.overview.telemetry.records import Spending, Stretch, TaskRecord, TimeUse

START = datetime(2026, 1, 1, tzinfo=UTC)


def at(seconds: float) -> datetime:
    return START + timedelta(seconds=seconds)


def task(key: str, *stretches: tuple[TimeUse, float, float], about: UUID | None = None) -> TaskRecord:
    return TaskRecord(
        task=uuid4(),
        key=key,
        step=key,
        title=key,
        process="review" if about else "mission_step",
        agent="Ada",
        status="completed",
        created_at=at(stretches[0][1]),
        ended_at=at(stretches[-1][2]),
        about=about,
        needs=(),
        stretches=tuple(
            Stretch(use=use, started_at=at(start), ended_at=at(end)) for use, start, end in stretches
        ),
        runs=(),
        calls=(),
        seconds={},
        failed_runs=0,
        spending=Spending(),
    )


def test_a_wait_for_reviews_was_not_for_those_of_a_later_version_that_ended_within_a_second() -> None:
    step = task(
        "final",
        (TimeUse.WORK, 0, 0.2),
        (TimeUse.REVIEW, 0.2, 0.4),
        (TimeUse.WORK, 0.4, 0.5),
        (TimeUse.REVIEW, 0.5, 0.7),
    )
    first = task("final-v1-qa", (TimeUse.WORK, 0.2, 0.39), about=step.task)
    second = task("final-v2-qa", (TimeUse.WORK, 0.5, 0.7), about=step.task)
    tasks = (step, first, second)
    path = critical_path(
        tasks, {one.task: [one.ended_at] for one in tasks if one.ended_at}, since=START, until=at(0.7)
    )
    assert [(piece.key, piece.use) for piece in path] == [
        ("final", TimeUse.WORK),
        ("final-v1-qa", TimeUse.WORK),
        ("final", TimeUse.REVIEW),
        ("final", TimeUse.WORK),
        ("final-v2-qa", TimeUse.WORK),
    ]
