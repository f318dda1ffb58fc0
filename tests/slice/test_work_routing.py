"""Who is given a step: of those who fit, the higher level, and now and then another one, so that nobody stops learning."""

from __future__ import annotations

from pathlib import Path
from uuid import UUID

import pytest

from frasier.org.execution import hire_by_founder
from frasier.org.people import Role
from frasier.org.staffing import found
from frasier.org.staffing.preference import LEARNING_TURN
from frasier.store import Database, Tx
from support.cli_states import planned_mission

OVER = "update org_missions set status = 'cancelled'"


@pytest.fixture
async def second(db: Database) -> UUID:
    async with db.transaction() as tx:
        await found(tx)
        return (await hire_by_founder(tx, "Research analyst", Role.RESEARCH)).agent.id


async def given(tx: Tx, tmp_path: Path) -> UUID:
    """Plan a mission, end it, and return who was given its research."""
    planned = await planned_mission(tx, tmp_path)
    await tx.execute(OVER)
    return planned.steps["water"].agent_id


async def test_one_after_the_other_every_fifth_work_goes_to_another_colleague(
    db: Database, second: UUID, tmp_path: Path
):
    async with db.transaction() as tx:
        agents = [await given(tx, tmp_path) for _ in range(2 * LEARNING_TURN)]
    first, learner = agents[0], agents[LEARNING_TURN - 1]
    assert first != learner
    assert second in {first, learner}
    assert agents == ([first] * (LEARNING_TURN - 1) + [learner]) * 2
