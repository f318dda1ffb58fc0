-- name: insert_task
-- Makes a task; its readiness follows from its dependencies.
insert into workflow_tasks (id, process, slug, title, group_id, status, role, assignee, priority, fields,
                            pending_deps, claimable)
values (%(id)s::uuid, %(process)s::text, %(slug)s::text, %(title)s::text, %(group_id)s::uuid, %(status)s::text,
        %(role)s::text, %(assignee)s::uuid, %(priority)s::smallint, %(fields)s::jsonb, %(pending_deps)s::int,
        %(claimable)s::boolean)
returning *

-- name: insert_dependency
-- One edge; it counts as satisfied where what it depends on is completed already.
insert into workflow_dependencies (task_id, depends_on, kind, satisfied)
select %(task_id)s::uuid, d.id, %(kind)s::text, d.status = 'completed'
from workflow_tasks d where d.id = %(depends_on)s::uuid
returning satisfied

-- name: recount_dependencies
-- Stores how many blocking dependencies a task still waits for.
update workflow_tasks set pending_deps = (
    select count(*) from workflow_dependencies
    where task_id = %(id)s::uuid and kind = 'blocks' and not satisfied)
where id = %(id)s::uuid
returning *

-- name: get_task
-- One task.
select * from workflow_tasks where id = %(id)s::uuid

-- name: tasks_of_group
-- Every task of a group, oldest first.
select * from workflow_tasks where group_id = %(group_id)s::uuid order by created_at, id

-- name: edges_of_group
-- Every dependency inside a group.
select d.task_id, d.depends_on, d.kind, d.satisfied from workflow_dependencies d
join workflow_tasks t on t.id = d.task_id where t.group_id = %(group_id)s::uuid

-- name: move_task
-- The one guarded move: it names the status it expects, and for a worker the attempt that must still hold it.
update workflow_tasks set
    status = %(to)s::text, role = %(role)s::text, claimable = %(claimable)s::boolean,
    assignee = coalesce(%(assignee)s::uuid, assignee),
    run_after = now() + make_interval(secs => %(delay_s)s::float8),
    lease_owner = null, lease_until = null,
    strikes = strikes + %(strike)s::int,
    failures = failures + %(failure_count)s::int,
    result_digest = coalesce(%(result_digest)s::text, result_digest),
    result_size = coalesce(%(result_size)s::int, result_size),
    fields = fields || %(fields)s::jsonb,
    failure = %(failure)s::text, cascaded = %(cascaded)s::boolean,
    ended_at = case when %(terminal)s::boolean then now() end,
    updated_at = now()
where id = %(id)s::uuid and status = %(expected)s::text
  and (%(attempt)s::int is null or (attempt = %(attempt)s::int and lease_owner is not null))
returning *

-- name: reopen_task
-- Puts an ended task back at its beginning with a clean slate; its history stays in the events.
update workflow_tasks set
    status = %(to)s::text, role = %(role)s::text, claimable = true, run_after = now(),
    strikes = 0, failures = 0, failure = null, cascaded = false, ended_at = null,
    result_digest = null, result_size = null, updated_at = now(),
    fields = fields || jsonb_build_object('round', coalesce((fields->>'round')::int, 0) + 1),
    pending_deps = (select count(*) from workflow_dependencies
                    where task_id = %(id)s::uuid and kind = 'blocks' and not satisfied)
where id = %(id)s::uuid and status = %(expected)s::text
returning *

-- name: satisfy_dependants
-- Counts a completed task off its dependants; returns those that nothing holds back any more.
with satisfied as (
    update workflow_dependencies set satisfied = true
    where depends_on = %(id)s::uuid and kind = 'blocks' and not satisfied returning task_id)
update workflow_tasks set pending_deps = pending_deps - 1, updated_at = now()
where id = any(array(select task_id from satisfied))
returning id, ready

-- name: open_dependants
-- The tasks that cannot go on once this one has failed: every open one down the blocking edges.
with recursive down as (
    select task_id from workflow_dependencies where depends_on = %(id)s::uuid and kind = 'blocks'
    union
    select d.task_id from workflow_dependencies d join down on d.depends_on = down.task_id
    where d.kind = 'blocks')
select t.* from workflow_tasks t join down on down.task_id = t.id where t.ended_at is null order by t.id

-- name: cascaded_dependants
-- The tasks that failed only because of this one: they come back with it.
with recursive down as (
    select task_id from workflow_dependencies where depends_on = %(id)s::uuid and kind = 'blocks'
    union
    select d.task_id from workflow_dependencies d join down on d.depends_on = down.task_id
    where d.kind = 'blocks')
select t.* from workflow_tasks t join down on down.task_id = t.id
where t.status = 'failed' and t.cascaded order by t.id

-- name: claim_ready
-- Takes the next ready tasks, skipping those that another worker is taking. Dead work is not in the index.
update workflow_tasks t set
    status = c.status, role = c.role, claimable = false, attempt = t.attempt + 1,
    lease_owner = %(worker)s::text, lease_until = now() + make_interval(secs => %(lease_s)s::float8),
    updated_at = now()
from unnest(%(processes)s::text[], %(statuses)s::text[], %(roles)s::text[]) as c (process, status, role)
where t.id = any(array(
    select id from workflow_tasks
    where ready and run_after <= now() and process = any(%(processes)s::text[])
    order by priority desc, run_after, id for update skip locked limit %(limit)s::int))
  and c.process = t.process
returning t.*

-- name: expired_leases
-- Tasks whose worker stopped beating.
select * from workflow_tasks where lease_until < now() order by lease_until for update skip locked limit 50

-- name: renew_leases
-- The beat: keeps what this worker still holds.
update workflow_tasks set lease_until = now() + make_interval(secs => %(lease_s)s::float8)
where id = any(%(ids)s::uuid[]) and lease_owner = %(worker)s::text
returning id

-- name: fence
-- Holds the row while a run writes, and says whether the run may.
select held from workflow_tasks
where id = %(id)s::uuid and attempt = %(attempt)s::int and lease_owner is not null for update

-- name: next_ready_in
-- Seconds until the next ready or leased task may need a worker; null where there is none.
select extract(epoch from min(moment) - now())::float8 as seconds from (
    select run_after as moment from workflow_tasks where ready
    union all select lease_until from workflow_tasks where lease_until is not null) waiting

-- name: insert_block
-- Stores the exact place of a task that pauses.
insert into workflow_blocks (task_id, status, role, assignee, attempt, lease_owner, reasons)
select id, status, role, assignee, attempt, lease_owner, jsonb_build_array(%(reason)s::jsonb)
from workflow_tasks where id = %(id)s::uuid

-- name: add_block_reason
-- A further reason for the same pause.
update workflow_blocks set reasons = reasons || %(reason)s::jsonb where task_id = %(id)s::uuid

-- name: enter_block
-- The task leaves its place; guarded like every move.
update workflow_tasks set status = 'blocked', role = %(owner)s::text, claimable = false,
    lease_owner = null, lease_until = null, updated_at = now()
where id = %(id)s::uuid and status = %(expected)s::text
  and (%(attempt)s::int is null or (attempt = %(attempt)s::int and lease_owner is not null))
returning *

-- name: get_block
-- The stored place of a blocked task.
select * from workflow_blocks where task_id = %(id)s::uuid

-- name: delete_block
-- The pause is over.
delete from workflow_blocks where task_id = %(id)s::uuid

-- name: leave_block
-- Back to the exact place. A lease that it held is given back as run out, for the engine's own rule to take on.
update workflow_tasks set status = %(status)s::text, role = %(role)s::text, assignee = %(assignee)s::uuid,
    claimable = %(claimable)s::boolean, failures = 0, run_after = now(),
    fields = fields || jsonb_strip_nulls(jsonb_build_object('founder_note', nullif(%(note)s::text, ''))),
    lease_owner = %(lease_owner)s::text,
    lease_until = case when %(lease_owner)s::text is not null then now() end, updated_at = now()
where id = %(id)s::uuid and status = 'blocked'
returning *

-- name: blocked_tasks
-- What is paused, why, and for whom.
select t.id, t.slug, t.title, t.process, t.group_id, t.assignee, b.status as was, b.reasons, b.blocked_at
from workflow_blocks b join workflow_tasks t on t.id = b.task_id
where %(group_id)s::uuid is null or t.group_id = %(group_id)s::uuid
order by b.blocked_at

-- name: hold_group
-- Pauses or continues every open task of a group.
update workflow_tasks set held = %(held)s::boolean, updated_at = now()
where group_id = %(group_id)s::uuid and ended_at is null and held <> %(held)s::boolean
returning id

-- name: count_by_place
-- Open tasks by what they wait for.
select case when status = 'blocked' then 'blocked' when lease_owner is not null then 'running'
        when not claimable then status when held then 'paused' when pending_deps > 0 then 'waiting'
        when run_after > now() then 'retrying' else 'ready' end as place, count(*) as tasks
from workflow_tasks where ended_at is null group by place

-- name: busy_workers
-- Workers that hold leases.
select lease_owner as name, count(*) as tasks, max(lease_until) as lease_until
from workflow_tasks where lease_until > now() group by lease_owner order by lease_owner

-- name: tasks_like
-- Tasks by the beginning or end of their id.
select * from workflow_tasks
where length(%(text)s::text) >= 4
  and (starts_with(id::text, %(text)s::text) or right(id::text, length(%(text)s::text)) = %(text)s::text)
limit 3

-- name: task_by_slug
-- One task of a group by its slug.
select * from workflow_tasks where group_id = %(group_id)s::uuid and slug = %(slug)s::text

-- name: count_open
-- Open tasks of a group.
select count(*) as open from workflow_tasks where group_id = %(group_id)s::uuid and ended_at is null
