-- name: dependencies
-- How many tasks one needs completed before it can go on, and which of them are not: not yet, or not any more.
select count(*) as needed,
    coalesce(array_agg(n.slug order by n.num) filter (where n.outcome is distinct from 'completed'), '{}') as waits_for
from workflow_dependencies d join workflow_tasks n on n.id = d.depends_on
where d.task_id = %(id)s::uuid and d.kind = 'blocks'

-- name: same_answers
-- Other tasks of the same board that hold one of these answers.
select t.slug from workflow_tasks t
where t.id <> %(id)s::uuid and t.group_id = %(group_id)s::uuid
  and exists (select from unnest(%(questions)s::text[]) as q (name)
              where t.fields ->> q.name = any(%(answers)s::text[]))
order by t.num limit 3
