"""The screen of a mission: it fits the terminal, whatever a mission has, and says when it should end."""

from __future__ import annotations

import io
from dataclasses import replace
from uuid import uuid4

import pytest
from rich.console import Console

from frasier.interfaces.cli.mission_screen import render
from frasier.kernel.deliverable_kind import DeliverableKind
from frasier.org.missions import MissionStatus
from frasier.overview import MissionProgress, ReviewResult, StepProgress
from frasier.overview.expected_end import seconds_left
from frasier.overview.step_work import StepWork


def step(
    key: str, status: str, *, level: int = 1, needs: tuple[str, ...] = (), **work: object
) -> StepProgress:
    review = ReviewResult(
        id=uuid4(), version=1, kind="qa", by="Osprey 2.0", verdict="approved", overall=4.0, feedback=None
    )
    return StepProgress(
        key=key,
        title=f"What the documents say about the {key} and everything that follows from it for the reader",
        agent="Peregrine 4.6",
        status=status,
        phase={"active": "research", "pending": "after one", "blocked": ""}.get(status, ""),
        level=level,
        needs=needs,
        version=1 if status == "completed" else 0,
        strikes=0,
        failure=None,
        reviews=(review,) if status == "completed" else (),
        citation_score=None,
        verification=None,
        degraded=False,
        work=StepWork(**{"calls": 3, "cost_usd": 0.0123, **work}),  # type: ignore[arg-type]
    )


def mission(*steps: StepProgress, **changes: object) -> MissionProgress:
    progress = MissionProgress(
        mission_id=uuid4(),
        title="Compare everything",
        status=MissionStatus.IN_PROGRESS,
        rehearsal=False,
        model_troubles=(),
        seconds=72,
        cost_usd=0.05,
        budget_usd=2.5,
        calls=9,
        steps=steps,
        waiting=(),
        stuck=False,
        path=None,
        failure=None,
        publication_error=None,
        ended_at=None,
        seconds_left=seconds_left(steps),
    )
    return replace(progress, **changes)  # type: ignore[arg-type]


def drawn(progress: MissionProgress, width: int, height: int) -> list[str]:
    console = Console(width=width, height=height, file=io.StringIO(), force_terminal=True, record=True)
    console.print(render(progress, width=width, height=height))
    return console.export_text().rstrip("\n").split("\n")


MANY = mission(
    *(step(f"done-{number}", "completed", seconds=40) for number in range(9)),
    *(step(f"now-{number}", "active", seconds=10, activity="found 12 passages " * 20) for number in range(4)),
    *(step(f"later-{number}", "pending", level=2, needs=("now-0",)) for number in range(9)),
    attended=False,
)


@pytest.mark.parametrize(("width", "height"), [(80, 24), (120, 40), (40, 24)])
def test_it_fits_and_keeps_what_is_going_on(width: int, height: int):
    lines = drawn(MANY, width, height)
    assert len(lines) < height
    assert all(len(line) <= width for line in lines)
    text = "\n".join(lines)
    assert text.count("found 12 passages") >= 4
    assert "Nobody is at work" in text


def test_where_there_is_no_room_finished_and_later_steps_are_counted():
    text = "\n".join(drawn(MANY, 80, 24))
    assert "✓ 9 steps done" in text
    assert "· 9 steps to be done" in text
    assert "approved by Osprey 2.0" in "\n".join(drawn(mission(step("one", "completed", seconds=40)), 80, 24))


def test_a_step_says_what_it_does_and_what_it_cost():
    lines = drawn(
        mission(step("one", "active", seconds=75, asking="middle", asking_s=8, activity="found it")), 100, 30
    )
    row, state, found = lines[-3:]
    assert row.startswith("▶ └ What the documents say")
    assert "Peregrine 4.6  1 min 15 s  $0.0123" in row
    assert "research · asks middle for 8 s" in state
    assert "found it" in found


@pytest.mark.parametrize(
    ("steps", "left"),
    [
        ([step("a", "active", seconds=5)], None),  # nothing to go by
        ([step("a", "completed", seconds=40), step("b", "pending", level=2, needs=("a",))], 40),
        ([step("a", "completed", seconds=40), step("b", "active", seconds=30)], 10),
        # One that runs longer says that steps take longer.
        ([step("a", "completed", seconds=40), step("b", "active", seconds=80)], 15),
        # The final step is reviewed in full.
        (
            [step("a", "completed", seconds=40), replace(step("b", "pending"), kind=DeliverableKind.REPORT)],
            60,
        ),
        ([step("a", "completed", seconds=40), step("b", "in_review", seconds=30)], 10),
        # The longest chain counts, not the sum.
        (
            [
                step("a", "completed", seconds=40),
                step("b", "pending"),
                step("c", "pending"),
                step("d", "pending", level=2, needs=("b", "c")),
            ],
            80,
        ),
        ([step("a", "completed", seconds=40), step("b", "blocked")], None),
    ],
)
def test_the_time_left_follows_from_the_finished_steps(steps: list[StepProgress], left: float | None):
    assert seconds_left(steps) == left
