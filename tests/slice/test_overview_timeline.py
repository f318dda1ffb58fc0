"""The timeline of a mission: when each run worked on what, and what was waited for."""

from __future__ import annotations

from contextlib import AsyncExitStack
from itertools import pairwise
from pathlib import Path

from frasier.overview import MissionTimeline, SpanKind, TimelineRow
from frasier.overview.mission_timeline import read_timeline
from frasier.store import Database
from frasier.work.run_log import begin_runs, end_run
from frasier.work.run_outcomes import NeedsFounder
from frasier.workflow import SYSTEM, block, restore
from support.cli_states import blocked_mission, planned_mission, take
from support.organisation import carry_out, organisation, write_documents


def row_of(timeline: MissionTimeline, key: str) -> TimelineRow:
    (row,) = [row for row in timeline.rows if row.key == key]
    return row


def kinds(row: TimelineRow) -> list[SpanKind]:
    return [span.kind for span in row.spans]


async def test_a_mission_that_was_carried_out_has_each_run_with_its_phases_and_waiting(
    database_url: str, tmp_path: Path
) -> None:
    async with organisation(database_url, tmp_path / "home") as services:
        progress = await carry_out(services, write_documents(tmp_path / "docs"))
        timeline = await services.in_transaction(read_timeline, progress.mission_id)
    steps = {step.key: step.agent for step in progress.steps}
    assert steps.keys() <= {row.key for row in timeline.rows}
    for row in timeline.rows:
        assert (row.attempt, row.outcome) == (1, "done")
        assert row.worker
        assert row.ended_at
        assert all(one.started_at <= other.started_at for one, other in pairwise(row.spans))
        assert all(span.ended_at and span.started_at <= span.ended_at for span in row.spans)
        assert row.started_at == row.spans[0].started_at
    final = row_of(timeline, "final")
    assert final.agent == steps["final"]
    assert [span.name for span in final.spans if not span.kind.is_waiting][:3] == [
        "context",
        "decompose",
        "research",
    ]
    assert kinds(final)[0] is SpanKind.QUEUE
    assert kinds(final)[-1] is SpanKind.REVIEW
    research = row_of(timeline, "research-1")
    assert final.spans[0].started_at >= research.spans[-1].started_at, (
        "it is not in the queue before it is ready"
    )
    assert {row.step for row in timeline.rows if row.process == "review"} <= steps.keys()
    assert timeline.started_at == min(row.started_at for row in timeline.rows)
    assert timeline.ended_at == max(row.ended_at for row in timeline.rows)


async def test_what_waits_for_others_has_no_row_and_what_waits_for_a_worker_has_one(
    db: Database, tmp_path: Path
) -> None:
    planned = await db.in_transaction(planned_mission, tmp_path)
    timeline = await db.in_transaction(read_timeline, planned.mission.id)
    assert {row.key for row in timeline.rows} == {"plan", "storage", "water"}
    water = row_of(timeline, "water")
    assert (kinds(water), water.worker, water.ended_at) == ([SpanKind.QUEUE], "", None)
    assert timeline.ended_at is None


async def test_a_pause_is_shown_as_waiting_until_it_ends(db: Database, tmp_path: Path) -> None:
    planned = await db.in_transaction(blocked_mission, tmp_path)
    timeline = await db.in_transaction(read_timeline, planned.mission.id)
    (pause,) = [span for span in row_of(timeline, "water").spans if span.kind is SpanKind.FOUNDER]
    assert (pause.name, pause.ended_at) == ("waits for: operator", None)
    async with db.transaction() as tx:
        await restore(tx, planned.steps["water"].task_id, actor=SYSTEM)
    timeline = await db.in_transaction(read_timeline, planned.mission.id)
    assert kinds(row_of(timeline, "water")) == [SpanKind.QUEUE, SpanKind.FOUNDER, SpanKind.QUEUE]
    assert row_of(timeline, "water").spans[1].ended_at


async def test_a_step_that_asks_the_founder_waits_in_the_row_of_its_run(db: Database, tmp_path: Path) -> None:
    planned = await db.in_transaction(planned_mission, tmp_path)
    async with db.transaction() as tx:
        task = await take(tx, "mission_step")
        await begin_runs(tx, [task], worker="anna")
    async with db.transaction() as tx:
        await end_run(tx, task, NeedsFounder("it is cold", "warm it"))
        await block(
            tx,
            task.id,
            reason="it is cold",
            owner="founder",
            action="warm it",
            actor=SYSTEM,
            attempt=task.attempt,
        )
    timeline = await db.in_transaction(read_timeline, planned.mission.id)
    row = row_of(timeline, task.slug)
    assert (row.worker, row.outcome, row.ended_at) == ("anna", "needs_founder", None)
    assert row.spans[-1].name == "waits for you"


async def test_a_claim_that_began_while_its_task_was_stored_comes_after_the_queue(
    db: Database, tmp_path: Path
) -> None:
    async with AsyncExitStack() as claims:
        async with db.transaction() as storing:
            await storing.execute("select frasier_now()")  # the time of all that this transaction stores
            claiming = await claims.enter_async_context(db.transaction())
            await claiming.execute("select frasier_now()")
            planned = await planned_mission(storing, tmp_path)
        water = await take(claiming, "mission_step")
        await begin_runs(claiming, [water], worker="w1")
    timeline = await db.in_transaction(read_timeline, planned.mission.id)
    (row,) = [row for row in timeline.rows if row.attempt == 1]
    assert kinds(row)[0] is SpanKind.QUEUE
    assert row.started_at == row.spans[0].started_at == water.created_at
