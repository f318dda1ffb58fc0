"""Status and inbox as values: what waits, what ends it, and that reading changes nothing."""

from __future__ import annotations

import asyncio
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest

from frasier.board import worker_lease
from frasier.kernel.advice import Advice
from frasier.llm import Caps, Tier
from frasier.org.execution import block_for_founder
from frasier.overview import (
    Setup,
    read_effects,
    read_inbox,
    read_progress,
    read_standing_rules,
    read_status,
)
from frasier.store import Database, Tx, enqueue_effect, take_lease
from frasier.workflow import SYSTEM, Task, block, claim, get_task
from support.cli_states import Planned, planned_mission, take

SETUP = Setup(rehearsal=True, models={Tier.T1: "small"}, web_search=False, caps=Caps(), database_address=None)


async def asked(tx: Tx, home: Path) -> Planned:
    """A mission that waits for an answer of the founder's at one step, and for the operator at another."""
    planned = await planned_mission(tx, home)
    water = await get_task(tx, planned.steps["water"].task_id)
    await block_for_founder(tx, water, reason="which tea?", action="say which", actor=SYSTEM, asks=True)
    storage = planned.steps["storage"].task_id
    await block(tx, storage, reason="no kettle", owner="operator", action="buy one", actor=SYSTEM)
    return planned


async def test_the_status_counts_and_names_what_waits(db: Database, tmp_path: Path):
    planned = await db.in_transaction(asked, tmp_path)
    status = await db.in_transaction(read_status, SETUP)
    assert (status.database, status.models, status.heartbeat) == ("embedded", {Tier.T1: "small"}, False)
    assert dict(status.missions) == {"in_progress": 1}
    assert (status.tasks.blocked, status.tasks.waiting, status.board_tasks.blocked) == (2, 1, 0)
    (question,) = status.waiting_for_founder
    assert (question.mission, question.options) == (
        planned.mission.id,
        ("continue", "replan", "skip", "fail", "cancel"),
    )
    assert status.blocked_for_founder == (), "what a question asks about is not told twice"
    assert [(one.mission, one.folder) for one in status.latest] == [(planned.mission.id, None)]
    assert (status.spend["day"].cap_usd, status.spend["month"].calls) == (20.0, 0)
    with pytest.raises(FrozenInstanceError):
        status.heartbeat = True  # type: ignore[misc]


async def test_a_pause_says_who_must_act_and_what_ends_it(db: Database, tmp_path: Path):
    planned = await db.in_transaction(asked, tmp_path)
    inbox = await db.in_transaction(read_inbox)
    assert [one.kind for one in inbox.questions] == ["escalation"]
    operators = next(one for one in inbox.blocked if one.slug == "storage")
    assert (operators.was, operators.board, operators.is_the_founders) == ("pending", None, False)
    end = str(planned.steps["storage"].task_id)[-8:]
    assert operators.ends_with == Advice("mission.retry", mission=end)
    assert [one.payload["kind"] for one in inbox.announcements] == ["blocked"]


async def test_a_mission_that_nobody_works_on_is_interrupted(db: Database, tmp_path: Path):
    first = await db.in_transaction(planned_mission, tmp_path)
    last = await db.in_transaction(planned_mission, tmp_path)
    found = {one.mission: one.goes_on_with for one in (await db.in_transaction(read_inbox)).interrupted}
    assert found == {
        last.mission.id: Advice("mission.resume", mission="last"),
        first.mission.id: Advice("mission.resume", mission=str(first.mission.id)[-8:]),
    }
    await db.in_transaction(take, "mission_step")
    status = await db.in_transaction(read_status, SETUP)
    assert (status.interrupted, [one.tasks for one in status.workers]) == ((), [1])


async def test_a_worker_that_looks_for_tasks_is_somebody_at_work_and_a_heartbeat_is_not(
    db: Database, tmp_path: Path
):
    planned = await db.in_transaction(planned_mission, tmp_path)
    await db.in_transaction(take_lease, "heartbeat", holder="somebody", lease_s=600)
    status = await db.in_transaction(read_status, SETUP)
    assert (status.heartbeat, [one.mission for one in status.interrupted]) == (True, [planned.mission.id])
    await db.in_transaction(
        take_lease, worker_lease("somebody", rehearsal=True), holder="somebody", lease_s=600
    )
    assert (await db.in_transaction(read_status, SETUP)).interrupted == ()


async def test_a_worker_of_one_mission_is_at_work_on_that_one_alone(db: Database, tmp_path: Path):
    own = await db.in_transaction(planned_mission, tmp_path)
    other = await db.in_transaction(planned_mission, tmp_path)
    lease = worker_lease("somebody", own.mission.id, rehearsal=True)
    await db.in_transaction(take_lease, lease, holder="somebody", lease_s=600)
    attended = {
        planned.mission.id: (await db.in_transaction(read_progress, planned.mission.id)).attended
        for planned in (own, other)
    }
    assert attended == {own.mission.id: True, other.mission.id: False}
    status = await db.in_transaction(read_status, SETUP)
    assert status.waits_for.attended
    assert [one.mission for one in status.interrupted] == [other.mission.id]


async def test_effects_in_trouble_are_counted_and_the_oldest_shown(db: Database, tmp_path: Path):
    planned = await db.in_transaction(planned_mission, tmp_path)
    async with db.transaction() as tx:
        for number in range(7):
            await enqueue_effect(
                tx, kind="publish.folder", key=f"{number}", stream=planned.mission.id, payload={}
            )
        await tx.execute("update store_effects set state = 'failed', error = 'no room', settled_at = now()")
    status = await db.in_transaction(read_status, SETUP)
    assert (status.effects_in_trouble, len(status.effects)) == (7, 5)
    assert {(one.mission, one.error) for one in status.effects} == {(planned.mission.id, "no room")}
    assert len(await db.in_transaction(read_effects, limit=3, sent=False)) == 3


async def test_reading_writes_nothing(db: Database, tmp_path: Path):
    await db.in_transaction(asked, tmp_path)
    async with db.transaction() as tx:
        await tx.execute("set transaction read only")
        await read_status(tx, SETUP)
        await read_inbox(tx)
        assert await read_standing_rules(tx) == ()


async def test_one_cause_that_stops_two_steps_at_the_same_moment_is_announced_once(
    db: Database, tmp_path: Path
):
    async with db.transaction() as tx:
        await planned_mission(tx, tmp_path)
        first, second = await claim(tx, worker="somebody", names=["mission_step"], lease_s=60, limit=2)

    async def stop(tx: Tx, task: Task) -> None:
        await block_for_founder(tx, task, reason="The key was refused.", action="check it", actor=SYSTEM)

    async with db.transaction() as tx:
        await stop(tx, first)
        meanwhile = asyncio.create_task(db.in_transaction(stop, second))
        # It asks before this is committed, and can only wait where it would tell the same.
        await asyncio.wait([meanwhile], timeout=1)
    await meanwhile
    inbox = await db.in_transaction(read_inbox)
    assert [len(one.tasks) for one in inbox.questions] == [2]
    assert len(inbox.announcements) == 1
