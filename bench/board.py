"""Boards of thousands of tasks, for measurements of the workflow engine."""

from __future__ import annotations

import psycopg

from frasier.kernel.ids import new_id
from frasier.store import Database
from frasier.workflow import SYSTEM, NewTask, create_tasks

_BATCH, _GROUP = 50, 10

# Created by SQL, because one by one they would take minutes. Of 100 tasks 2 are ready, 48 wait for a predecessor, 25
# failed, 25 completed. The ended ones have the highest priority and are the oldest: a claim that scanned them first
# would never reach the ready ones.
_BACKLOG = """
insert into workflow_tasks (id, process, slug, title, group_id, status, role, claimable, pending_deps, priority,
                            run_after, result_digest, result_size, failure, ended_at, outcome)
select gen_random_uuid(), 'mission_step', 'step-' || n, 'Step number ' || n,
       md5((n / 10)::text)::uuid, kind.status, kind.role, kind.status = 'pending',
       case when kind.waits then 1 else 0 end, case when kind.status = 'pending' then 0 else 9 end,
       now() - make_interval(secs => %(count)s - n),
       case when kind.status = 'completed' then md5(n::text) end,
       case when kind.status = 'completed' then 1000 end,
       case when kind.status = 'failed' then 'given up' end,
       case when kind.status <> 'pending' then now() end, case when kind.status <> 'pending' then kind.status end
from generate_series(1, %(count)s) n
cross join lateral (
    select case when n %% 100 < 50 then 'pending' when n %% 100 < 75 then 'failed' else 'completed' end as status,
           case when n %% 100 < 50 then 'worker' else 'nobody' end as role,
           n %% 100 between 2 and 49 as waits) kind
"""

# Every waiting task waits for a ready or waiting one of another mission, and is informed by a completed one.
_EDGES = """
with numbered as (
    select id, status, pending_deps, row_number() over (partition by status order by num) as n
    from workflow_tasks)
insert into workflow_dependencies (task_id, depends_on, kind, satisfied)
select later.id, earlier.id, 'blocks', false
from numbered later join numbered earlier on earlier.n = later.n - 1 and earlier.status = 'pending'
where later.pending_deps = 1
union all
select later.id, done.id, 'informs', true
from numbered later join numbered done on done.n = later.n and done.status = 'completed'
where later.status = 'pending'
"""


async def add_ready_tasks(database: Database, count: int, *, process: str) -> None:
    """Add `count` tasks that are ready for a worker, in groups of ten, through the product's own functions."""
    for start in range(0, count, _BATCH):
        groups = [new_id() for _ in range(0, _BATCH, _GROUP)]
        news = [
            NewTask(
                id=new_id(),
                process=process,
                slug=f"step-{number}",
                title=f"Compare the storage engines, part {number}",
                group_id=groups[number // _GROUP],
                assignee=new_id(),
            )
            for number in range(min(_BATCH, count - start))
        ]
        async with database.transaction() as tx:
            await create_tasks(tx, news, actor=SYSTEM)


def add_backlog(owner_url: str, count: int) -> tuple[int, int]:
    """Add `count` tasks with edges, most of them waiting or ended. Return the numbers of ready tasks and edges."""
    with psycopg.connect(owner_url) as connection:
        connection.execute(_BACKLOG, {"count": count})
        connection.execute(_EDGES)
        connection.execute("analyze")
        row = connection.execute(
            "select (select count(*) from workflow_tasks where ready), (select count(*) from workflow_dependencies)"
        ).fetchone()
    assert row is not None
    return row[0], row[1]
