"""The founder's verdict on a step whose reviewer concludes at the same moment."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from frasier.kernel.errors import InvalidInput
from frasier.org.execution import apply_verdict, approve_named
from frasier.org.governance import AutonomySettings, Verdict, review_of_task
from frasier.store import Database
from frasier.workflow import get_task, lock_attempt
from support.board import wait_for_lock
from support.cli_states import ACTOR, deliver, planned_mission, take

APPROVED = Verdict(approved=True, overall=4.0, scores={"depth": 4.0}, feedback="Clear and cited.")


async def test_a_reviewer_who_is_concluding_ends_first_and_the_founder_is_told(db: Database, tmp_path: Path):
    async with db.transaction() as tx:
        planned = await planned_mission(tx, tmp_path)
        step, _ = await deliver(tx, planned)
        task = await take(tx, "review")
    async with db.transaction() as tx:
        # As the run of a reviewer: first its own task, then the step.
        await lock_attempt(tx, task.id, task.attempt)
        founder = asyncio.create_task(db.in_transaction(approve_named, str(step.task_id)))
        await wait_for_lock(db)
        await apply_verdict(
            tx,
            step,
            await review_of_task(tx, task.id),
            APPROVED,
            attempt=task.attempt,
            worker=ACTOR,
            autonomy=AutonomySettings(),
        )
    with pytest.raises(InvalidInput, match="no version of it waits for a verdict"):
        await founder
    async with db.transaction() as tx:
        assert (await get_task(tx, step.task_id)).status == "completed"
