-- name: dependencies
-- How many tasks one needs completed before it can go on, and which of them are not: not yet, or not any more.
select count(*) as needed,
    coalesce(array_agg(n.slug order by n.num) filter (where n.outcome is distinct from 'completed'), '{}') as waits_for
from workflow_dependencies d join workflow_tasks n on n.id = d.depends_on
where d.task_id = %(id)s::uuid and d.kind = 'blocks'

-- name: use_once
-- A task uses what serves one task only: what it has of that now, and whether it had not before. What another one uses
-- stays with that. In the order of the keys, so that no two wait for each other.
insert into workflow_used_once as u (kind, key, task_id)
select w.kind, w.key, %(id)s::uuid from unnest(%(kinds)s::text[], %(keys)s::text[]) as w (kind, key)
order by w.kind, w.key
on conflict (kind, key) do update set task_id = u.task_id where u.task_id = excluded.task_id
returning u.kind, u.key, u.xmax = 0 as fresh

-- name: give_back
-- Whoever is refused a part has taken nothing.
delete from workflow_used_once where task_id = %(id)s::uuid
  and (kind, key) in (select * from unnest(%(kinds)s::text[], %(keys)s::text[]))

-- name: used_by_others
-- What of it other tasks use.
select u.kind, u.key, t.slug, t.group_id from workflow_used_once u join workflow_tasks t on t.id = u.task_id
where u.task_id <> %(id)s::uuid
  and (u.kind, u.key) in (select * from unnest(%(kinds)s::text[], %(keys)s::text[]))
order by u.kind, u.key

-- name: give_up_words
-- The words that a task does not hold any more.
delete from workflow_used_once
where task_id = %(id)s::uuid and kind = 'words' and key <> all(%(keys)s::text[])
