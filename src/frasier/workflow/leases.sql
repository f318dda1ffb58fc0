-- name: claim_ready
-- Claims the next ready tasks, skipping those that another worker is claiming. Ended tasks are not in the index, and
-- an array of ids is updated by the primary key in every plan. The conditions are written so that the planner cannot
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
      and array_position(%(except_groups)s::uuid[], group_id) is null
    order by priority desc, group_id, path_length desc, run_after, num for no key update skip locked limit %(limit)s::int))
returning t.*

-- name: next_ready_in
-- The seconds until the next delayed task is due; null if none is.
select extract(epoch from min(run_after) - frasier_now())::float8 as seconds from workflow_tasks
where ready and run_after > frasier_now() and array_position(%(processes)s::text[], process) is not null
  and coalesce(group_id = %(group_id)s::uuid, true) and array_position(%(except_groups)s::uuid[], group_id) is null

-- name: delayed_tasks
-- The delayed tasks that are ready but for their delay.
select id from workflow_tasks
where ready and run_after > frasier_now() and array_position(%(processes)s::text[], process) is not null
  and coalesce(group_id = %(group_id)s::uuid, true) and array_position(%(except_groups)s::uuid[], group_id) is null

-- name: claim_task
-- Claims one ready task, if it still has the version that was read.
update workflow_tasks set
    status = %(to)s::text, claimable = false, attempt = attempt + 1, version = version + 1, since = frasier_now(),
    fields = (fields || %(fields)s::jsonb) - %(emptied)s::text[], judgements = %(judgements)s::jsonb,
    lease_owner = %(worker)s::text, lease_until = frasier_now() + make_interval(secs => %(lease_s)s::float8),
    last_holder = %(worker)s::text, updated_at = frasier_now()
where id = %(id)s::uuid and version = %(version)s::int and ready
returning *

-- name: renew_lease
-- Extends the lease of one task for its holder, unless it is over.
update workflow_tasks set lease_until = frasier_now() + make_interval(secs => %(lease_s)s::float8)
where id = %(id)s::uuid and attempt = %(attempt)s::int and lease_owner = %(worker)s::text
  and lease_until >= frasier_now()
returning *

-- name: renew_leases
-- Extends the leases that this worker still holds. A row that another transaction has locked is skipped until the next
-- time, so that one long write cannot keep the other leases from being renewed.
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

-- name: expire_leases_of
-- Expires the leases of workers that are known to be gone; a task that somebody is moving is skipped.
update workflow_tasks set lease_until = frasier_now()
where id = any(array(
    select id from workflow_tasks where lease_until is not null and lease_owner = any(%(owners)s::text[])
    for no key update skip locked))

-- name: expired_leases
-- Locks the tasks whose lease has expired, or one of them, except in groups that somebody has locked exclusively.
select * from workflow_tasks where lease_until < frasier_now() and process = any(%(processes)s::text[])
  and (%(id)s::uuid is null or id = %(id)s::uuid)
  and pg_try_advisory_xact_lock_shared(hashtextextended('group:' || group_id::text, 0))
order by lease_until for no key update skip locked limit 50

-- name: lock_attempt
-- Locks the task of an attempt while its run writes; no row if the attempt does not hold it any more.
select held from workflow_tasks t
where id = %(id)s::uuid and attempt = %(attempt)s::int and lease_owner is not null
  and (select pg_advisory_xact_lock_shared(hashtextextended('group:' || t.group_id::text, 0))) is not null
for no key update

-- name: bring_delays_forward
-- Counts the delays of ready tasks anew that were last changed before the clock went back, and would wait until it is as
-- late again.
update workflow_tasks set run_after = least(run_after, frasier_now() + (run_after - updated_at)), updated_at = frasier_now()
where ready and run_after > frasier_now() and updated_at > frasier_now() + make_interval(secs => %(margin_s)s::float8)

-- name: end_delay
-- Lets a task that is put off be claimed at once.
update workflow_tasks set run_after = frasier_now() where id = %(id)s::uuid and claimable and run_after > frasier_now()
