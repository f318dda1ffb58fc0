"""Telling an outside brain of a move before it is made: health, intent, contribution, and only then the commit."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias
from uuid import UUID

from frasier.board.external_memory import Contribution, NotStored, RemoteBrain, as_refusal
from frasier.board.founder_notifications import Tell, about_outage
from frasier.board.outages import BRAIN, begin_outage, end_outage
from frasier.kernel.errors import ProviderError
from frasier.kernel.fault_points import fault_point
from frasier.kernel.ids import new_id
from frasier.store import Database, Statements, Tx
from frasier.workflow import (
    START,
    Actor,
    Outcome,
    Task,
    digest_of,
    get_task,
    marker_text,
    moved_first,
    rules_of,
    summary_text,
)

_sql = Statements("frasier.board.external_memory")

Change: TypeAlias = Callable[[Tx], Awaitable[Task]]
"""Makes a move in a transaction; gives the task after it."""


async def make_documented(
    database: Database,
    brain: RemoteBrain | None,
    task: Task,
    name: str,
    change: Change,
    *,
    trial: Change,
    actor: Actor,
    note: str,
    tell: Tell,
) -> Task:
    """Makes the change; where there is an outside brain, not before it has the marker, and the summary of what is
    completed.

    The `trial` of the change is made first and taken back, so that the brain hears of no move that would be refused
    here. Asked
    again after a failure, it sends the same key. Raises TransitionRefused where the brain fails, of which the founder
    is told once an outage, and Stale where the task was changed after the brain was told.
    """
    if brain is None:
        async with database.transaction() as tx:
            moved = await change(tx)
            fault_point("move.before_commit")
        fault_point("move.committed")
        return moved
    tried = await _tried(database, task.id, trial, actor)
    try:
        keys = await _tell_all(database, brain, tried, name, actor=actor, note=note)
    except ProviderError as error:
        if not isinstance(error, NotStored):
            await _tell_founder(database, tell, task, error)
        raise as_refusal(error, task.slug) from error
    async with database.transaction() as tx:
        moved = await change(tx)
        if moved.version != tried.after.version:
            raise moved_first(moved.slug)  # what the brain was told is of another version
        await _sql.run(tx, "commit_intents", keys=keys)
        fault_point("move.before_commit")
    fault_point("move.committed")
    return moved


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tried:
    """A move as it would be made now. `summary` is empty where nothing is completed by it."""

    before: Task
    after: Task
    summary: str


async def _tried(database: Database, task_id: UUID, change: Change, actor: Actor) -> _Tried:
    async with database.transaction() as tx, tx.transaction(force_rollback=True):
        before = await get_task(tx, task_id)
        after = await change(tx)
        if after.version != before.version + 1:
            raise moved_first(before.slug)
        ends = after.outcome is Outcome.COMPLETED and rules_of(after.definition).summarises
        return _Tried(
            before=before, after=after, summary=await summary_text(tx, after, actor) if ends else ""
        )


async def _tell_all(
    database: Database, brain: RemoteBrain, tried: _Tried, name: str, *, actor: Actor, note: str
) -> list[UUID]:
    """Tells the move, and the summary; gives the keys under which they were told."""
    before, after = tried.before, tried.after
    claimed = after.attempt > before.attempt
    rule = before.definition.transitions.get(name)
    role = actor.acting_as(before.role, rule.actors if rule else ())
    marker = marker_text(after, START if claimed else f"{before.status}→{after.status}", role, note)
    held, _ = digest_of(after.fields)
    await brain.check()
    keys = [await _tell(database, brain, before, name, marker, _digest(held, marker), actor=actor)]
    if tried.summary:
        # It tells how long the task took, which is longer at every try: so its wording is no part of its key.
        keys.append(
            await _tell(database, brain, before, f"{name}, summary", tried.summary, held, actor=actor)
        )
    async with database.transaction() as tx:
        await end_outage(tx, BRAIN)
    return keys


def _digest(held: str, text: str) -> str:
    """What makes two tellings of one move the same: what the task would hold, and the words."""
    said: Mapping[str, str] = {"held": held, "text": text}
    digest, _ = digest_of(said)
    return digest


async def _tell(
    database: Database, brain: RemoteBrain, task: Task, name: str, text: str, digest: str, *, actor: Actor
) -> UUID:
    async with database.transaction() as tx:
        row = await _sql.one(
            tx,
            "intend",
            task_id=task.id,
            version=task.version,
            name=name,
            digest=digest,
            key=new_id(),
            text=text,
        )
    fault_point("brain.intended")
    remote_id = await brain.contribute(
        Contribution(
            text=row["text"],
            agent_id=f"agent-{actor.name}",
            agent_name=actor.name,
            context=f"task: {task.slug}",
            idempotency_key=str(row["key"]),
            topic=task.slug,
        )
    )
    fault_point("brain.contributed")
    async with database.transaction() as tx:
        await _sql.run(tx, "note_remote_id", key=row["key"], remote_id=remote_id)
    key: UUID = row["key"]
    return key


async def _tell_founder(database: Database, tell: Tell, task: Task, error: ProviderError) -> None:
    """Once an outage, which lasts until the brain takes something again."""
    async with database.transaction() as tx:
        outage = await begin_outage(tx, BRAIN, error.message)
        if outage is not None:
            await tell(tx, about_outage(outage, task, error.message))
