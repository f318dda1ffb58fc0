"""Evidence: what was looked up or run for a task, by whom, and whether it holds. Added to, never changed."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from frasier.kernel.fault_points import fault_point
from frasier.kernel.ids import new_id
from frasier.kernel.text import shorten
from frasier.store import Statements, Tx, append_event

_sql = Statements("frasier.board.evidence")

_IN_AUDIT_LOG = ("passed", "total", "exit_code", "why")
_WHY_CHARS = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """One piece of evidence. `subject` is the link or the name of the command; `attempt` is that of the task's newest
    lease.

    `digest` is the SHA-256 of what was seen, `found` has the facts. `work` is the digest of the work that a command was
    run on, see work_digest, and `began_at` the time at which the run began.
    """

    id: UUID
    task_id: UUID
    attempt: int
    kind: str
    subject: str
    holds: bool
    digest: str
    found: Mapping[str, Any]
    gathered_by: str
    gathered_at: datetime
    work: str
    began_at: datetime | None


async def record_evidence(
    tx: Tx,
    task_id: UUID,
    attempt: int,
    *,
    kind: str,
    subject: str,
    holds: bool,
    digest: str,
    facts: Mapping[str, Any],
    by: str,
    work: str = "",
    began_at: datetime | None = None,
) -> Evidence:
    """Record evidence for a task at that attempt, with its event."""
    row = await _sql.one(
        tx,
        "record",
        id=new_id(),
        task_id=task_id,
        attempt=attempt,
        kind=kind,
        subject=subject,
        holds=holds,
        digest=digest,
        found=Jsonb(dict(facts)),
        by=by,
        work=work,
        began_at=began_at,
    )
    fault_point("evidence.recorded")
    await append_event(
        tx,
        stream=task_id,
        kind="task.evidence",
        actor=by,
        payload={
            "kind": kind,
            "subject": subject,
            "holds": holds,
            "digest": digest,
            "found": _in_short(facts),
            **({"work": work} if work else {}),
        },
    )
    return Evidence(**row)


def _in_short(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts for the audit log: the result, without the output of a command."""
    short = {name: facts[name] for name in _IN_AUDIT_LOG if facts.get(name) not in (None, "")}
    return short | ({"why": shorten(short["why"], _WHY_CHARS)} if "why" in short else {})


async def newest_evidence(tx: Tx, task_id: UUID, kind: str, subject: str | None = None) -> Evidence | None:
    """Return the newest evidence of that kind, of one subject if it is named."""
    row = await _sql.maybe(tx, "newest", task_id=task_id, kind=kind, subject=subject)
    return Evidence(**row) if row else None


async def newest_run(tx: Tx, task_id: UUID, name: str) -> Evidence | None:
    """Return the newest run of a command, whether it was run for its tests or because a move requires it."""
    row = await _sql.maybe(tx, "newest_run", task_id=task_id, name=name)
    return Evidence(**row) if row else None


async def newest_of_tasks(tx: Tx, task_ids: Collection[UUID]) -> list[Evidence]:
    """List the newest evidence of every link and command of some tasks, oldest first."""
    return [Evidence(**row) for row in await _sql.all(tx, "newest_of_tasks", task_ids=list(task_ids))]
