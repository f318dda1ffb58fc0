-- name: record
-- Record a piece of evidence.
insert into board_evidence (id, task_id, attempt, kind, subject, holds, digest, found, gathered_by, work, began_at)
values (%(id)s::uuid, %(task_id)s::uuid, %(attempt)s::int, %(kind)s::text, %(subject)s::text, %(holds)s::boolean,
        %(digest)s::text, %(found)s::jsonb, %(by)s::text, %(work)s::text,
        %(began_at)s::timestamptz)
returning id, task_id, attempt, kind, subject, holds, digest, found, gathered_by, gathered_at, work, began_at

-- name: newest
-- The newest evidence of one kind, and of one subject if it is named.
select id, task_id, attempt, kind, subject, holds, digest, found, gathered_by, gathered_at, work, began_at
from board_evidence
where task_id = %(task_id)s::uuid and kind = %(kind)s::text
  and (%(subject)s::text is null or subject = %(subject)s::text)
order by num desc limit 1

-- name: newest_of_tasks
-- The newest evidence of every subject of some tasks, oldest first.
select id, task_id, attempt, kind, subject, holds, digest, found, gathered_by, gathered_at, work, began_at from (
    select distinct on (task_id, kind, subject) * from board_evidence where task_id = any(%(task_ids)s::uuid[])
    order by task_id, kind, subject, num desc) newest
order by num

-- name: newest_run
-- The newest run of a command, whether for its tests or because a move requires it.
select id, task_id, attempt, kind, subject, holds, digest, found, gathered_by, gathered_at, work, began_at
from board_evidence
where task_id = %(task_id)s::uuid and kind in ('command', 'check') and subject = %(name)s::text
order by num desc limit 1
