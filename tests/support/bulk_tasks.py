"""Thousands of tasks on a board, stored without the engine, for tests of correctness and speed with many tasks."""

from __future__ import annotations

import psycopg

_INSERT = """
insert into workflow_tasks (id, process, slug, title, group_id, status, role, fields, outcome, ended_at, result_digest,
                            result_size)
select gen_random_uuid(), 'pdsa_task', %(status)s || '-' || n, 'Task number ' || n, p.id, %(status)s, %(role)s,
    jsonb_build_object('board', p.name), o.outcome, case when o.outcome is not null then now() end,
    case when o.outcome is not null then 'd' end, case when o.outcome is not null then 1 end
from boards p cross join generate_series(1, %(number)s) n
cross join (select case %(status)s when 'complete' then 'completed' end as outcome) o
where p.name = %(board)s
"""


def add_tasks(url: str, board: str, status: str, number: int, *, role: str = "pdsa") -> None:
    """Add `number` tasks of the process pdsa_task with the status `status`."""
    with psycopg.connect(url) as connection:
        connection.execute(_INSERT, {"status": status, "role": role, "number": number, "board": board})
