-- name: share_group
-- Moves of single tasks share their group with each other; only what concerns all its tasks has it alone.
select pg_advisory_xact_lock_shared(hashtextextended('group:' || %(group_id)s::uuid::text, 0))

-- name: lock_group
-- For what concerns all tasks of a group: waits until no move is under way in it, and lets none begin.
select pg_advisory_xact_lock(hashtextextended('group:' || %(group_id)s::uuid::text, 0))

-- name: insert_tasks
-- Makes tasks in the given order, which is that of their dependencies. Their readiness follows from these.
insert into workflow_tasks (id, process, slug, title, group_id, status, role, assignee, priority, fields,
                            pending_deps, claimable)
select g.id, g.process, g.slug, g.title, g.group_id, g.status, g.role, g.assignee, g.priority, g.fields,
       g.pending_deps, g.claimable
from jsonb_to_recordset(%(tasks)s::jsonb) as g (
    nth int, id uuid, process text, slug text, title text, group_id uuid, status text, role text, assignee uuid,
    priority smallint, fields jsonb, pending_deps int, claimable boolean)
order by g.nth
returning *

-- name: lock_dependencies
-- What new tasks depend on, kept from ending until they are stored: so no completion passes them by.
select id, slug, status, outcome from workflow_tasks where id = any(%(ids)s::uuid[]) order by num for share

-- name: insert_dependencies
-- The edges of new tasks.
insert into workflow_dependencies (task_id, depends_on, kind, satisfied)
select * from unnest(%(task_ids)s::uuid[], %(depend_on)s::uuid[], %(kinds)s::text[], %(satisfied)s::boolean[])

-- name: get_task
-- One task.
select * from workflow_tasks where id = %(id)s::uuid

-- name: take_task
-- One task that is about to be moved: shares its group until the transaction ends. With it the moment that the
-- transaction has for all that it stores.
select t.*, frasier_now() as moment
from workflow_tasks t where t.id = %(id)s::uuid
  and (select pg_advisory_xact_lock_shared(hashtextextended('group:' || t.group_id::text, 0))) is not null

-- name: tasks_of_group
-- Every task of a group, oldest first; none stands before one that it depends on.
select * from workflow_tasks where group_id = %(group_id)s::uuid order by num

-- name: edges_of_group
-- Every dependency inside a group.
select d.task_id, d.depends_on, d.kind
from workflow_dependencies d
join workflow_tasks t on t.id = d.task_id
join workflow_tasks n on n.id = d.depends_on
where t.group_id = %(group_id)s::uuid order by t.num, n.num

-- name: move_task
-- The one guarded move: it names the version that was looked at, so that what the gates and the founder saw is what
-- is moved, and for whoever held it the attempt, which tells what went wrong where it is another version.
select move_task(%(id)s::uuid, %(version)s::int, %(attempt)s::int, %(channel)s::text, %(status)s::text,
    %(role)s::text, %(claimable)s::boolean, %(delay_s)s::float8, %(strikes)s::int, %(failures)s::int, %(result_digest)s::text,
    %(result_size)s::int, %(fields)s::jsonb, %(judgements)s::jsonb, %(failure)s::text, %(outcome)s::text)

-- name: satisfy_dependants
-- Counts a completed task off its dependants, and wakes workers where one became ready.
select satisfy_dependants(%(id)s::uuid, %(channel)s::text)

-- name: unsatisfy_dependants
-- Counts a reopened task onto its dependants again: whoever holds one goes on, and nobody takes another.
with locked as materialized (
    select t.id from workflow_tasks t
    where t.id in (select d.task_id from workflow_dependencies d
                   where d.depends_on = %(id)s::uuid and d.kind = 'blocks' and d.satisfied)
    order by t.num for no key update
), waiting as (
    update workflow_dependencies d set satisfied = false from locked
    where d.depends_on = %(id)s::uuid and d.task_id = locked.id and d.satisfied
    returning d.task_id
)
update workflow_tasks t set pending_deps = t.pending_deps + 1, updated_at = frasier_now() from waiting
where t.id = waiting.task_id

-- name: lock_open_dependants
-- The tasks that cannot go on once this one has ended without a result: every open one down the blocking edges.
with recursive down as (
    select task_id from workflow_dependencies where depends_on = %(id)s::uuid and kind = 'blocks'
    union
    select d.task_id from workflow_dependencies d join down on d.depends_on = down.task_id
    where d.kind = 'blocks')
select t.* from workflow_tasks t where t.id in (select task_id from down) and t.ended_at is null
order by t.num for no key update

-- name: lock_next_dependants
-- The open tasks that wait for this one itself.
select t.* from workflow_tasks t
where t.ended_at is null and t.id in (
    select task_id from workflow_dependencies where depends_on = %(id)s::uuid and kind = 'blocks')
order by t.num for no key update

-- name: fail_dependants
-- Fails tasks that are locked already, for what happened to another.
update workflow_tasks t set
    status = c.status, role = c.role, claimable = false, lease_owner = null, lease_until = null,
    fields = t.fields || jsonb_build_object('reason', %(reason)s::text), version = t.version + 1, since = frasier_now(),
    failure = %(reason)s::text, outcome = 'failed', cascaded = true, ended_at = frasier_now(), updated_at = frasier_now()
from unnest(%(ids)s::uuid[], %(statuses)s::text[], %(roles)s::text[]) as c (id, status, role) where t.id = c.id
returning t.*

-- name: cascaded_dependants
-- The tasks that failed only because others did, down the blocking edges, nearest first.
with recursive down as (
    select task_id from workflow_dependencies where depends_on = %(id)s::uuid and kind = 'blocks'
    union
    select d.task_id from workflow_dependencies d join down on d.depends_on = down.task_id
    where d.kind = 'blocks')
select t.* from workflow_tasks t where t.id in (select task_id from down) and t.outcome = 'failed' and t.cascaded
order by t.num for no key update

-- name: dead_dependencies
-- What a task waits for in vain.
select n.slug, n.status from workflow_dependencies d join workflow_tasks n on n.id = d.depends_on
where d.task_id = %(id)s::uuid and d.kind = 'blocks' and n.outcome in ('failed', 'cancelled') order by n.num

-- name: reopen_task
-- Puts an ended task back at its beginning with a clean slate; its history stays in the events.
update workflow_tasks set
    status = %(to)s::text, role = %(role)s::text, claimable = %(claimable)s::boolean, run_after = frasier_now(),
    strikes = 0, failures = 0, failure = null, cascaded = false, held = false, outcome = null, ended_at = null,
    result_digest = null, result_size = null, version = version + 1, since = frasier_now(), updated_at = frasier_now(),
    fields = fields || jsonb_build_object('round', coalesce((fields->>'round')::int, 0) + 1)
where id = %(id)s::uuid and status = %(expected)s::text
returning *

-- name: claim_ready
-- Takes the next ready tasks, skipping those that another worker is taking. Dead work is not in the index, and
-- an array of ids is updated by the primary key in every plan. The conditions are spelled so that the planner cannot
-- take them for selective: on a table without statistics it would sort all ready tasks instead of walking the index.
update workflow_tasks t set
    status = (%(statuses)s::text[])[array_position(%(processes)s::text[], t.process)],
    claimable = false, attempt = t.attempt + 1, version = t.version + 1, since = frasier_now(),
    lease_owner = %(worker)s::text, lease_until = frasier_now() + make_interval(secs => %(lease_s)s::float8),
    last_holder = %(worker)s::text, updated_at = frasier_now()
where t.id = any(array(
    select id from workflow_tasks
    where ready and run_after <= frasier_now() and array_position(%(processes)s::text[], process) is not null
      and coalesce(group_id = %(group_id)s::uuid, true)
    order by priority desc, run_after, num for no key update skip locked limit %(limit)s::int))
returning t.*

-- name: claim_task
-- Takes one task that is ready, if it is still what was looked at.
update workflow_tasks set
    status = %(to)s::text, claimable = false, attempt = attempt + 1, version = version + 1, since = frasier_now(),
    fields = (fields || %(fields)s::jsonb) - %(emptied)s::text[], judgements = %(judgements)s::jsonb,
    lease_owner = %(worker)s::text, lease_until = frasier_now() + make_interval(secs => %(lease_s)s::float8),
    last_holder = %(worker)s::text, updated_at = frasier_now()
where id = %(id)s::uuid and version = %(version)s::int and ready
returning *

-- name: edit_task
-- Fills and empties fields, if the task is still what was looked at.
update workflow_tasks set fields = (fields || %(fields)s::jsonb) - %(emptied)s::text[],
    judgements = %(judgements)s::jsonb, version = version + 1, updated_at = frasier_now()
where id = %(id)s::uuid and version = %(version)s::int
returning *

-- name: renew_lease
-- Keeps one task for whoever holds it.
update workflow_tasks set lease_until = frasier_now() + make_interval(secs => %(lease_s)s::float8)
where id = %(id)s::uuid and attempt = %(attempt)s::int and lease_owner = %(worker)s::text
returning *

-- name: end_leases_of
-- Leases of workers that are known to be gone run out now; what somebody is moving meanwhile is left alone.
update workflow_tasks set lease_until = frasier_now()
where id = any(array(
    select id from workflow_tasks where lease_until is not null and lease_owner = any(%(owners)s::text[])
    for no key update skip locked))

-- name: expired_leases
-- Tasks whose worker stopped beating, but for groups that somebody has alone at the moment.
select * from workflow_tasks where lease_until < frasier_now() and process = any(%(processes)s::text[])
  and pg_try_advisory_xact_lock_shared(hashtextextended('group:' || group_id::text, 0))
order by lease_until for no key update skip locked limit 50

-- name: renew_leases
-- The beat: keeps what this worker still holds. A row that somebody is writing is not waited for but left for the
-- next beat, so that one long write cannot keep the other leases from being renewed.
with held as (
    select id from workflow_tasks where id = any(%(ids)s::uuid[]) and lease_owner = %(worker)s::text
), free as materialized (
    select id from workflow_tasks where id in (select id from held) and lease_owner = %(worker)s::text
    for no key update skip locked
), renewed as (
    update workflow_tasks t set lease_until = frasier_now() + make_interval(secs => %(lease_s)s::float8)
    from free where t.id = free.id returning t.id
)
select id, id in (select id from renewed) as renewed from held

-- name: fence
-- Holds the row while a run writes, and says whether the run may.
select held from workflow_tasks t
where id = %(id)s::uuid and attempt = %(attempt)s::int and lease_owner is not null
  and (select pg_advisory_xact_lock_shared(hashtextextended('group:' || t.group_id::text, 0))) is not null
for no key update

-- name: next_ready_in
-- Seconds until the next ready or leased task may need a worker; null where there is none.
select extract(epoch from least(
    (select min(run_after) from workflow_tasks where ready),
    (select min(lease_until) from workflow_tasks where lease_until is not null)) - frasier_now())::float8 as seconds

-- name: enter_block
-- The task leaves its place, which is stored; guarded like every move.
with place as materialized (
    select id, status, role, assignee, lease_owner, lease_until from workflow_tasks
    where id = %(id)s::uuid and status = %(expected)s::text
      and (%(attempt)s::int is null or (attempt = %(attempt)s::int and lease_owner is not null))
    for no key update
), stored as (
    insert into workflow_blocks (task_id, status, role, assignee, lease_owner, lease_until, reasons)
    select id, status, role, assignee, lease_owner, lease_until,
        jsonb_build_array(%(reason)s::jsonb || jsonb_build_object('at', frasier_now())) from place
)
update workflow_tasks t set status = 'blocked', role = %(owner)s::text, claimable = false,
    lease_owner = null, lease_until = null, version = t.version + 1, updated_at = frasier_now()
from place where t.id = place.id
returning t.*

-- name: add_block_reason
-- A further reason for the same pause.
with paused as materialized (
    select id from workflow_tasks where id = %(id)s::uuid and status = 'blocked' for no key update
)
update workflow_blocks b set reasons = b.reasons || (%(reason)s::jsonb || jsonb_build_object('at', frasier_now()))
from paused where b.task_id = paused.id

-- name: leave_block
-- Back to the exact place. Whoever held it has so many seconds to go on. Where none, or where the lease had run out
-- before the pause, it comes back as run out, for the engine's own rule to take on.
with paused as materialized (
    select id from workflow_tasks
    where id = %(id)s::uuid and status = 'blocked' and version = %(version)s::int for no key update
), place as (
    delete from workflow_blocks b using paused where b.task_id = paused.id
    returning b.*, case when b.lease_owner is null then null
        when b.lease_until < b.blocked_at then frasier_now()
        else frasier_now() + make_interval(secs => %(lease_s)s::float8) end as held_until
)
update workflow_tasks t set status = place.status, role = place.role, assignee = place.assignee,
    claimable = place.status = any(%(claimable)s::text[]), failures = 0, run_after = frasier_now(),
    fields = t.fields || jsonb_strip_nulls(jsonb_build_object('founder_note', nullif(%(note)s::text, ''))),
    lease_owner = place.lease_owner, lease_until = place.held_until, restored_until = place.held_until,
    version = t.version + 1, updated_at = frasier_now()
from place where t.id = place.task_id
returning t.*

-- name: delete_block
-- A blocked task was ended: the pause is over.
delete from workflow_blocks where task_id = any(%(ids)s::uuid[])

-- name: pause_of
-- The place that a task is paused at, and why.
select status, role, lease_owner, reasons, blocked_at from workflow_blocks where task_id = %(id)s::uuid

-- name: hold_group
-- Pauses or continues every open task of a group.
update workflow_tasks set held = %(held)s::boolean, updated_at = frasier_now()
where group_id = %(group_id)s::uuid and ended_at is null and held <> %(held)s::boolean

-- name: lock_open_tasks
-- The open tasks of a group, dependants first, so that none of them fails before it is cancelled itself.
select id from workflow_tasks where group_id = %(group_id)s::uuid and ended_at is null
order by num desc for no key update
