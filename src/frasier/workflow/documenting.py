"""Telling an outside brain of a move before it is made: health, intent, contribution, and only then the commit."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeAlias
from uuid import UUID

from frasier.kernel.errors import ProviderError
from frasier.kernel.faults import fault_point
from frasier.kernel.ids import new_id
from frasier.store import Database, Statements, Tx
from frasier.workflow.history import START, marker_text
from frasier.workflow.process import Actor
from frasier.workflow.remote import Contribution, RemoteBrain, as_refusal
from frasier.workflow.task import Task, digest_of

_sql = Statements("frasier.workflow")

Change: TypeAlias = Callable[[Tx], Awaitable[Task]]
"""Makes a move in a transaction; gives the task after it."""


async def make_documented(
    database: Database,
    brain: RemoteBrain | None,
    task: Task,
    name: str,
    change: Change,
    *,
    actor: Actor,
    note: str,
) -> Task:
    """Makes the change; where there is an outside brain, not before it has the marker.

    The change is tried first and taken back, so that the brain hears of no move that would be refused here. Asked
    again after a failure, it sends the same key. Raises TransitionRefused where the brain fails.
    """
    if brain is None:
        async with database.transaction() as tx:
            moved = await change(tx)
            fault_point("move.before_commit")
        fault_point("move.committed")
        return moved
    after = await _tried(database, change)
    key = await _tell(database, brain, task, after, name, actor=actor, note=note)
    async with database.transaction() as tx:
        moved = await change(tx)
        await _sql.run(tx, "commit_intent", key=key)
        fault_point("move.before_commit")
    fault_point("move.committed")
    return moved


async def _tried(database: Database, change: Change) -> Task:
    async with database.transaction() as tx, tx.transaction(force_rollback=True):
        return await change(tx)


def _told_move(before: Task, after: Task) -> str:
    claimed = after.attempt > before.attempt
    return START if claimed else f"{before.status}→{after.status}"


async def _tell(
    database: Database, brain: RemoteBrain, task: Task, after: Task, name: str, *, actor: Actor, note: str
) -> UUID:
    digest, _ = digest_of(after.fields)
    try:
        await brain.check()
        async with database.transaction() as tx:
            row = await _sql.one(
                tx, "intend", task_id=task.id, version=task.version, name=name, digest=digest, key=new_id()
            )
        fault_point("brain.intended")
        remote_id = await brain.contribute(
            Contribution(
                text=marker_text(after, _told_move(task, after), task.role, note),
                agent_id=f"agent-{actor.name}",
                agent_name=actor.name,
                context=f"task: {task.slug}",
                idempotency_key=str(row["key"]),
                topic=task.slug,
            )
        )
    except ProviderError as error:
        raise as_refusal(error, task.slug) from error
    fault_point("brain.contributed")
    async with database.transaction() as tx:
        await _sql.run(tx, "note_remote_id", key=row["key"], remote_id=remote_id)
    key: UUID = row["key"]
    return key
