-- name: lock_dependencies
-- Locks the dependencies of new tasks, so that none ends unnoticed before the new tasks are stored.
select id, slug, status, outcome from workflow_tasks where id = any(%(ids)s::uuid[]) order by num for share

-- name: insert_dependencies
-- Inserts the dependencies of new tasks.
insert into workflow_dependencies (task_id, depends_on, kind, satisfied)
select * from unnest(%(task_ids)s::uuid[], %(depend_on)s::uuid[], %(kinds)s::text[], %(satisfied)s::boolean[])

-- name: edges_of_group
-- Every dependency inside a group.
select d.task_id, d.depends_on, d.kind
from workflow_dependencies d
join workflow_tasks t on t.id = d.task_id
join workflow_tasks n on n.id = d.depends_on
where t.group_id = %(group_id)s::uuid order by t.num, n.num

-- name: dead_dependencies
-- The failed and cancelled tasks that a task depends on.
select n.slug, n.status from workflow_dependencies d join workflow_tasks n on n.id = d.depends_on
where d.task_id = %(id)s::uuid and d.kind = 'blocks' and n.outcome in ('failed', 'cancelled') order by n.num

-- name: open_dependencies
-- The slugs of the tasks that one waits for, with the status of those that have ended.
select n.slug || case when n.ended_at is null then '' else format(' (%%s)', n.status) end as name
from workflow_dependencies d join workflow_tasks n on n.id = d.depends_on
where d.task_id = %(id)s::uuid and d.kind = 'blocks' and not d.satisfied order by n.num

-- name: satisfy_dependants
-- Subtracts a completed task from what its dependants wait for, and notifies workers if one became ready.
select satisfy_dependants(%(id)s::uuid, %(channel)s::text)

-- name: unsatisfy_dependants
-- Adds a reopened task to what its dependants wait for: a held one goes on, and no other can be claimed.
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
-- Locks the tasks that cannot go on when this one has ended without a result: every open one down the blocking edges.
with recursive down as (
    select task_id from workflow_dependencies where depends_on = %(id)s::uuid and kind = 'blocks'
    union
    select d.task_id from workflow_dependencies d join down on d.depends_on = down.task_id
    where d.kind = 'blocks')
select t.* from workflow_tasks t where t.id in (select task_id from down) and t.ended_at is null
order by t.num for no key update

-- name: lock_next_dependants
-- Locks the open tasks that depend on this one directly.
select t.* from workflow_tasks t
where t.ended_at is null and t.id in (
    select task_id from workflow_dependencies where depends_on = %(id)s::uuid and kind = 'blocks')
order by t.num for no key update

-- name: fail_dependants
-- Fails tasks that are locked already, because of another one.
update workflow_tasks t set
    status = c.status, role = c.role, claimable = false, lease_owner = null, lease_until = null,
    fields = t.fields || jsonb_build_object('reason', %(reason)s::text), version = t.version + 1, since = frasier_now(),
    failure = %(reason)s::text, outcome = 'failed', cascaded = true, ended_at = frasier_now(), updated_at = frasier_now()
from unnest(%(ids)s::uuid[], %(statuses)s::text[], %(roles)s::text[]) as c (id, status, role) where t.id = c.id
returning t.*

-- name: cascaded_dependants
-- Locks the tasks that failed only because others did, down the blocking edges, nearest first.
with recursive down as (
    select task_id from workflow_dependencies where depends_on = %(id)s::uuid and kind = 'blocks'
    union
    select d.task_id from workflow_dependencies d join down on d.depends_on = down.task_id
    where d.kind = 'blocks')
select t.* from workflow_tasks t where t.id in (select task_id from down) and t.outcome = 'failed' and t.cascaded
order by t.num for no key update

-- name: replace_dependencies
-- Replaces what some tasks wait for. An edge that stays is neither deleted nor inserted.
with wanted as (
    select * from unnest(%(task_ids)s::uuid[], %(depend_on)s::uuid[], %(satisfied)s::boolean[])
        as w (task_id, depends_on, satisfied)
), dropped as (
    delete from workflow_dependencies d where d.task_id = any(%(changed)s::uuid[]) and d.kind = 'blocks'
        and not exists (select from wanted w where w.task_id = d.task_id and w.depends_on = d.depends_on)
)
insert into workflow_dependencies (task_id, depends_on, kind, satisfied)
select task_id, depends_on, 'blocks', satisfied from wanted
on conflict (task_id, depends_on) do update set kind = 'blocks', satisfied = excluded.satisfied
    where workflow_dependencies.kind <> 'blocks'

-- name: drop_ended_dependants
-- Deletes the dependencies of tasks that have ended on this one.
delete from workflow_dependencies d using workflow_tasks t
where d.depends_on = %(id)s::uuid and d.kind = 'blocks' and t.id = d.task_id and t.ended_at is not null
returning d.task_id

-- name: recount_dependencies
-- Counts anew what some tasks wait for.
update workflow_tasks t set updated_at = frasier_now(), pending_deps = (
    select count(*) from workflow_dependencies d where d.task_id = t.id and d.kind = 'blocks' and not d.satisfied)
where t.id = any(%(ids)s::uuid[])

-- name: renumber_task
-- Gives a task the next number.
update workflow_tasks set num = default where id = %(id)s::uuid

-- name: set_path_lengths
-- Stores the lengths of the longest paths that begin with some tasks, as far as these are open.
update workflow_tasks t set path_length = least(w.path_length, 32767)
from unnest(%(ids)s::uuid[], %(path_lengths)s::int[]) as w (id, path_length)
where t.id = w.id and t.ended_at is null and t.path_length <> least(w.path_length, 32767)
