"""The upkeep of improvement proposals: a reading begins after as many missions as the policy says, and once."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from frasier.kernel.ids import new_id
from frasier.org.governance import MissionMeasurements, last_reading, set_policy
from frasier.org.improvement import keep_up_improvements
from frasier.org.people import Role, get_agent
from frasier.org.staffing import found
from frasier.store import Database, Tx
from frasier.workflow import FOUNDER, get_task


def ended(number: int) -> MissionMeasurements:
    return MissionMeasurements(
        mission=new_id(),
        title=f"Mission {number}",
        ended_at=datetime.now(UTC) - timedelta(minutes=number),
        figures={"retries": 3.0},
    )


async def upkeep(db: Database, missions: int) -> Any:
    """Look once while that many missions have ended; return the newest reading."""

    async def read(_tx: Tx, limit: int) -> tuple[MissionMeasurements, ...]:
        return tuple(ended(number) for number in range(min(missions, limit)))

    async with db.transaction() as tx:
        await keep_up_improvements(tx, read)
        return await last_reading(tx)


async def test_a_reading_begins_after_as_many_missions_as_the_policy_says_and_once(db: Database) -> None:
    async with db.transaction() as tx:
        await found(tx)
    assert await upkeep(db, 5) is None, "proposals are off"
    async with db.transaction() as tx:
        await set_policy(tx, "proposals", {"on": True}, actor=FOUNDER)
    assert await upkeep(db, 5) is None, "only at the founder's word"
    async with db.transaction() as tx:
        await set_policy(tx, "proposals", {"after_missions": 3}, actor=FOUNDER)
    assert await upkeep(db, 2) is None
    begun = await upkeep(db, 3)
    assert begun.asked_by == "system:frasier"
    assert (await upkeep(db, 3)).task_id == begun.task_id
    async with db.transaction() as tx:
        task = await get_task(tx, begun.task_id)
        assert (task.process, task.status) == ("improvement", "pending")
        assert task.assignee is not None
        assert (await get_agent(tx, task.assignee)).role is Role.KNOWLEDGE
