-- name: dependencies
-- The number of tasks that one needs completed, and the slugs of those that are not: not yet, or not any more. The status
-- of those that have ended is told, too.
select count(*) as needed,
    coalesce(array_agg(n.slug || case when n.ended_at is null then '' else format(' (%%s)', n.status) end order by n.num) filter (where n.outcome is distinct from 'completed'), '{}') as waits_for
from workflow_dependencies d join workflow_tasks n on n.id = d.depends_on
where d.task_id = %(id)s::uuid and d.kind = 'blocks'

-- name: reserve
-- Reserve keys for a task; return those that it has now, and whether they are fresh. A key of another task stays with
-- that. In the order of the keys, so that no two transactions wait for each other.
insert into board_used_once as u (kind, key, task_id)
select w.kind, w.key, %(id)s::uuid from unnest(%(kinds)s::text[], %(keys)s::text[]) as w (kind, key)
order by w.kind, w.key
on conflict (kind, key) do update set task_id = u.task_id where u.task_id = excluded.task_id
returning u.kind, u.key, u.xmax = 0 as fresh

-- name: release
-- Release keys of a task: one that is refused a part reserves nothing.
delete from board_used_once where task_id = %(id)s::uuid
  and (kind, key) in (select * from unnest(%(kinds)s::text[], %(keys)s::text[]))

-- name: reserved_by_others
-- Those of some keys that other tasks have reserved.
select u.kind, u.key, t.slug, t.group_id from board_used_once u join workflow_tasks t on t.id = u.task_id
where u.task_id <> %(id)s::uuid
  and (u.kind, u.key) in (select * from unnest(%(kinds)s::text[], %(keys)s::text[]))
order by u.kind, u.key

-- name: release_words
-- Release the words that a task does not hold any more.
delete from board_used_once
where task_id = %(id)s::uuid and kind = 'words' and key <> all(%(keys)s::text[])
