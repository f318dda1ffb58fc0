-- name: enter_block
-- Blocks a task and stores its position; guarded like every move.
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
-- Adds a reason to the same pause.
with paused as materialized (
    select id from workflow_tasks where id = %(id)s::uuid and status = 'blocked' for no key update
)
update workflow_blocks b set reasons = b.reasons || (%(reason)s::jsonb || jsonb_build_object('at', frasier_now()))
from paused where b.task_id = paused.id

-- name: leave_block
-- Puts a task back to its exact position. Its holder gets some seconds to go on; a lease that had expired before the
-- pause comes back as expired, for the recovery to handle.
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
-- Deletes the pauses of blocked tasks that have ended.
delete from workflow_blocks where task_id = any(%(ids)s::uuid[])

-- name: get_block
-- The position at which a task is paused, and why.
select status, role, lease_owner, reasons, blocked_at from workflow_blocks where task_id = %(id)s::uuid
