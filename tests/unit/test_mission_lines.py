"""The events of a mission as lines: each verdict is told once, also where the same reviewer judges every version."""

from __future__ import annotations

from dataclasses import replace
from uuid import uuid4

import pytest

from frasier.interfaces.cli.mission_lines import MissionLines
from frasier.org.missions import MissionStatus
from frasier.overview import MissionProgress, ReviewResult, StepProgress
from frasier.overview.step_work import StepWork

STEP = StepProgress(
    key="report",
    title="Write the report",
    agent="Peregrine 4.6",
    status="in_review",
    phase="qa review by Osprey 2.0",
    level=1,
    needs=(),
    version=1,
    strikes=0,
    failure=None,
    reviews=(),
    citation_score=None,
    verification=None,
    degraded=False,
)
MISSION = MissionProgress(
    mission_id=uuid4(),
    title="Compare everything",
    status=MissionStatus.IN_PROGRESS,
    rehearsal=False,
    model_troubles=(),
    seconds=72,
    cost_usd=0.05,
    budget_usd=2.5,
    calls=9,
    steps=(STEP,),
    waiting=(),
    stuck=False,
    path=None,
    failure=None,
    publication_error=None,
    ended_at=None,
)


def rejection() -> ReviewResult:
    return ReviewResult(
        id=uuid4(),
        version=1,
        kind="qa",
        by="Osprey 2.0",
        verdict="rejected",
        overall=2.0,
        feedback="Say more.",
    )


def test_the_verdict_of_the_same_reviewer_on_the_next_version_is_told_too(capsys: pytest.CaptureFixture[str]):
    lines = MissionLines(quiet=False)
    reviews = [rejection()]
    for version in (1, 2, 2):
        step = replace(STEP, version=version, reviews=tuple(reviews))
        lines.show(replace(MISSION, steps=(step,)), ())
        reviews = [*reviews, rejection()][:2]
    told = capsys.readouterr().err.splitlines()
    assert [line for line in told if "rejected by" in line] == [
        "✗ report: rejected by Osprey 2.0 with 2.0",
        "✗ report: rejected by Osprey 2.0 with 2.0",
    ]


def test_a_silent_model_is_told_again_each_time_that_the_wait_has_doubled(capsys: pytest.CaptureFixture[str]):
    lines = MissionLines(quiet=False)
    for asking_s in (1.0, 29.0, 31.0, 40.0, 61.9, 62.0, 100.0, 125.0, 2.0, 30.0, None, 35.0):
        work = StepWork(asking="large" if asking_s else None, asking_s=asking_s)
        lines.show(replace(MISSION, steps=(replace(STEP, work=work),)), ())
    told = [line for line in capsys.readouterr().err.splitlines() if "has not answered" in line]
    assert told == [
        f"▲ report: large has not answered for {wait}"
        for wait in ("31 s", "1 min 2 s", "2 min 5 s", "30 s", "35 s")
    ]
