"""Claims: a task is taken under a lease with an attempt number, which fences every later write of the run."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from frasier.store import Statements, Tx
from frasier.workflow.blocking import block
from frasier.workflow.declared import processes
from frasier.workflow.history import marker_text, record_move
from frasier.workflow.process import SYSTEM, Actor, ActorKind
from frasier.workflow.task import Task, task_of
from frasier.workflow.transition import lease_lost, move

_sql = Statements("frasier.workflow")

FAILED_RUNS_MAX = 5
"""Runs of one task that may come to nothing before a person must look at it."""


async def claim(
    tx: Tx,
    *,
    worker: str,
    names: Sequence[str],
    lease_s: float,
    limit: int = 1,
    group_id: UUID | None = None,
) -> list[Task]:
    """Takes up to `limit` ready tasks of the processes `names` for `worker`, most urgent and oldest first; of one
    group only, where `group_id` names it.
    """
    wanted = [processes()[name] for name in names]
    rows = await _sql.all(
        tx,
        "claim_ready",
        worker=worker,
        lease_s=lease_s,
        limit=limit,
        group_id=group_id,
        processes=[process.name for process in wanted],
        statuses=[process.claim_transition.to for process in wanted],
        roles=[process.status(process.claim_transition.to).role for process in wanted],
    )
    if not rows:
        return []
    claimed = sorted(map(task_of, rows), key=lambda task: (-task.priority, task.run_after, task.num))
    async with tx.pipeline():
        for task in claimed:
            await record_move(
                tx,
                task,
                kind=f"task.{task.definition.claim}",
                marker=marker_text(
                    task, "START", task.role, f"claiming, attempt {task.attempt}: {task.title}"
                ),
                actor=Actor(ActorKind.WORKER, worker),
                payload={"lease_s": lease_s, "to": task.status},
            )
    return claimed


async def fence(tx: Tx, task_id: UUID, attempt: int) -> bool:
    """Holds the task for the rest of the transaction; raises LeaseLost where `attempt` does not own it any more.

    Returns whether the task is held (paused): a run then stops at its next checkpoint.
    """
    row = await _sql.maybe(tx, "fence", id=task_id, attempt=attempt)
    if row is None:
        raise lease_lost(f"task {task_id}", attempt)
    return bool(row["held"])


async def end_leases_of(tx: Tx, owners: Sequence[str]) -> int:
    """Lets the leases of workers that are known to be gone run out at once; returns how many tasks they held."""
    return await _sql.run(tx, "end_leases_of", owners=list(owners))


async def recover_expired(tx: Tx) -> list[Task]:
    """Gives back the tasks of workers that stopped beating; a task that keeps killing its runs is blocked."""
    recovered = []
    for task in [task_of(row) for row in await _sql.all(tx, "expired_leases")]:
        reason = f"attempt {task.attempt} of {task.lease_owner} stopped beating"
        if task.failures + 1 < FAILED_RUNS_MAX:
            fields = {"reason": reason}
            recovered.append(await move(tx, task.id, "release", actor=SYSTEM, fields=fields, failed_run=True))
            continue
        recovered.append(
            await block(
                tx,
                task.id,
                reason=f"{task.failures + 1} runs came to nothing; the last: {reason}",
                owner="founder",
                action=f"look at the worker's log, then `frasier retry {task.id}` or cancel the mission",
                actor=SYSTEM,
            )
        )
    return recovered


async def seconds_until_due(tx: Tx) -> float | None:
    """How long until some task may need a worker: 0 or less means now, None that nothing waits."""
    seconds = (await _sql.one(tx, "next_ready_in"))["seconds"]
    return None if seconds is None else float(seconds)
