"""Steps for tests: create graphs of them in a line, claim, complete and inspect them."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from frasier.kernel.ids import new_id
from frasier.memory import markers_of
from frasier.store import Database, events_of
from frasier.workflow import (
    POLICY,
    SYSTEM,
    Actor,
    ActorKind,
    Dependency,
    DependencyKind,
    NewTask,
    Task,
    claim,
    create_tasks,
    get_task,
    move,
)

WORKER = Actor(ActorKind.WORKER, "w1")
REVIEWER = Actor(ActorKind.REVIEWER, "ava")
LEASE_S = 60.0
RESULT = {"deliverable_id": "d-1", "result_digest": "a" * 64, "result_size": 10}


async def create_steps(
    db: Database,
    edges: Mapping[str, str] | Sequence[str],
    *,
    process: str = "mission_step",
    group: UUID | None = None,
    informs: Sequence[tuple[str, str]] = (),
    priority: Mapping[str, int] | None = None,
) -> dict[str, Task]:
    """Create one task for each name; `edges` maps each to its blocking dependencies, written "a b"."""
    needs = edges if isinstance(edges, Mapping) else dict.fromkeys(edges, "")
    ids = {name: new_id() for name in needs}
    group = group or new_id()
    news = [
        NewTask(
            id=ids[name],
            process=process,
            slug=name,
            title=f"Title of {name}",
            group_id=group,
            assignee=new_id(),
            priority=(priority or {}).get(name, 0),
            depends_on=(
                *(Dependency(depends_on=ids[needed]) for needed in needs[name].split()),
                *(
                    Dependency(depends_on=ids[needed], kind=DependencyKind.INFORMS)
                    for informed, needed in informs
                    if informed == name
                ),
            ),
        )
        for name in needs
    ]
    async with db.transaction() as tx:
        created = await create_tasks(tx, news, actor=SYSTEM)
    return {task.slug: task for task in created}


async def create_step(db: Database, *, process: str = "mission_step") -> Task:
    """Create a single ready task."""
    return (await create_steps(db, ["only"], process=process))["only"]


async def claim_one(db: Database, *, worker: str = "w1", lease_s: float = LEASE_S) -> Task:
    """Claim the next ready task; fail if there is none."""
    claimed = await claim_up_to(db, 1, worker=worker, lease_s=lease_s)
    assert claimed, "nothing is ready"
    return claimed[0]


async def claim_up_to(
    db: Database, limit: int, *, worker: str = "w1", lease_s: float = LEASE_S
) -> list[Task]:
    names = ["mission_step", "planning", "review", "talk"]
    async with db.transaction() as tx:
        return await claim(tx, worker=worker, names=names, lease_s=lease_s, limit=limit)


async def make_move(db: Database, task_id: UUID, transition: str, **how: Any) -> Task:
    """Make one move in its own transaction; check that the returned task is the stored one."""
    async with db.transaction() as tx:
        moved = await move(tx, task_id, transition, **how)
        assert await get_task(tx, task_id) == moved
        return moved


async def deliver(db: Database, task: Task) -> Task:
    return await make_move(db, task.id, "deliver", actor=WORKER, attempt=task.attempt, fields=RESULT)


async def complete(db: Database, task: Task) -> Task:
    """Deliver and approve a claimed step."""
    await deliver(db, task)
    return await make_move(db, task.id, "approve", actor=POLICY, fields={"reason": "good"})


async def complete_next(db: Database) -> str:
    """Claim and complete the next task; return its slug."""
    task = await claim_one(db)
    return (await complete(db, task)).slug


async def stored_task(db: Database, task: Task) -> Task:
    """Return the task as it is stored now."""
    async with db.transaction() as tx:
        return await get_task(tx, task.id)


async def statuses(db: Database, tasks: Mapping[str, Task]) -> dict[str, str]:
    return {name: (await stored_task(db, task)).status for name, task in tasks.items()}


async def events_and_markers(db: Database, task: Task) -> tuple[list[str], list[str]]:
    """Return the kinds of the task's events and the texts of its markers, oldest first."""
    async with db.transaction() as tx:
        events = await events_of(tx, task.id)
        markers = await markers_of(tx, task.id, limit=1_000)
    return [event.kind for event in events], [marker.content for marker in reversed(markers)]


async def wait_for_lock(db: Database, sessions: int = 1) -> None:
    """Wait until `sessions` connections of the database are blocked by a lock."""
    async with asyncio.timeout(20):
        while True:
            async with db.transaction() as tx:
                cursor = await tx.execute(
                    "select count(*) as n from pg_stat_activity"
                    " where datname = current_database() and wait_event_type = 'Lock'"
                )
                row = await cursor.fetchone()
            if row and row["n"] >= sessions:
                return


async def wait_for_end_of_sessions(db: Database, application_name: str) -> None:
    """Wait until a killed program has no session: what the sessions were sent they carry out first."""
    async with asyncio.timeout(60):
        while True:
            async with db.transaction() as tx:
                cursor = await tx.execute(
                    "select from pg_stat_activity where datname = current_database() and application_name = %s",
                    (application_name,),
                )
            if not cursor.rowcount:
                return
