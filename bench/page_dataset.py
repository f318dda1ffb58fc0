"""A home with many missions, tasks and events, for measurements of the founder's page.

One mission is run through the product, as a rehearsal; its rows are then copied, because a thousand runs would take
an hour. Every id of a copy is derived from that of the original and the number of the copy, so that rows of different
tables still refer to each other.
"""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

import psycopg
from psycopg import sql

_COPY_PERIOD_S = 3_600

# In an order in which references are there; a mission gets its deliverable at the end. The condition selects the rows
# of the mission %(mission)s.
_COPIED = {
    "workflow_tasks": "group_id = %(mission)s",
    "org_missions": "id = %(mission)s",
    "workflow_dependencies": "task_id in (select id from workflow_tasks where group_id = %(mission)s)",
    "org_plans": "mission_id = %(mission)s",
    "org_steps": "mission_id = %(mission)s",
    "org_deliverables": "mission_id = %(mission)s",
    "org_reviews": "step_id in (select task_id from org_steps where mission_id = %(mission)s)",
    "work_runs": "task_id in (select id from workflow_tasks where group_id = %(mission)s)",
    "work_phases": "task_id in (select id from workflow_tasks where group_id = %(mission)s)",
    "llm_calls": "mission_id = %(mission)s",
    "store_effects": "stream = %(mission)s",
}
_WITH_IDS = (
    "workflow_tasks",
    "org_missions",
    "org_deliverables",
    "org_reviews",
    "llm_calls",
    "store_effects",
)

_COLUMNS = """
select column_name as name, udt_name as type from information_schema.columns
where table_schema = 'public' and table_name = %s and is_generated = 'NEVER' and identity_generation is null
order by ordinal_position
"""
_SPEND = """
insert into llm_spend (scope_kind, scope_key, spent_usd_micros, spent_tokens, calls)
select s.scope_kind, md5(s.scope_key || '-' || n)::uuid::text, s.spent_usd_micros, s.spent_tokens, s.calls
from llm_spend s, generate_series(1, %(copies)s) n where s.scope_key = %(mission)s::text
"""
# The streams of the copies get their events in turn, each with the next number of its stream.
# As in a home that was in use: the post-mortem of each mission was stored when it ended.
_POST_MORTEMS = """
insert into org_post_mortems (mission_id, ended_at, shape, document)
select md5(%(mission)s::text || '-' || n)::uuid, p.ended_at - make_interval(secs => n * %(period)s), p.shape, p.document
from org_post_mortems p, generate_series(1, %(copies)s) n where p.mission_id = %(mission)s
"""
_EVENTS = """
insert into events (stream, seq, at, kind, actor, payload, hash)
select md5(%(mission)s::text || '-' || (1 + n %% %(copies)s))::uuid, 1 + n / %(copies)s,
       now() - make_interval(secs => (%(events)s - n) * 0.5), (array['task.moved', 'run.started', 'run.ended',
       'call.settled'])[1 + n %% 4], 'worker', jsonb_build_object('number', n), sha256(n::text::bytea)
from generate_series(0, %(events)s - 1) n
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageDataset:
    """The number of rows that were added."""

    missions: int
    tasks: int
    events: int


def copy_mission(owner_url: str, mission: UUID, *, copies: int, events: int) -> PageDataset:
    """Copy a finished mission, each copy an hour older than the one before, and add events to the copies' streams."""
    values = {"mission": mission, "copies": copies, "events": events, "period": _COPY_PERIOD_S}
    with psycopg.connect(owner_url) as connection:
        _collect_ids(connection, values)
        for table, condition in _COPIED.items():
            connection.execute(_copy_of(connection, table, condition), values)
        connection.execute(
            "update org_missions copy set status = original.status, completed_at = copy.created_at,"
            " delivered_at = copy.created_at, delivered_path = original.delivered_path,"
            " final_deliverable = md5(original.final_deliverable::text || '-' || n)::uuid"
            " from org_missions original, generate_series(1, %(copies)s) n"
            " where original.id = %(mission)s and copy.id = md5(original.id::text || '-' || n)::uuid",
            values,
        )
        connection.execute(_SPEND, values)
        stored = connection.execute(_POST_MORTEMS, values).rowcount
        assert stored == copies, f"{stored} post-mortems for {copies} copies"
        connection.execute(_EVENTS, values)
        connection.execute("analyze")
        counts = connection.execute(
            "select (select count(*) from org_missions), (select count(*) from workflow_tasks),"
            " (select count(*) from events)"
        ).fetchone()
    assert counts is not None
    return PageDataset(missions=counts[0], tasks=counts[1], events=counts[2])


def copy_board_task(owner_url: str, task: UUID, *, copies: int) -> None:
    """Copy a task of a board."""
    values = {"mission": task, "copies": copies, "period": 60}
    with psycopg.connect(owner_url) as connection:
        connection.execute("create temporary table copied_ids (id uuid primary key) on commit drop")
        connection.execute("insert into copied_ids values (%(mission)s)", values)
        connection.execute(_copy_of(connection, "workflow_tasks", "id = %(mission)s"), values)


def _collect_ids(connection: psycopg.Connection, values: dict[str, object]) -> None:
    connection.execute("create temporary table copied_ids (id uuid primary key) on commit drop")
    for table in _WITH_IDS:
        query = sql.SQL("insert into copied_ids select id from {} where {}").format(
            sql.Identifier(table), sql.SQL(_COPIED[table])
        )
        connection.execute(query, values)


def _copy_of(connection: psycopg.Connection, table: str, condition: str) -> sql.Composed:
    """Build the statement that copies the rows of a table which `condition` selects."""
    columns = connection.execute(_COLUMNS, [table]).fetchall()
    return sql.SQL(
        "insert into {table} ({names}) select {values} from {table} o, generate_series(1, %(copies)s) n where {where}"
    ).format(
        table=sql.Identifier(table),
        names=sql.SQL(", ").join(sql.Identifier(name) for name, _ in columns),
        values=sql.SQL(", ").join(_value(table, name, kind) for name, kind in columns),
        where=sql.SQL(condition),
    )


def _value(table: str, column: str, kind: str) -> sql.Composable:
    name = sql.Identifier("o", column)
    match table, column:
        case "org_missions", "status":
            return sql.SQL("'in_progress'")
        case "org_missions", "final_deliverable" | "delivered_at" | "completed_at" | "delivered_path":
            return sql.SQL("null")
        case "workflow_tasks", "slug":
            return sql.SQL("{} || '-' || n").format(name)
        case "org_missions", "title":
            return sql.SQL("{} || ' ' || n").format(name)
        case "store_effects", "key":
            return sql.SQL("{} || '-' || n").format(name)
    if kind == "timestamptz":
        return sql.SQL("{} - make_interval(secs => n * %(period)s)").format(name)
    if kind == "uuid":
        derived = (
            "case when {0} in (select id from copied_ids) then md5({0}::text || '-' || n)::uuid else {0} end"
        )
        return sql.SQL(derived).format(name)
    return name
