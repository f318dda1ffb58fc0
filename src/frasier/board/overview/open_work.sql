-- name: busy_workers
-- The holders of leases, and whether they hold tasks of boards only.
select t.lease_owner as name, count(*) as tasks, max(t.lease_until) as lease_until,
    bool_and(exists (select from boards g where g.id = t.group_id)) as on_boards
from workflow_tasks t where t.lease_until > frasier_now() group by t.lease_owner order by t.lease_owner

-- name: tasks_like
-- Tasks by the beginning or end of their id.
select id, slug from workflow_tasks
where %(part)s::text in (left(replace(id::text, '-', ''), length(%(part)s::text)),
                         right(replace(id::text, '-', ''), length(%(part)s::text)))
order by num limit %(limit)s::int

-- name: task_by_slug
-- One task of a group by its slug.
select id from workflow_tasks where group_id = %(group_id)s::uuid and slug = %(slug)s::text

-- name: tasks_on_boards
-- Tasks of boards by their id or name; of one board if it is named.
select t.* from workflow_tasks t join boards g on g.id = t.group_id
where (t.id = %(id)s::uuid or t.slug = %(slug)s::text)
  and (%(board)s::text is null or g.name = %(board)s::text)
order by t.num limit 50

-- name: tasks_on_boards_like
-- Tasks of boards by the beginning or end of their id; of one board if it is named.
select t.* from workflow_tasks t join boards g on g.id = t.group_id
where %(part)s::text in (left(replace(t.id::text, '-', ''), length(%(part)s::text)),
                         right(replace(t.id::text, '-', ''), length(%(part)s::text)))
  and (%(board)s::text is null or g.name = %(board)s::text)
order by t.num limit 50

-- name: blocked_tasks
-- The paused tasks with the reasons, longest first.
select t.id, t.slug, t.title, t.process, t.group_id, t.assignee, g.name as board, b.status as was,
    b.role as was_role, b.reasons, b.blocked_at
from workflow_blocks b join workflow_tasks t on t.id = b.task_id left join boards g on g.id = t.group_id
where %(group_id)s::uuid is null or t.group_id = %(group_id)s::uuid
order by b.blocked_at, t.num
