-- name: dependencies
-- How many tasks one needs completed before it can go on, and which of them are not: not yet, or not any more.
select count(*) as needed,
    coalesce(array_agg(n.slug order by n.num) filter (where n.outcome is distinct from 'completed'), '{}') as waits_for
from workflow_dependencies d join workflow_tasks n on n.id = d.depends_on
where d.task_id = %(id)s::uuid and d.kind = 'blocks'

-- name: same_answers
-- Other tasks of the same board that hold one of these answers, however they are spaced or capitalised.
select t.slug from workflow_tasks t
where t.id <> %(id)s::uuid and t.group_id = %(group_id)s::uuid
  and exists (select from unnest(%(questions)s::text[]) as q (name)
              where lower(btrim(regexp_replace(t.fields ->> q.name, '\s+', ' ', 'g')))
                  in (select lower(btrim(regexp_replace(a, '\s+', ' ', 'g'))) from unnest(%(answers)s::text[]) as a))
order by t.num limit 3

-- name: used_for
-- Another task that this session or this memory has served.
select t.slug, t.group_id from workflow_used_once u join workflow_tasks t on t.id = u.task_id
where u.kind = %(kind)s::text and u.key = %(key)s::text and u.task_id <> %(id)s::uuid
