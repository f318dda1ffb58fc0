-- name: dependencies
-- How many tasks one needs completed before it can go on, and which of them are not: not yet, or not any more.
select count(*) as needed,
    coalesce(array_agg(n.slug order by n.num) filter (where n.outcome is distinct from 'completed'), '{}') as waits_for
from workflow_dependencies d join workflow_tasks n on n.id = d.depends_on
where d.task_id = %(id)s::uuid and d.kind = 'blocks'
