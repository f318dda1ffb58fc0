"""Invariants of a delivered mission, whatever faults occurred, and a summary of its results."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql

from frasier.store import Database, SealKey
from frasier.store.audit_seal import verify_audit_log
from support.crash import Drill, connect_for_checks

Summary = dict[str, list[tuple[Any, ...]]]
Rows = list[dict[str, Any]]

# Any process may do these at any time, and each may be done twice: who leads, seals, the search index, and up to which
# event those have read who follow the events.
_HOUSEKEEPING = {
    "store_leases",
    "store_event_seals",
    "store_event_readers",
    "memory_terms",
    "memory_scope_stats",
}
_HOUSEKEPT_COLUMNS = ["indexed", "length", "term_keys", "sealed_seq"]

_SUMMARY = {
    "versions": "select s.key, count(d.id) from org_steps s left join org_deliverables d on d.task_id = s.task_id"
    " where s.mission_id = %(mission)s group by s.key",
    "reviews": "select s.key, r.kind, r.state from org_reviews r join org_steps s on s.task_id = r.step_id"
    " where s.mission_id = %(mission)s",
    "plans": "select version, state from org_plans where mission_id = %(mission)s",
    "answered": "select t.slug, c.phase, count(*) from llm_calls c join workflow_tasks t on t.id = c.task_id"
    " where c.mission_id = %(mission)s and c.state = 'settled' group by t.slug, c.phase",
    "checkpoints": "select t.slug, c.phase, count(*) from work_checkpoints c join workflow_tasks t on t.id = c.task_id"
    " where t.group_id = %(mission)s group by t.slug, c.phase",
    "remembered": "select m.kind, count(*) from memory_items m join workflow_tasks t on t.id = m.task_id"
    " where t.group_id = %(mission)s and m.kind <> 'marker' group by m.kind",
    "skills": "select a.key, s.skill, s.uses from org_skills s join org_agents a on a.id = s.agent_id where s.uses > 0",
    "ends": "select kind, count(*) from events where stream = %(mission)s and kind <> 'effect.in_doubt' group by kind",
    "effects": "select kind, state, count(*) from store_effects where stream = %(mission)s group by kind, state",
}

_NEVER = {
    "a task is still open or leased": "select slug, status from workflow_tasks where group_id = %(mission)s"
    " and (ended_at is null or lease_owner is not null)",
    "a run has no end": "select t.slug, r.attempt, r.worker from work_runs r join workflow_tasks t on t.id = r.task_id"
    " where t.group_id = %(mission)s and r.ended_at is null",
    "an attempt is not the run of one worker": "select t.slug from workflow_tasks t where t.group_id = %(mission)s"
    " and t.attempt <> (select count(*) from work_runs r where r.task_id = t.id)",
    "a stored phase has no start and end": "select t.slug, c.phase from work_checkpoints c"
    " join workflow_tasks t on t.id = c.task_id left join work_phases p on p.task_id = c.task_id"
    " and (p.attempt, p.phase, p.fingerprint) = (c.attempt, c.phase, c.fingerprint) where t.group_id = %(mission)s and (p.ended_at >= p.started_at) is not true",
    "a call is still in flight": "select phase from llm_calls where mission_id = %(mission)s and state = 'intent'",
    "a cap still holds a reservation": "select * from llm_spend where reserved_usd_micros > 0 or reserved_tokens > 0",
    "a cap counts other calls than were made": "select s.calls from llm_spend s"
    " where s.scope_kind = 'mission' and s.scope_key = %(mission)s::uuid::text and s.calls <>"
    " (select count(*) from llm_calls where mission_id = %(mission)s::uuid)",
    "a question was answered twice": "select task_id, fingerprint from llm_calls where mission_id = %(mission)s"
    " and state = 'settled' group by task_id, fingerprint having count(*) > 1",
    "a move has not its one marker": "select t.slug from workflow_tasks t where t.group_id = %(mission)s and"
    " (select count(*) from events e where e.stream = t.id and e.kind like 'task.%%') <>"
    " (select count(*) from memory_items m where m.task_id = t.id and m.kind = 'marker')",
}


def summary_of(connection: psycopg.Connection[dict[str, Any]], mission: str) -> Summary:
    """Return the results of a mission without the ids and times that differ between two equal runs."""
    return {
        name: sorted(
            tuple(row.values()) for row in connection.execute(query, {"mission": mission}).fetchall()
        )
        for name, query in _SUMMARY.items()
    }


def doubtful_calls(connection: psycopg.Connection[dict[str, Any]], mission: str) -> Rows:
    """Return the calls that were booked as "outcome unknown"."""
    return connection.execute(
        "select task_id, fingerprint, cost_usd_micros, reserved_usd_micros from llm_calls"
        " where mission_id = %(mission)s and state = 'unknown'",
        {"mission": mission},
    ).fetchall()


def check_invariants(drill: Drill, url: str, mission: str) -> Summary:
    """Check everything of a delivered mission that a crash could break; return its summary."""
    with connect_for_checks(url) as connection:
        status = connection.execute(
            "select status, delivered_path from org_missions where id = %s", [mission]
        ).fetchone()
        assert status is not None
        assert status["status"] == "delivered"
        for wrong, query in _NEVER.items():
            assert not connection.execute(query, {"mission": mission}).fetchall(), wrong
        doubted = doubtful_calls(connection, mission)
        _check_folder(connection, mission, Path(status["delivered_path"]))
        summary = summary_of(connection, mission)
    assert len({(row["task_id"], row["fingerprint"]) for row in doubted}) == len(doubted), "doubted twice"
    assert all(row["cost_usd_micros"] == row["reserved_usd_micros"] for row in doubted)
    mission_announcements = [line for line in drill.announcements() if line["mission"] == mission]
    assert [line["kind"] for line in mission_announcements] == ["delivered"]
    assert asyncio.run(_audit_problems(url, drill.home)) == ()
    return summary


def _check_folder(connection: psycopg.Connection[dict[str, Any]], mission: str, folder: Path) -> None:
    """Check that the folder exists once and complete: every stored version, its provenance, and no partial file."""
    rows = connection.execute(
        "select t.slug, d.version, d.content, m.final_deliverable = d.id as is_final"
        " from org_deliverables d join workflow_tasks t on t.id = d.task_id join org_missions m on m.id = d.mission_id"
        " where d.mission_id = %s",
        [mission],
    ).fetchall()
    provenance = json.loads((folder / "provenance.json").read_text("utf-8"))
    assert provenance["mission"]["id"] == mission
    texts = {f"steps/{row['slug']}/v{row['version']}.md": row["content"] for row in rows}
    texts["deliverable.md"] = next(row["content"] for row in rows if row["is_final"])
    for name, content in texts.items():
        assert content.splitlines()[0] in (folder / name).read_text("utf-8"), name
    files = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    forms = {"deliverable.html", "deliverable.docx"}
    assert files == {*texts, *forms, "provenance.json"}
    for file in provenance["deliverable"]["files"]:
        digest = hashlib.sha256((folder / file["name"]).read_bytes()).hexdigest()
        assert file["sha256"] == digest, file["name"]
    assert {file["name"] for file in provenance["deliverable"]["files"]} == {"deliverable.md", *forms}
    others = [path.name for path in folder.parent.iterdir() if folder.name in path.name and path != folder]
    assert others == [], "a half-made folder was left behind"


async def _audit_problems(url: str, home: Path) -> tuple[str, ...]:
    async with Database(url) as database:
        return (await verify_audit_log(database, SealKey(home / "seal.key"))).problems


def state_of(url: str, places: Sequence[Path]) -> dict[str, Any]:
    """Return the whole state: a digest of each table except housekeeping, and of each file below `places`."""
    state: dict[str, Any] = {}
    with connect_for_checks(url) as connection:
        tables = connection.execute(
            "select relname as name from pg_class where relnamespace = 'public'::regnamespace"
            " and relkind in ('r', 'p') and not relispartition order by relname"
        ).fetchall()
        for name in (row["name"] for row in tables if row["name"] not in _HOUSEKEEPING):
            query = sql.SQL(
                "select count(*) as rows, md5(coalesce(string_agg(line, '|' order by line), '')) as digest"
                " from (select (to_jsonb(t) - %s::text[])::text as line from {} t) lines"
            ).format(sql.Identifier(name))
            state[name] = connection.execute(query, [_HOUSEKEPT_COLUMNS]).fetchone()
    for place in places:
        for path in sorted(place.rglob("*") if place.is_dir() else [place]):
            if path.is_file():
                seen = path.stat()
                digest = hashlib.sha256(path.read_bytes()).hexdigest()
                state[str(path)] = (seen.st_ino, seen.st_mtime_ns, digest)
    return state
