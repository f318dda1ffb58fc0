"""Document a move in the external memory before it is made: health, intent, contribution, and only then the commit."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias
from uuid import UUID

from frasier.board.external_memory.failures import NotStored
from frasier.board.external_memory.protocol import Contribution, ExternalMemory
from frasier.board.founder_notifications import NotifyFounder, about_outage
from frasier.board.outages import EXTERNAL_MEMORY, begin_outage, end_outage
from frasier.kernel.advice import Advice
from frasier.kernel.errors import FrasierError, ProviderError, TransitionRefused
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
    rules_of,
    stale_task,
    summary_text,
)

_sql = Statements("frasier.board.external_memory")

Change: TypeAlias = Callable[[Tx], Awaitable[Task]]
"""Makes a move in a transaction and returns the task after it."""


async def document_move(
    database: Database,
    memory: ExternalMemory | None,
    task: Task,
    name: str,
    change: Change,
    *,
    trial: Change,
    actor: Actor,
    note: str,
    notify_founder: NotifyFounder,
) -> Task:
    """Make the change; with an external memory, only after that has stored the marker, and the summary if the task
    completes.

    The `trial` of the change is made first and rolled back, so that the memory hears of no move that would be refused
    here. A repeat after a failure sends the same key. Raises TransitionRefused if the memory fails, of which the
    founder is notified once per outage, and Stale if the task was changed after the memory was told.
    """
    if memory is None:
        async with database.transaction() as tx:
            moved = await change(tx)
            fault_point("move.before_commit")
        fault_point("move.committed")
        return moved
    attempted = await _try_change(database, task.id, trial, actor)
    try:
        keys = await _send_all(database, memory, attempted, name, actor=actor, note=note)
    except ProviderError as error:
        if not isinstance(error, NotStored):
            await _notify_outage(database, notify_founder, task, error)
        raise as_refusal(error, task.slug) from error
    async with database.transaction() as tx:
        moved = await change(tx)
        if moved.version != attempted.after.version:
            raise stale_task(moved.slug)  # the memory was told of another version
        await _sql.run(tx, "commit_intents", keys=keys)
        fault_point("move.before_commit")
    fault_point("move.committed")
    return moved


@dataclass(frozen=True, slots=True, kw_only=True)
class _Trial:
    """A move as it would be made now. `summary` is empty unless the move completes the task."""

    before: Task
    after: Task
    summary: str


async def _try_change(database: Database, task_id: UUID, change: Change, actor: Actor) -> _Trial:
    async with database.transaction() as tx, tx.transaction(force_rollback=True):
        before = await get_task(tx, task_id)
        after = await change(tx)
        if after.version != before.version + 1:
            raise stale_task(before.slug)
        ends = after.outcome is Outcome.COMPLETED and rules_of(after.definition).summarises
        return _Trial(
            before=before, after=after, summary=await summary_text(tx, after, actor) if ends else ""
        )


async def _send_all(
    database: Database, memory: ExternalMemory, attempted: _Trial, name: str, *, actor: Actor, note: str
) -> list[UUID]:
    """Send the marker of the move, and the summary; return the keys under which they were sent."""
    before, after = attempted.before, attempted.after
    claimed = after.attempt > before.attempt
    rule = before.definition.transitions.get(name)
    role = actor.acting_as(before.role, rule.actors if rule else ())
    marker = marker_text(after, START if claimed else f"{before.status}→{after.status}", role, note)
    fields_digest, _ = digest_of(after.fields)
    await memory.check()
    keys = [await _send(database, memory, before, name, marker, _digest(fields_digest, marker), actor=actor)]
    if attempted.summary:
        # It states how long the task took, which grows with every try: so its wording is no part of its key.
        keys.append(
            await _send(
                database, memory, before, f"{name}, summary", attempted.summary, fields_digest, actor=actor
            )
        )
    async with database.transaction() as tx:
        await end_outage(tx, EXTERNAL_MEMORY)
    return keys


def _digest(fields_digest: str, text: str) -> str:
    """Return the digest that makes two messages about a move the same: the fields that the task would hold, and the
    text.
    """
    parts: Mapping[str, str] = {"held": fields_digest, "text": text}
    digest, _ = digest_of(parts)
    return digest


async def _send(
    database: Database, memory: ExternalMemory, task: Task, name: str, text: str, digest: str, *, actor: Actor
) -> UUID:
    async with database.transaction() as tx:
        row = await _sql.one(
            tx,
            "record_intent",
            task_id=task.id,
            version=task.version,
            name=name,
            digest=digest,
            key=new_id(),
            text=text,
        )
    fault_point("external_memory.intended")
    remote_id = await memory.contribute(
        Contribution(
            text=row["text"],
            agent_id=f"agent-{actor.name}",
            agent_name=actor.name,
            context=f"task: {task.slug}",
            idempotency_key=str(row["key"]),
            topic=task.slug,
        )
    )
    fault_point("external_memory.contributed")
    async with database.transaction() as tx:
        await _sql.run(tx, "record_remote_id", key=row["key"], remote_id=remote_id)
    key: UUID = row["key"]
    return key


async def _notify_outage(
    database: Database, notify_founder: NotifyFounder, task: Task, error: ProviderError
) -> None:
    """Notify the founder once per outage, which lasts until the memory takes something again."""
    async with database.transaction() as tx:
        outage = await begin_outage(tx, EXTERNAL_MEMORY, error.message)
        if outage is not None:
            await notify_founder(tx, about_outage(outage, task, error.message))


def as_refusal(error: FrasierError, task_slug: str) -> TransitionRefused:
    """Return the refusal of a move that could not be documented, with the reason. Raise it `from` the error."""
    why = error.message.strip().rstrip(".")
    if why.startswith("The "):
        why = f"the {why.removeprefix('The ')}"
    return TransitionRefused(
        f"The external memory cannot document this move ({why}), so {task_slug} stays where it is.",
        kept=f"{task_slug} is unchanged.",
        hint="Try again; if it stays down, block the task, which needs no external memory.",
        advice=Advice("task.block", to="block it"),
    )
