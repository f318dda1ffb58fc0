"""Invariants of a board: markers, events and state agree, and every decision is used as it was given."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from frasier.board.agent_inbox.audit_replay import check_trail
from frasier.store import Database, SealKey, Tx
from frasier.store.audit_seal import verify_audit_log

_BESIDE = (
    "(kind not like 'task.%%' or kind like 'task.decision\\_%%' or kind in ('task.evidence', 'task.edit'))"
)

_NEVER = {
    "a pause without its place, or a place without its pause": "select slug from workflow_tasks t"
    " where (status = 'blocked') <> exists (select from workflow_blocks b where b.task_id = t.id)",
    "a lease where nobody works, or work without a lease": "select slug from workflow_tasks"
    " where (status = 'active') <> (lease_owner is not null)",
    "a count that the edges do not have": "select slug from workflow_tasks t where pending_deps <> (select count(*)"
    " from workflow_dependencies d where d.task_id = t.id and d.kind = 'blocks' and not d.satisfied)",
    "a dependency that is satisfied by nothing": "select d.task_id from workflow_dependencies d"
    " join workflow_tasks n on n.id = d.depends_on where d.satisfied and not exists (select from events e"
    " where e.stream = n.id and e.payload->>'to' = 'complete')",
    "a decision that is spent without its move": "select d.id from board_decisions d where d.used_at is not null"
    " and (select count(*) from events e where e.stream = d.task_id and e.payload->>'decision' = d.id::text"
    " and e.kind = 'task.' || d.transition and (e.payload->>'version')::int = d.version + 1) <> 1",
    "a move by a decision that is not spent": f"select e.id from events e where e.payload ? 'decision'"
    f" and not {_BESIDE} and not exists (select from board_decisions d where d.used_at is not null"
    " and d.id::text = e.payload->>'decision')",
    # One that was withdrawn may be asked again.
    "a question that was not asked once": "select d.id from board_decisions d"
    " where (d.withdrawn_at is null)::int <> (select count(*) filter (where e.kind = 'task.decision_asked')"
    " - count(*) filter (where e.kind = 'task.decision_withdrawn') from events e where e.stream = d.task_id"
    " and e.payload->>'decision' = d.id::text)",
    "an answer that was not given once": "select d.id from board_decisions d where (d.answer is not null)::int <>"
    " (select count(*) from events e where e.stream = d.task_id and e.payload->>'decision' = d.id::text"
    " and e.kind in ('task.decision_approved', 'task.decision_rejected'))",
    "a committed intent without its move": "select i.key from board_external_memory_intents i where i.committed_at is not null"
    " and (i.remote_id is null or not exists (select from events e where e.stream = i.task_id"
    " and (e.payload->>'version')::int > i.version))",
}
_EVIDENCE = "select task_id, kind, subject, holds, digest from board_evidence"
_FOUND = (
    "select stream as task_id, payload->>'kind' as kind, payload->>'subject' as subject,"
    " (payload->>'holds')::boolean as holds, payload->>'digest' as digest from events where kind = 'task.evidence'"
)


async def _rows(tx: Tx, query: str, *parameters: Any) -> list[dict[str, Any]]:
    return await (await tx.execute(query, parameters or None)).fetchall()


async def find_violations(db: Database, key: Path) -> list[str]:
    """Return every violated invariant; `key` is the path of the key that seals the audit log."""
    violations: list[str] = []
    async with db.transaction() as tx:
        await tx.execute("set transaction isolation level repeatable read")  # all statements see one moment
        for wrong, query in _NEVER.items():
            violations += [f"{wrong}: {row}" for row in await _rows(tx, query.replace("%%", "%"))]
        for task in await _rows(tx, "select id, slug from workflow_tasks order by num"):
            violations += [f"{task['slug']}: {actual}" for actual in await check_trail(tx, task["id"])]
            violations += await _marker_violations(tx, task)
        evidence = Counter(tuple(row.values()) for row in await _rows(tx, _EVIDENCE))
        recorded = Counter(tuple(row.values()) for row in await _rows(tx, _FOUND))
        violations += [
            f"evidence and its events differ: {one}" for one in (evidence - recorded) + (recorded - evidence)
        ]
    return [*violations, *(await verify_audit_log(db, SealKey(key))).problems]


async def _marker_violations(tx: Tx, task: dict[str, Any]) -> list[str]:
    """Check that each move has exactly one marker, in the same order, with the content of its event."""
    moves = await _rows(
        tx,
        "select kind, payload->>'from' as before, payload->>'to' as after from events"
        f" where stream = %s and not {_BESIDE} order by seq",
        task["id"],
    )
    markers = await _rows(
        tx,
        "select content from memory_items where task_id = %s and kind = 'marker' order by num",
        task["id"],
    )
    expected = [word for move in moves for word in _marker_beginnings(move)]
    actual = [marker["content"].removeprefix("TASK ").partition(":")[0] for marker in markers]
    return [] if actual == expected else [f"{task['slug']}: markers say {actual}, events {expected}"]


def _marker_beginnings(move: dict[str, Any]) -> list[str]:
    """Return the beginnings of the markers of a move; a completed task has its summary, too."""
    words = {"created": "CREATED", "start": "START", "block": "BLOCKED", "restore": "RESTORED"}
    word = words.get(move["kind"].removeprefix("task."), f"{move['before']}→{move['after']}")
    return [word, "SUMMARY"] if move["after"] == "complete" else [word]


async def state_of(db: Database, slug: str) -> dict[str, Any]:
    """Return everything stored of one task, except what is looked up before a move: links and memories."""
    async with db.transaction() as tx:
        [task] = await _rows(tx, "select * from workflow_tasks where slug = %s", slug)
        about = task["id"]
        return {
            "task": task,
            "block": await _rows(tx, "select * from workflow_blocks where task_id = %s", about),
            "events": await _rows(
                tx,
                "select seq, kind, payload from events where stream = %s and kind <> 'task.evidence' order by id",
                about,
            ),
            "markers": await _rows(
                tx, "select id from memory_items where task_id = %s and kind = 'marker' order by num", about
            ),
            "decisions": await _rows(tx, "select * from board_decisions where task_id = %s", about),
            "edges": await _rows(tx, "select * from workflow_dependencies where depends_on = %s", about),
        }
